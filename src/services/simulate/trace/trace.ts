/** The trace service: traces of mined transactions, which run again for it, and of simulated calls. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import { LATEST } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainChanges, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { decodeNetworkTransaction } from "../../../chainspec/transaction/decode-transaction.ts";
import { NotFoundError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { LocalizedTrace } from "../../../tracer/formats/flat.ts";
import { CallSequence } from "../call/call-sequence.ts";
import type { Overrides } from "../call/overridden-view.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock, runBlockAgain } from "../replay/replay.ts";
import { asRead, type ListOf, SecondRun, STREAM_BOUNDS, type StreamBounds } from "../replay/second-run.ts";
import type { BlockTraces, TraceReplay } from "./block-traces.ts";
import { type CallTracing, type TracedCall, traceCalls, traceTransaction } from "./calls.ts";
import { behaviourOf, type TraceClient, traceTypesOf } from "./client.ts";
import { settleFilter, type TraceFilter } from "./filter.ts";
import {
  type ResultsOf,
  recorderForTypes,
  type StreamedTraceResults,
  type TraceType,
  traceResults,
} from "./results.ts";
import { blockNotFound, TraceSearch, traceAt } from "./search.ts";

/** Block, overrides and bounds of a traced call. */
export interface TraceCallOptions extends TraceBounds {
  /** Use the state after this block, and its header; default latest. */
  readonly block?: BlockId | undefined;
  readonly overrides?: Overrides | undefined;
  /** Shows calls of precompiles, which are hidden by default. */
  readonly includePrecompiles?: boolean | undefined;
}

/** Sources of blocks, states and cached traces, and the limits of a run. */
export interface TraceServiceParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates & ChainChanges;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
  /** The client whose format and behaviour is followed. */
  readonly client: TraceClient;
  /** Cached traces of mined blocks. */
  readonly blockTraces: BlockTraces;
}

/** Serves `trace_*` and `node.trace`. An unknown block is undefined or an error, as in the client that is followed. */
export class TraceService {
  readonly #parts: TraceServiceParts;
  readonly #chain: ChainBlocks & ChainRules & ChainStates & ChainChanges;
  readonly #views: BlockViews;
  readonly #traces: BlockTraces;
  readonly #search: TraceSearch;

  /** @internal */
  constructor(parts: TraceServiceParts) {
    this.#parts = parts;
    this.#chain = parts.chain;
    this.#views = parts.views;
    this.#traces = parts.blockTraces;
    this.#search = new TraceSearch({ ...parts, maxBlocks: parts.limits.traceFilterBlocks });
  }

  /** The client whose format and behaviour the traces follow. */
  get client(): TraceClient {
    return this.#parts.client;
  }

  /**
   * Checks the names of trace types.
   *
   * @param place - of the list in the request, such as `params[1]`
   * @throws {InvalidParamsError} `UNKNOWN_TRACE_TYPE`
   */
  typesOf(names: Iterable<string>, place = "names"): ReadonlySet<TraceType> {
    return traceTypesOf(names, this.client, place);
  }

