/** The debug service: geth's tracers over mined transactions and over calls that nobody keeps. */
import type { BlockId } from "../../chain/block-id.ts";
import type { Chain } from "../../chain/chain.ts";
import { type Block, makeBlock, splitBlock } from "../../chainspec/block.ts";
import { transactionFromBodyItem } from "../../chainspec/transaction.ts";
import { NotFoundError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { ExecutionClock } from "../../executor/evm-clock.ts";
import { type BlockViews, describeBlockId } from "../../miner/block-views.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { Recorder } from "../../tracer/recorder.ts";
import { type GethTrace, type GethTracer, gethTrace, recordingRequestOf } from "./debug-tracers.ts";
import { type ReplayedTransaction, replayBlock } from "./replay.ts";
import type { SimulationLimits } from "./simulation.ts";

/** How to trace. */
export interface TraceOptions {
  /** Default: the struct logger. */
  readonly tracer?: GethTracer | undefined;
  /** Bounds the execution, in milliseconds; default the node's limit for traces. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The trace of one transaction of a block. */
export interface TransactionTrace {
  readonly txHash: Bytes;
  readonly trace: GethTrace;
}

const STRUCT_LOGGER: GethTracer = { name: "structLogger" };

export class DebugService {
  readonly #chain: Chain;
  readonly #views: BlockViews;
  readonly #limits: SimulationLimits;

  constructor(chain: Chain, views: BlockViews, limits: SimulationLimits) {
    this.#chain = chain;
    this.#views = views;
    this.#limits = limits;
  }

  /**
   * Trace of a mined transaction; the ones before it run unrecorded.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async traceTransaction(hash: Bytes, options: TraceOptions = {}): Promise<GethTrace> {
    const location = this.#chain.findTransaction(hash);
    if (location === undefined) {
      throw new NotFoundError({ code: "TRANSACTION_NOT_FOUND", what: "transaction not found", rpcCode: -32000 });
    }
    const traces = await this.#replay(location.block, options, location.index);
    return (traces.at(-1) as TransactionTrace).trace;
  }

  /**
   * Traces of a block's transactions in order.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `GENESIS_NOT_TRACEABLE`
   */
  async traceBlock(id: BlockId, options: TraceOptions = {}): Promise<TransactionTrace[]> {
    const view = await this.#views.resolve(id);
    if (view === undefined) throw blockNotFound(id);
    return this.#replay(view.block, options);
  }

  /**
   * Traces of a block given as RLP, on top of its parent; the chain need not have it.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED` when the bytes are no block
   * @throws {NotFoundError} `BLOCK_NOT_FOUND` when the parent is unknown
   */
  async traceRawBlock(bytes: Bytes, options: TraceOptions = {}): Promise<TransactionTrace[]> {
    const { header, body } = splitBlock(bytes);
    const common = this.#chain.spec.common(this.#chain.rulesOf(header).hardfork);
    const transactions = body.transactions.map((item) => transactionFromBodyItem(item, common));
    const block = makeBlock(header, { ...body, transactions });
    if (header.number > 0n && this.#chain.getBlockByHash(header.parentHash) === undefined) {
      throw blockNotFound({ hash: header.parentHash, requireCanonical: false });
    }
    return this.#replay(this.#chain.getBlockByHash(block.hash) ?? block, options);
  }

  /** Traces a block's transactions, or the one at `only`. */
  async #replay(block: Block, options: TraceOptions, only?: number): Promise<TransactionTrace[]> {
    if (block.header.number === 0n) {
      throw new UnsupportedError({ code: "GENESIS_NOT_TRACEABLE", what: "genesis is not traceable" });
    }
    const tracer = options.tracer ?? STRUCT_LOGGER;
    const request = recordingRequestOf(tracer);
    const traces: TransactionTrace[] = [];
    for await (const ran of replayBlock({
      chain: this.#chain,
      block,
      limits: this.#clock(options),
      recorderFor: (index) => (only === undefined || index === only ? new Recorder(request) : undefined),
      ...(only === undefined ? {} : { until: only }),
    })) {
      if (ran.recorder === undefined) continue;
      traces.push({ txHash: ran.tx.hash, trace: await this.#traceOf(tracer, block, ran, ran.recorder) });
    }
    return traces;
  }

  #traceOf(
    tracer: GethTracer,
    block: Block,
    ran: ReplayedTransaction<Recorder>,
    recording: Recorder,
  ): Promise<GethTrace> {
    const { header, hash } = block;
    return gethTrace(tracer, {
      ...ran,
      rules: this.#chain.rulesOf(header),
      block: this.#chain.contextOf(header),
      recording,
      place: { blockHash: hash, blockNumber: header.number, txHash: ran.tx.hash, txIndex: ran.index },
    });
  }

  /** One clock for everything that a request runs: its time limit is the request's. */
  #clock({ timeoutMs = this.#limits.traceTimeoutMs, signal }: TraceOptions): ExecutionClock {
    return new ExecutionClock({ timeoutMs, signal });
  }
}

/** geth's words and number. */
function blockNotFound(id: BlockId): NotFoundError {
  const name = "number" in id ? `#${id.number}` : "hash" in id ? encodeData(id.hash) : describeBlockId(id);
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what: `block ${name} not found`, rpcCode: -32000 });
}
