/** The trace service: stored traces by re-execution, and traces of calls that nobody keeps. */
import type { BlockId } from "../../chain/block-id.ts";
import { LATEST } from "../../chain/block-id.ts";
import type { Chain } from "../../chain/chain.ts";
import type { Block } from "../../chainspec/block.ts";
import { decodeNetworkTransaction } from "../../chainspec/transaction.ts";
import { InvalidParamsError, NotFoundError, TransactionRejectedError } from "../../errors/hindcast-error.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import { ExecutionClock } from "../../executor/evm-clock.ts";
import { type BlockViews, describeBlockId } from "../../miner/block-views.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { LocalizedTrace } from "../../tracer/formats/flat.ts";
import type { BlockTraces } from "./block-traces.ts";
import type { Overrides } from "./overridden-view.ts";
import type { SimulationLimits } from "./simulation.ts";
import { CallTracer } from "./trace-calls.ts";
import { behaviourOf, type TraceClient, traceTypesOf } from "./trace-client.ts";
import { candidateBlocks, settleFilter, type TraceFilter, traceMatcher } from "./trace-filter.ts";
import { replayTraces, type TraceReplay } from "./trace-replay.ts";
import type { TraceResults, TraceType } from "./trace-results.ts";

/** Bounds of one request. */
export interface TraceRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of execution; default the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
}

/** What a traced call runs on. */
export interface TraceCallOptions extends TraceRunOptions {
  /** State after this block, and its header; default latest. */
  readonly block?: BlockId | undefined;
  readonly overrides?: Overrides | undefined;
  /** Shows calls of precompiles that are hidden otherwise. */
  readonly includePrecompiles?: boolean | undefined;
}

/** One call of trace_callMany and what to tell of it. */
export interface TracedCall {
  readonly call: CallRequest;
  readonly types: Iterable<TraceType>;
}

export interface TraceServiceParts {
  readonly chain: Chain;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
  /** Whose quirks to show. */
  readonly client: TraceClient;
  /** What is known of mined blocks. */
  readonly blockTraces: BlockTraces;
}

export class TraceService {
  readonly #parts: TraceServiceParts;
  readonly #chain: Chain;
  readonly #views: BlockViews;
  readonly #traces: BlockTraces;

  constructor(parts: TraceServiceParts) {
    this.#parts = parts;
    this.#chain = parts.chain;
    this.#views = parts.views;
    this.#traces = parts.blockTraces;
  }

  /** The client whose quirks the traces show. */
  get client(): TraceClient {
    return this.#parts.client;
  }

  /**
   * The trace types among names.
   *
   * @throws {InvalidParamsError} `UNKNOWN_TRACE_TYPE`
   */
  typesOf(names: Iterable<string>): ReadonlySet<TraceType> {
    return traceTypesOf(names, this.client);
  }

  /** Flat traces of a block, rewards included; undefined for an unknown or pending block. */
  async block(id: BlockId, options: TraceRunOptions = {}): Promise<LocalizedTrace[] | undefined> {
    if ("tag" in id && id.tag === "pending") return undefined;
    const view = await this.#views.resolve(id);
    if (view !== undefined) return this.#traces.of(this.#replay(view.block, options));
    if (behaviourOf(this.client).unknownBlockIsError) throw blockNotFound(id);
    return undefined;
  }

  /** Flat traces of a mined transaction; undefined for an unknown one. */
  async transaction(hash: Bytes, options: TraceRunOptions = {}): Promise<LocalizedTrace[] | undefined> {
    const location = this.#chain.findTransaction(hash);
    if (location === undefined) return undefined;
    return this.#traces.ofTransaction(this.#replay(location.block, options), location.index);
  }