  /** Flat traces of a block, rewards included; undefined for an unknown or pending block. */
  async block<Bounds extends StreamBounds | undefined = undefined>(
    id: BlockId,
    options: TraceBounds = {},
    streamed?: Bounds,
  ): Promise<ListOf<LocalizedTrace, Bounds> | undefined> {
    if ("tag" in id && id.tag === "pending") return undefined;
    const view = await this.#views.resolve(id);
    if (view !== undefined) return asRead(await this.#traces.of(this.#replay(view.block, options)), streamed);
    if (behaviourOf(this.client).unknownBlockIsError) throw blockNotFound(id, this.#chain.head);
    return undefined;
  }

  /** Flat traces of a mined transaction; undefined for an unknown one. */
  async transaction<Bounds extends StreamBounds | undefined = undefined>(
    hash: Bytes,
    options: TraceBounds = {},
    streamed?: Bounds,
  ): Promise<ListOf<LocalizedTrace, Bounds> | undefined> {
    const location = await this.#chain.findTransaction(hash);
    if (location === undefined) return undefined;
    return asRead(await this.#traces.ofTransaction(this.#replay(location.block, options), location.index), streamed);
  }

  /**
   * One flat trace of a mined transaction; undefined for an unknown one.
   *
   * @param path - its trace address; for reth, one number: its position in the transaction's list
   */
  async get(hash: Bytes, path: readonly number[], options: TraceBounds = {}): Promise<LocalizedTrace | undefined> {
    const traces = await this.transaction(hash, options, STREAM_BOUNDS);
    return traces && traceAt(traces, path, behaviourOf(this.client).getsByPosition, this.#clock(options));
  }

  /**
   * Matching traces of a range in chain order, paged; undefined if the client answers null.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if the range runs backwards
   * @throws {InvalidParamsError} `INVALID_PARAMS` if it has more blocks than the node's limit
   */
  async filter(request: Partial<TraceFilter> = {}, options: TraceBounds = {}): Promise<LocalizedTrace[] | undefined> {
    const filter = settleFilter(request, this.client);
    const range = await this.#search.rangeOf(filter);
    const clock = this.#clock(options);
    return range === undefined ? undefined : collect(this.#search.matches(filter, range, () => clock));
  }

  /**
   * The matches of {@link filter} one by one, each as soon as its block was traced; none if the client answers null.
   * The time limit is for each block, because the consumer may pause between blocks.
   */
  async *eachMatch(request: Partial<TraceFilter> = {}, options: TraceBounds = {}): AsyncGenerator<LocalizedTrace> {
    const filter = settleFilter(request, this.client);
    const range = await this.#search.rangeOf(filter);
    if (range !== undefined) yield* this.#search.matches(filter, range, () => this.#clock(options));
  }

  /**
   * Runs a call on the state after a block and traces it.
   *
   * @param streamed - given if the result is read once, in order, while it is written. Then traces are made when they are
   * read, vmTraces of more steps than it allows are not held in memory, and the signal must abort when nobody reads the
   * result any more. The same holds for the other methods
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE` if it cannot start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async call<Bounds extends StreamBounds | undefined = undefined>(
    call: CallRequest,
    types: Iterable<TraceType>,
    options: TraceCallOptions = {},
    streamed?: Bounds,
  ): Promise<ResultsOf<Bounds>> {
    const secondRun = this.#secondRun(options, streamed);
    const [results] = await traceCalls([{ call, types }], await this.#callTracing(options, LATEST, secondRun));
    return results as ResultsOf<Bounds>;
  }

  /**
   * Runs calls in sequence on the state after a block and traces each.
   *
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE` with the index of a call that cannot start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async callMany<Bounds extends StreamBounds | undefined = undefined>(
    calls: readonly TracedCall[],
    options: TraceCallOptions = {},
    streamed?: Bounds,
  ): Promise<ResultsOf<Bounds>[]> {
    const secondRun = this.#secondRun(options, streamed);
    const { callManyBlock } = behaviourOf(this.client);
    const request = await this.#callTracing(options, callManyBlock, secondRun);
    return (await traceCalls(calls, { ...request, areNumbered: true })) as ResultsOf<Bounds>[];
  }

  /**
   * Runs a signed transaction on the state after a block, without sending it, with the checks of a block. The nonce is
   * checked only if the client is reth.
   *
   * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
   * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE`
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async rawTransaction<Bounds extends StreamBounds | undefined = undefined>(
    bytes: Bytes,
    names: Iterable<TraceType>,
    options: TraceCallOptions = {},
    streamed?: Bounds,
  ): Promise<ResultsOf<Bounds>> {
    const secondRun = this.#secondRun(options, streamed);
    const request = await this.#callTracing(options, LATEST, secondRun);
    const { spec } = this.#chain;
    const tx = decodeNetworkTransaction(bytes, spec.signatureRules(request.sequence.rules.hardfork));
    return (await traceTransaction(tx, new Set(names), spec, request)) as ResultsOf<Bounds>;
  }

  /**
   * Runs a mined transaction again.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async replayTransaction<Bounds extends StreamBounds | undefined = undefined>(
    hash: Bytes,
    types: Iterable<TraceType>,
    options: TraceBounds = {},
    streamed?: Bounds,
  ): Promise<ResultsOf<Bounds>> {
    const location = await this.#chain.findTransaction(hash);
    if (location === undefined) {
      throw new NotFoundError({
        code: "TRANSACTION_NOT_FOUND",
        what: "transaction not found",
        where: `No block has the transaction ${encodeData(hash)}.`,
        fix: "Only mined transactions can be replayed: if it waits in the pool, evm_mine puts it into a block.",
      });
    }
    const { block, index } = location;
    const [results] = await this.#replayAll({ ...this.#replay(block, options), only: index }, new Set(types), streamed);
    const { transactionHash, ...rest } = results as StreamedTraceResults;
    const shown = behaviourOf(this.client).replayNamesTransaction ? { ...rest, transactionHash } : rest;
    return shown as ResultsOf<Bounds>;
  }

  /**
   * Runs all transactions of a block again. Rewards and withdrawals are not included.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async replayBlock<Bounds extends StreamBounds | undefined = undefined>(
    id: BlockId,
    types: Iterable<TraceType>,
    options: TraceBounds = {},
    streamed?: Bounds,
  ): Promise<ResultsOf<Bounds>[]> {
    const { block, isPending } = await this.#views.require(id, "plain");
    const request = this.#replay(block, options);
    // A pending block is not on the chain, which therefore has no start state for it.
    const startStateId = isPending ? this.#chain.headStateId : undefined;
    return (await this.#replayAll({ ...request, startStateId }, new Set(types), streamed)) as ResultsOf<Bounds>[];
  }

  async #replayAll(
    replay: TraceReplay & { readonly only?: number },
    types: ReadonlySet<TraceType>,
    streamed: StreamBounds | undefined,
  ): Promise<StreamedTraceResults[]> {
    const { client } = this;
    const secondRun = this.#secondRun(replay.limits, streamed);
    const results: StreamedTraceResults[] = [];
    const recorderFor = () => recorderForTypes(types, client, secondRun);
    for await (const ran of replayBlock({ ...replay, recorderFor })) {
      const made = await traceResults({ types, ...ran, client, idxPrefix: `${ran.index}-`, secondRun });
      results.push({ transactionHash: ran.tx.hash, ...made });
    }
    secondRun?.start((next, limits) => runBlockAgain({ ...replay, limits, recorderFor: next }));
    return results;
  }

  #replay(block: Block, options: TraceBounds): TraceReplay {
    return { chain: this.#chain, block, limits: this.#clock(options), client: this.client };
  }

  async #callTracing(
    options: TraceCallOptions,
    fallback: BlockId,
    secondRun: SecondRun | undefined,
  ): Promise<CallTracing> {
    const { client } = this;
    const { overrides, includePrecompiles } = options;
    const { executor } = this.#chain;
    const view = await this.#views.require(options.block ?? fallback, "plain");
    const fees = behaviourOf(client).callFees;
    const limits = this.#clock(options);
    const bounds = this.#parts.limits;
    const sequence = await CallSequence.open({ executor, view, overrides, bounds, limits, fees });
    return { sequence, client, includePrecompiles, secondRun };
  }

  #secondRun(options: TraceBounds, bounds: StreamBounds | undefined): SecondRun | undefined {
    if (bounds === undefined) return undefined;
    const { timeoutMs = this.#parts.limits.traceTimeoutMs, signal } = options;
    return new SecondRun({ chain: this.#chain, bounds, timeoutMs, signal });
  }

  /** One clock for all executions of a request, with the request's time limit. */
  #clock({ timeoutMs = this.#parts.limits.traceTimeoutMs, signal }: TraceBounds): ExecutionClock {
    return this.#chain.executor.clock({ timeoutMs, signal });
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
