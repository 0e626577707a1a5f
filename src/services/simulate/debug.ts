/** The debug service: geth's tracers over mined transactions and over calls that nobody keeps. */
import { type BlockId, LATEST } from "../../chain/block-id.ts";
import { type Block, makeBlock, splitBlock } from "../../chainspec/block.ts";
import { transactionFromBodyItem } from "../../chainspec/transaction.ts";
import { InvalidParamsError, NotFoundError, UnsupportedError } from "../../errors/hindcast-error.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import { ExecutionClock } from "../../executor/evm-clock.ts";
import type { TransactionOutcome } from "../../executor/run-transaction.ts";
import { type BlockView, describeBlockId } from "../../miner/block-views.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import type { CallSequence } from "./call-sequence.ts";
import {
  type CallBundle,
  type CallContext,
  type CallRunnerParts,
  openCalls,
  runBundles,
  traceable,
} from "./debug-calls.ts";
import { type OpenTracer, TracerSession } from "./debug-session.ts";
import { StateInspector } from "./debug-state.ts";
import type { GethTrace, GethTracer } from "./debug-tracers.ts";
import { replayBlock } from "./replay.ts";

/** How to trace. */
export interface TraceOptions {
  /** Default: the struct logger. */
  readonly tracer?: GethTracer | undefined;
  /** Bounds the execution, in milliseconds; default the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How to trace calls, and what they run on. */
export interface TraceCallsOptions extends TraceOptions, CallContext {}

/** The trace of one transaction of a block. */
export interface TransactionTrace {
  readonly txHash: Bytes;
  readonly trace: GethTrace;
}

/** A block to trace. */
interface TracedBlock {
  readonly block: Block;
  /** Where the chain does not know it. */
  readonly startRoot?: Bytes | undefined;
  /** Index of the only transaction that is wanted; default all. */
  readonly only?: number;
}

const STRUCT_LOGGER: GethTracer = { name: "structLogger" };

export class DebugService extends StateInspector {
  readonly #parts: CallRunnerParts;

  constructor(parts: CallRunnerParts) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Trace of a mined transaction; the ones before it run unrecorded.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async traceTransaction(hash: Bytes, options: TraceOptions = {}): Promise<GethTrace> {
    const location = this.#parts.chain.findTransaction(hash);
    if (location === undefined) {
      throw new NotFoundError({ code: "TRANSACTION_NOT_FOUND", what: "transaction not found", rpcCode: -32000 });
    }
    const traces = await this.#replay({ block: location.block, only: location.index }, options);
    return (traces.at(-1) as TransactionTrace).trace;
  }

  /**
   * Traces of a block's transactions in order.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`
   */
  async traceBlock(id: BlockId, options: TraceOptions = {}): Promise<TransactionTrace[]> {
    const view = await this.#view(id);
    // A pending block is not on the chain, which knows no start of it.
    const startRoot = view.isPending ? this.#parts.chain.headStateRoot : undefined;
    return this.#replay({ block: view.block, startRoot }, options);
  }

  /**
   * Traces of a block given as RLP, on top of its parent; the chain need not have it.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED` when the bytes are no block
   * @throws {NotFoundError} `BLOCK_NOT_FOUND` when the parent is unknown
   */
  async traceRawBlock(bytes: Bytes, options: TraceOptions = {}): Promise<TransactionTrace[]> {
    const { chain } = this.#parts;
    const { header, body } = splitBlock(bytes);
    const common = chain.spec.common(chain.rulesOf(header).hardfork);
    const transactions = body.transactions.map((item) => transactionFromBodyItem(item, common));
    const block = makeBlock(header, { ...body, transactions });
    if (header.number > 0n && chain.getBlockByHash(header.parentHash) === undefined) {
      throw blockNotFound({ hash: header.parentHash, requireCanonical: false });
    }
    return this.#replay({ block: chain.getBlockByHash(block.hash) ?? block }, options);
  }