  /**
   * One flat trace of a mined transaction; undefined where there is none.
   *
   * @param path - its trace address; for reth, one number: its position in the transaction's list
   */
  async get(hash: Bytes, path: readonly number[], options: TraceRunOptions = {}): Promise<LocalizedTrace | undefined> {
    const traces = await this.transaction(hash, options);
    if (behaviourOf(this.client).getsByPosition) return path.length === 1 ? traces?.[path[0] as number] : undefined;
    return traces?.find(
      ({ traceAddress }) =>
        traceAddress.length === path.length && traceAddress.every((number, depth) => number === path[depth]),
    );
  }

  /**
   * Traces of a range that match, in chain order, paged; undefined where the client has no answer.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` when the range runs backwards
   * @throws {InvalidParamsError} `INVALID_PARAMS` when it has more blocks than the node's limit
   */
  async filter(
    request: Partial<TraceFilter> = {},
    options: TraceRunOptions = {},
  ): Promise<LocalizedTrace[] | undefined> {
    const filter = settleFilter(request, this.client);
    const range = await this.#range(filter);
    const clock = this.#clock(options);
    return range === undefined ? undefined : collect(this.#matches(filter, range, () => clock));
  }

  /**
   * The matches of {@link filter} one by one, each when its block has been traced; none where it has no answer. The time
   * limit is for each block, as whoever iterates takes time as well.
   */
  async *eachMatch(request: Partial<TraceFilter> = {}, options: TraceRunOptions = {}): AsyncGenerator<LocalizedTrace> {
    const filter = settleFilter(request, this.client);
    const range = await this.#range(filter);
    if (range !== undefined) yield* this.#matches(filter, range, () => this.#clock(options));
  }

  async *#matches(
    filter: TraceFilter,
    range: BlockRange,
    clockOf: () => ExecutionClock,
  ): AsyncGenerator<LocalizedTrace> {
    const matches = traceMatcher(filter);
    let skip = filter.after;
    let left = filter.count ?? Number.POSITIVE_INFINITY;
    if (left === 0) return;
    for await (const number of candidateBlocks(this.#chain, filter, range.from, range.to)) {
      const block = this.#chain.getBlockByNumber(number);
      if (block === undefined) return;
      const limits = clockOf();
      await limits.check();
      for (const trace of await this.#traces.of({ chain: this.#chain, block, limits, client: this.client })) {
        if (!matches(trace)) continue;
        if (skip-- > 0) continue;
        yield trace;
        if (--left === 0) return;
      }
    }
  }

  /** The blocks to look through; undefined where the client answers null. */
  async #range(filter: TraceFilter): Promise<BlockRange | undefined> {
    const head = this.#chain.head.header.number;
    const from = await this.#number(filter.fromBlock);
    const to = await this.#number(filter.toBlock);
    // "latest" is before what is beyond the head, and yet no mistake of the caller's.
    if (from > to && !(from > head && "tag" in filter.toBlock)) throw backwards();
    const { beyondHead } = behaviourOf(this.client);
    if (to > head && beyondHead === "null") return undefined;
    if (to > head && beyondHead === "error") throw blockNotFound({ number: to });
    const { traceFilterBlocks: limit } = this.#parts.limits;
    if (limit !== undefined && to - from > BigInt(limit)) throw rangeTooLarge(limit);
    return { from, to: to < head ? to : head };
  }

