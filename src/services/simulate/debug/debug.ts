/** The debug service: geth's tracers over mined transactions and over simulated calls. */

import { type BlockId, LATEST } from "../../../chain/blocks/block-id.ts";
import { type Block, makeBlock, splitBlockInTurns } from "../../../chainspec/header/block.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { transactionFromBodyItem } from "../../../chainspec/transaction/decode-transaction.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import { AbortSwitch } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { mapInTurns } from "../../../primitives/platform/turns.ts";
import type { StateId } from "../../../state/state-id.ts";
import type { StructLog, StructLogOptions } from "../../../tracer/formats/struct-log.ts";
import type { RecordingRequest } from "../../../tracer/recording.ts";
import type { Scripts } from "../../../tracer/script/scripts.ts";
import { rejectedAs } from "../call/failure.ts";
import type { CallOutcome } from "../call/simulation.ts";
import { type RecordedTransaction, recordTransactions, replayBlock, runBlockAgain } from "../replay/replay.ts";
import { SecondRun, STREAM_BOUNDS, type StreamBounds } from "../replay/second-run.ts";
import {
  type CallBundle,
  type CallContext,
  type CallRunnerParts,
  openCalls,
  requireBundles,
  requireView,
  runBundles,
  traceNext,
} from "./calls.ts";
import { blockNotFound, genesisNotTraceable, requireTransaction } from "./errors.ts";
import type {
  StructLogger,
  TraceBounds,
  TraceCallsOptions,
  TraceOf,
  TraceOptions,
  TransactionTrace,
} from "./options.ts";
import { type OpenTracer, TracerSession } from "./session.ts";
import type { GethTracer } from "./tracers.ts";

/** A block to trace. */
interface TracedBlock {
  readonly block: Block;
  /** Given if the chain does not know it. */
  readonly startStateId?: StateId | undefined;
  /** Index of the only transaction to trace; default all. */
  readonly only?: number;
}

/** Collaborators that the service hands on to its parts. */
export interface DebugParts extends CallRunnerParts {
  /** Threads that run JavaScript tracers. */
  readonly scripts: Scripts;
}

const STRUCT_LOGGER: StructLogger = { name: "structLogger" };

/** Serves `debug_trace*` and `node.debug`. Unknown blocks and transactions throw {@link NotFoundError}. */
export class DebugService {
  readonly #parts: DebugParts;

  /** @internal */
  constructor(parts: DebugParts) {
    this.#parts = parts;
  }