  /**
   * Runs a call and traces it.
   *
   * @throws {TransactionRejectedError} `TRACING_FAILED` when it cannot even start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async traceCall(call: CallRequest, options: TraceCallsOptions = {}): Promise<GethTrace> {
    const [[trace]] = (await this.traceCallMany([{ calls: [call] }], options)) as [[GethTrace]];
    return trace;
  }

  /**
   * Runs calls one on top of the other and traces each; a bundle is a block of its own, twelve seconds after the last.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` without bundles
   * @throws {TransactionRejectedError} `TRACING_FAILED` when one cannot even start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async traceCallMany(bundles: readonly CallBundle[], options: TraceCallsOptions = {}): Promise<GethTrace[][]> {
    requireBundles(bundles);
    const session = this.#session(options);
    const calls = await openCalls(this.#parts, await this.#view(options.block ?? LATEST), options);
    return runBundles(calls, bundles, (call) => traceable(() => traceNext(session, calls, call)));
  }

  /**
   * Runs calls one on top of the other; a bundle is a block of its own.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` without bundles
   * @throws {TransactionRejectedError} when one cannot even start
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async callMany(bundles: readonly CallBundle[], context: CallContext = {}): Promise<TransactionOutcome[][]> {
    requireBundles(bundles);
    const timeoutMs = context.timeoutMs ?? this.#parts.limits.callTimeoutMs;
    const view = await this.#parts.views.require(context.block ?? LATEST);
    const calls = await openCalls(this.#parts, view, { ...context, timeoutMs });
    return runBundles(calls, bundles, (call) => calls.run(call));
  }

  /** Traces a block's transactions. */
  async #replay({ block, startRoot, only }: TracedBlock, options: TraceOptions): Promise<TransactionTrace[]> {
    if (block.header.number === 0n) {
      throw new UnsupportedError({ code: "GENESIS_NOT_TRACEABLE", what: "genesis is not traceable" });
    }
    const { chain } = this.#parts;
    const session = this.#session(options);
    const setup = { rules: chain.rulesOf(block.header), block: chain.contextOf(block.header) };
    const traces: TransactionTrace[] = [];
    let open: OpenTracer | undefined;
    try {
      for await (const { tx, outcome } of replayBlock({
        chain,
        block,
        startRoot,
        limits: new ExecutionClock({ timeoutMs: this.#timeout(options), signal: options.signal }),
        recorderFor: async ({ tx, index, firstLogIndex, state }) => {
          if (only !== undefined && index !== only) return undefined;
          const place = { blockHash: block.hash, blockNumber: block.header.number, txHash: tx.hash, txIndex: index };
          open = await session.open({ ...setup, tx, state, firstLogIndex, place });
          return open.sink;
        },
        ...(only === undefined ? {} : { until: only }),
      })) {
        if (open === undefined) continue;
        traces.push({ txHash: tx.hash, trace: await open.finish(outcome) });
        open.close();
        open = undefined;
      }
    } finally {
      open?.close();
    }
    return traces;
  }

  async #view(id: BlockId): Promise<BlockView> {
    const view = await this.#parts.views.resolve(id);
    if (view === undefined) throw blockNotFound(id);
    return view;
  }

  #session(options: TraceOptions): TracerSession {
    return new TracerSession(options.tracer ?? STRUCT_LOGGER, this.#parts.chain.spec, this.#timeout(options));
  }

  #timeout({ timeoutMs = this.#parts.limits.traceTimeoutMs }: TraceOptions): number {
    return timeoutMs;
  }
}

async function traceNext(session: TracerSession, calls: CallSequence, call: CallRequest): Promise<GethTrace> {
  const prepared = await calls.prepare(call);
  const { rules, state } = calls;
  const open = await session.open({ ...prepared, rules, state });
  try {
    return await open.finish(await calls.run(call, open.sink, prepared));
  } finally {
    open.close();
  }
}

function requireBundles(bundles: readonly CallBundle[]): void {
  if (bundles.length > 0) return;
  throw new InvalidParamsError({ code: "INVALID_PARAMS", what: "bundles are empty." });
}

/** geth's words and number. */
function blockNotFound(id: BlockId): NotFoundError {
  const name = "number" in id ? `#${id.number}` : "hash" in id ? encodeData(id.hash) : describeBlockId(id);
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what: `block ${name} not found`, rpcCode: -32000 });
}