  /**
   * Runs a call on the state after a block and tells of it what its types ask for.
   *
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE` when it cannot even start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async call(call: CallRequest, types: Iterable<TraceType>, options: TraceCallOptions = {}): Promise<TraceResults> {
    const calls = await this.#callTracer(options, LATEST);
    return executable(undefined, () => calls.run(call, new Set(types)));
  }

  /**
   * Runs calls one on top of the other on the state after a block, and tells of each what its types ask for.
   *
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE`, naming the entry, when one cannot even start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async callMany(calls: readonly TracedCall[], options: TraceCallOptions = {}): Promise<TraceResults[]> {
    const tracer = await this.#callTracer(options, behaviourOf(this.client).callManyBlock);
    const results: TraceResults[] = [];
    for (const [index, { call, types }] of calls.entries()) {
      results.push(await executable(index, () => tracer.run(call, new Set(types), `${index}-`)));
    }
    return results;
  }

  /**
   * Runs a signed transaction on the state after a block, without sending it.
   *
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE`
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async rawTransaction(
    bytes: Bytes,
    types: Iterable<TraceType>,
    options: TraceCallOptions = {},
  ): Promise<TraceResults> {
    const calls = await this.#callTracer(options, LATEST);
    const tx = decodeNetworkTransaction(bytes, calls.common);
    return executable(undefined, () => calls.runTransaction(tx, new Set(types)));
  }

  /**
   * Runs a mined transaction again.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async replayTransaction(
    hash: Bytes,
    types: Iterable<TraceType>,
    options: TraceRunOptions = {},
  ): Promise<TraceResults> {
    const location = this.#chain.findTransaction(hash);
    if (location === undefined) {
      throw new NotFoundError({
        code: "TRANSACTION_NOT_FOUND",
        what: "transaction not found",
        fix: "Only mined transactions can be replayed.",
      });
    }
    const { block, index } = location;
    const [results] = await collect(replayTraces(this.#replay(block, options), new Set(types), index));
    const { transactionHash, ...rest } = results as TraceResults;
    return behaviourOf(this.client).replayNamesTransaction ? { ...rest, transactionHash } : rest;
  }

  /**
   * Runs all transactions of a block again; no rewards, no withdrawals.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async replayBlock(id: BlockId, types: Iterable<TraceType>, options: TraceRunOptions = {}): Promise<TraceResults[]> {
    const { block, isPending } = await this.#views.require(id, "plain");
    const request = this.#replay(block, options);
    // A pending block is not on the chain, which knows no start of it.
    const startRoot = isPending ? this.#chain.headStateRoot : undefined;
    return collect(replayTraces({ ...request, startRoot }, new Set(types)));
  }

  #replay(block: Block, options: TraceRunOptions): TraceReplay {
    return { chain: this.#chain, block, limits: this.#clock(options), client: this.client };
  }

  async #callTracer(options: TraceCallOptions, fallback: BlockId): Promise<CallTracer> {
    const view = await this.#views.require(options.block ?? fallback, "plain");
    return CallTracer.open({
      spec: this.#chain.spec,
      view,
      overrides: options.overrides,
      bounds: this.#parts.limits,
      limits: this.#clock(options),
      client: this.client,
      includePrecompiles: options.includePrecompiles ?? false,
    });
  }

  async #number(id: BlockId): Promise<bigint> {
    if ("number" in id) return id.number;
    const settled: BlockId = "tag" in id && id.tag === "pending" ? LATEST : id;
    return (await this.#views.require(settled, "plain")).block.header.number;
  }

  /** One clock for everything that a request runs: its time limit is the request's. */
  #clock({ timeoutMs = this.#parts.limits.traceTimeoutMs, signal }: TraceRunOptions): ExecutionClock {
    return new ExecutionClock({ timeoutMs, signal });
  }
}

interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** A call that may not start fails the request (-32015), with its position in front where there are several. */
async function executable<T>(index: number | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TransactionRejectedError)) throw error;
    const what = index === undefined ? error.what : `call ${index}: ${error.what}`;
    throw new TransactionRejectedError({ code: "TRACE_NOT_EXECUTABLE", what, cause: error });
  }
}

function backwards(): InvalidParamsError {
  const what = "invalid parameters: fromBlock cannot be greater than toBlock";
  return new InvalidParamsError({ code: "INVALID_PARAMS", what });
}

/** reth's words. */
function rangeTooLarge(limit: number): InvalidParamsError {
  const what = `Block range too large; currently limited to ${limit} blocks`;
  return new InvalidParamsError({ code: "INVALID_PARAMS", what });
}

function blockNotFound(id: BlockId): NotFoundError {
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what: `block not found: ${describeBlockId(id)}` });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
