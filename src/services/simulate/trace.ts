/** The trace service: stored traces by re-execution, and traces of calls that nobody keeps. */
import type { BlockId } from "../../chain/block-id.ts";
import type { Chain } from "../../chain/chain.ts";
import { InvalidParamsError, TransactionRejectedError } from "../../errors/hindcast-error.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import { ExecutionClock } from "../../executor/evm-clock.ts";
import type { ExecutionLimits } from "../../executor/types.ts";
import type { BlockView, BlockViews } from "../../miner/block-views.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { LocalizedTrace } from "../../tracer/formats/flat.ts";
import { blockTraces, transactionTraces } from "./block-traces.ts";
import { capGas, defaultGas, runCall, type SimulationLimits } from "./simulation.ts";
import { candidateBlocks, type TraceFilter, traceMatcher } from "./trace-filter.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./trace-results.ts";

/** One call of trace_callMany and what to tell of it. */
export interface TracedCall {
  readonly call: CallRequest;
  readonly types: ReadonlySet<TraceType>;
}

export class TraceService {
  readonly #chain: Chain;
  readonly #views: BlockViews;
  readonly #limits: SimulationLimits;

  constructor(chain: Chain, views: BlockViews, limits: SimulationLimits) {
    this.#chain = chain;
    this.#views = views;
    this.#limits = limits;
  }

  /** Flat traces of a block, rewards included; undefined for an unknown or pending block. */
  async block(id: BlockId, signal?: AbortSignal): Promise<LocalizedTrace[] | undefined> {
    if ("tag" in id && id.tag === "pending") return undefined;
    const view = await this.#views.resolve(id);
    if (view === undefined) return undefined;
    return collect(blockTraces(this.#chain, view.block, this.#execution(signal)));
  }

  /** Flat traces of a mined transaction; undefined for an unknown one. */
  async transaction(hash: Bytes, signal?: AbortSignal): Promise<LocalizedTrace[] | undefined> {
    const location = this.#chain.findTransaction(hash);
    if (location === undefined) return undefined;
    return transactionTraces(this.#chain, location.block, location.index, this.#execution(signal));
  }

  /**
   * Traces of a range that match, in chain order, paged.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` when the range runs backwards
   */
  async filter(filter: TraceFilter, signal?: AbortSignal): Promise<LocalizedTrace[]> {
    const head = this.#chain.head.header.number;
    const from = await this.#number(filter.fromBlock);
    const to = await this.#number(filter.toBlock);
    // A range that begins after the head holds nothing yet; only one that runs backwards as written is wrong.
    if (from > head && !("number" in filter.toBlock)) return [];
    if (from > to) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: "invalid parameters: fromBlock cannot be greater than toBlock",
      });
    }
    const matches = traceMatcher(filter);
    const limits = this.#execution(signal);
    const found: LocalizedTrace[] = [];
    let skip = filter.after;
    if (filter.count === 0) return found;
    for await (const number of candidateBlocks(this.#chain, filter, from, to < head ? to : head)) {
      const block = this.#chain.getBlockByNumber(number);
      if (block === undefined) break;
      await limits.check();
      for await (const trace of blockTraces(this.#chain, block, limits)) {
        if (!matches(trace)) continue;
        if (skip > 0) skip--;
        else if (found.push(trace) === filter.count) return found;
      }
    }
    return found;
  }

  /**
   * Runs calls one on top of the other on the state after a block, and tells of each what its types ask for.
   *
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE`, naming the entry, when one cannot even start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async callMany(calls: readonly TracedCall[], id: BlockId, signal?: AbortSignal): Promise<TraceResults[]> {
    const view = await this.#views.require(id, "plain");
    const state = view.state();
    const limits = this.#execution(signal);
    const results: TraceResults[] = [];
    for (const [index, { call, types }] of calls.entries()) {
      const recorder = recorderForTypes(types);
      const outcome = await this.#namingEntry(index, () => this.#run(view, state, call, limits, recorder));
      results.push(await traceResults(types, outcome, recorder, state));
    }
    return results;
  }

  #run(
    view: BlockView,
    state: Parameters<typeof runCall>[0]["state"],
    call: CallRequest,
    limits: ExecutionLimits,
    recorder: ReturnType<typeof recorderForTypes>,
  ) {
    return runCall({
      spec: this.#chain.spec,
      view,
      state,
      call: capGas(call, this.#limits),
      gasLimit: defaultGas(view, this.#limits),
      limits,
      recorder,
    });
  }

  /** A call that may not start fails the whole request, with its position in front (-32015). */
  async #namingEntry<T>(index: number, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TransactionRejectedError)) throw error;
      throw new TransactionRejectedError({
        code: "TRACE_NOT_EXECUTABLE",
        what: `call ${index}: ${error.what}`,
        cause: error,
      });
    }
  }

  async #number(id: BlockId): Promise<bigint> {
    if ("number" in id) return id.number;
    const settled: BlockId = "tag" in id && id.tag === "pending" ? { tag: "latest" } : id;
    return (await this.#views.require(settled, "plain")).block.header.number;
  }

  /** One clock for everything that a request runs: its time limit is the request's. */
  #execution(signal: AbortSignal | undefined): ExecutionClock {
    return new ExecutionClock({ timeoutMs: this.#limits.traceTimeoutMs, signal });
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