  /**
   * Trace of a mined transaction. Those before it run without a tracer.
   *
   * @param streamed - given if the result is read once, in order, while it is written. Then calls are made
   * when they are read, struct logs of more steps than it allows are not held in memory, and the signal must abort when
   * nobody reads the result any more. The same holds for the other methods
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async traceTransaction<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(
    hash: Bytes,
    options: TraceOptions<Tracer> = {},
    streamed?: Bounds,
  ): Promise<TraceOf<Tracer, Bounds>> {
    const { block, index } = await requireTransaction(this.#parts.chain, hash);
    const traces = await this.#replay({ block, only: index }, options, streamed);
    return (traces.at(-1) as TransactionTrace<Tracer, Bounds>).trace;
  }

  /**
   * Recording of a mined transaction, for {@link renderTrace} and custom formats.
   *
   * @param request - what to record besides frames
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async recordTransaction(
    hash: Bytes,
    request: RecordingRequest = {},
    options: TraceBounds = {},
  ): Promise<RecordedTransaction> {
    const { block, index } = await requireTransaction(this.#parts.chain, hash);
    const { chain } = this.#parts;
    const limits = this.#clock(options, request.maxBytes);
    const recorded: RecordedTransaction[] = [];
    for await (const next of recordTransactions({ chain, block, only: index, request, limits })) recorded.push(next);
    return recorded[0] as RecordedTransaction;
  }

  /**
   * Struct logs of a mined transaction one by one.
   *
   * A transaction of more than some hundred thousand steps runs a second time while they are read, so that only a few
   * steps are in memory: the run waits for the reader and ends with it. The time limit applies to each run without that
   * waiting. By default there is no limit.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async *eachStructLog(hash: Bytes, options: StructLogOptions & TraceBounds = {}): AsyncGenerator<StructLog> {
    const { block, index } = await requireTransaction(this.#parts.chain, hash);
    const { timeoutMs = Number.POSITIVE_INFINITY } = options;
    const reading = new AbortSwitch(options.signal);
    const tracer: StructLogger = { name: "structLogger", options };
    const clock = this.#parts.chain.executor.clock({ signal: reading });
    try {
      const traceOptions = { tracer, timeoutMs, signal: reading };
      const [only] = await this.#replay({ block, only: index }, traceOptions, STREAM_BOUNDS);
      for await (const log of only?.trace.logs ?? []) {
        yield log;
        const turn = clock.check();
        if (turn !== undefined) await turn;
      }
    } finally {
      reading.abort(new Error("The struct logs are no longer read."));
    }
  }

  /** As {@link recordTransaction}, for each transaction of a block. */
  recordBlock(
    block: Block,
    request: RecordingRequest = {},
    options: TraceBounds = {},
  ): AsyncGenerator<RecordedTransaction> {
    const limits = this.#clock(options, request.maxBytes);
    return recordTransactions({ chain: this.#parts.chain, block, request, limits });
  }

  /**
   * Traces of a block's transactions in order.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`
   */
  async traceBlock<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(
    id: BlockId,
    options: TraceOptions<Tracer> = {},
    streamed?: Bounds,
  ): Promise<TransactionTrace<Tracer, Bounds>[]> {
    const view = await requireView(this.#parts, id);
    // A pending block is not on the chain, which therefore has no start state for it.
    const startStateId = view.isPending ? this.#parts.chain.headStateId : undefined;
    return this.#replay({ block: view.block, startStateId }, options, streamed);
  }

  /**
   * Traces of a block given as RLP, on top of its parent. The block need not be on the chain.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED` if the bytes are not a block
   * @throws {LimitError} `TOO_MANY_ITEMS`
   * @throws {NotFoundError} `BLOCK_NOT_FOUND` if the parent is unknown
   */
  async traceRawBlock<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(
    bytes: Bytes,
    options: TraceOptions<Tracer> = {},
    streamed?: Bounds,
  ): Promise<TransactionTrace<Tracer, Bounds>[]> {
    const { chain } = this.#parts;
    const { header, body } = await splitBlockInTurns(bytes);
    const signatureRules = chain.spec.signatureRules(chain.rulesOf(header).hardfork, header.number);
    const transactions = await mapInTurns(body.transactions, (item) => transactionFromBodyItem(item, signatureRules));
    const block = makeBlock(header, { ...body, transactions });
    if (header.number > chain.spec.firstNumber && (await chain.getBlockByHash(header.parentHash)) === undefined) {
      throw blockNotFound({ hash: header.parentHash, requireCanonical: false }, chain.head);
    }
    return this.#replay({ block: (await chain.getBlockByHash(block.hash)) ?? block }, options, streamed);
  }

  /**
   * Runs a call and traces it.
   *
   * @throws {TransactionRejectedError} `TRACING_FAILED` if it cannot start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async traceCall<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(
    call: CallRequest,
    options: TraceCallsOptions<Tracer> = {},
    streamed?: Bounds,
  ): Promise<TraceOf<Tracer, Bounds>> {
    const [[trace]] = (await this.traceCallMany([{ calls: [call] }], options, streamed)) as [[TraceOf<Tracer, Bounds>]];
    return trace;
  }

  /**
   * Runs calls in sequence and traces each. Each bundle is a block of its own, twelve seconds after the one before.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` without bundles
   * @throws {TransactionRejectedError} `TRACING_FAILED` if a call cannot start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async traceCallMany<Tracer extends GethTracer = StructLogger, Bounds extends StreamBounds | undefined = undefined>(
    bundles: readonly CallBundle[],
    options: TraceCallsOptions<Tracer> = {},
    streamed?: Bounds,
  ): Promise<TraceOf<Tracer, Bounds>[][]> {
    requireBundles(bundles);
    const secondRun = this.#secondRun(options, streamed);
    const session = this.#session(options, secondRun);
    const calls = await openCalls(this.#parts, await requireView(this.#parts, options.block ?? LATEST), options);
    const traces = await runBundles(calls, bundles, (call, isLast) =>
      traceNext<TraceOf<Tracer, Bounds>>(session, calls, call, isLast).catch(
        rejectedAs("TRACING_FAILED", "tracing failed: "),
      ),
    );
    secondRun?.start(async (next, limits) => {
      const again = await calls.again(limits);
      await runBundles(again, bundles, (call, isLast) => again.run(call, { recorder: next(), isLast }));
    });
    return traces;
  }

  /**
   * Runs calls in sequence. Each bundle is a block of its own.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` without bundles
   * @throws {TransactionRejectedError} if a call cannot start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async callMany(bundles: readonly CallBundle[], context: CallContext = {}): Promise<CallOutcome[][]> {
    requireBundles(bundles);
    const timeoutMs = context.timeoutMs ?? this.#parts.limits.callTimeoutMs;
    const view = await this.#parts.views.require(context.block ?? LATEST);
    const calls = await openCalls(this.#parts, view, { ...context, timeoutMs });
    return runBundles(calls, bundles, (call, isLast) => calls.run(call, { isLast }));
  }

  /** Traces a block's transactions. */
  async #replay<Tracer extends GethTracer, Bounds extends StreamBounds | undefined>(
    { block, startStateId, only }: TracedBlock,
    options: TraceOptions<Tracer>,
    streamed: Bounds,
  ): Promise<TransactionTrace<Tracer, Bounds>[]> {
    const { chain } = this.#parts;
    if (block.header.number === chain.spec.firstNumber) throw genesisNotTraceable();
    const secondRun = this.#secondRun(options, streamed);
    const session = this.#session(options, secondRun);
    const target = { chain, block, startStateId, only };
    const setup = { rules: chain.rulesOf(block.header), block: chain.contextOf(block.header) };
    const traces: TransactionTrace<Tracer, Bounds>[] = [];
    let open: OpenTracer | undefined;
    try {
      for await (const { tx, outcome } of replayBlock({
        ...target,
        limits: this.#clock(options),
        recorderFor: async ({ tx, index, firstLogIndex, state }) => {
          const place = { blockHash: block.hash, blockNumber: block.header.number, txHash: tx.hash, txIndex: index };
          open = await session.open({ ...setup, tx, state, firstLogIndex, place });
          return open.sink;
        },
      })) {
        if (open === undefined) continue;
        traces.push({ txHash: tx.hash, trace: (await open.finish(outcome)) as TraceOf<Tracer, Bounds> });
        open.close();
        open = undefined;
      }
    } finally {
      open?.close();
    }
    secondRun?.start((next, limits) => runBlockAgain({ ...target, limits, recorderFor: next }));
    return traces;
  }

  #session(options: TraceOptions, secondRun: SecondRun | undefined): TracerSession {
    const { tracer = STRUCT_LOGGER, signal } = options;
    const { scripts } = this.#parts;
    return new TracerSession({ tracer, timeoutMs: this.#timeout(options), signal, secondRun, scripts });
  }

  #secondRun(options: TraceBounds, bounds: StreamBounds | undefined): SecondRun | undefined {
    const { chain } = this.#parts;
    return bounds && new SecondRun({ chain, bounds, timeoutMs: this.#timeout(options), signal: options.signal });
  }

  #clock(options: TraceBounds, recordingMemory?: number): ExecutionClock {
    const { executor } = this.#parts.chain;
    return executor.clock({ timeoutMs: this.#timeout(options), signal: options.signal, recordingMemory });
  }

  #timeout({ timeoutMs = this.#parts.limits.traceTimeoutMs }: TraceBounds): number {
    return timeoutMs;
  }
}
