/**
 * Batches of calls of one account (EIP-5792).
 *
 * While the node mines by transaction, a batch is one block of its own, in which every call is a transaction and
 * succeeds, or there is no block. In other modes the calls are sent one after another.
 */
import type { ChainBlocks, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import { HindcastError, LimitError, NotFoundError, UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Clock } from "../../miner/clock.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { randomBytes } from "../../primitives/platform/crypto.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { rulesOfNextBlock } from "./admission.ts";
import type { SubmitService } from "./submit.ts";

/** Most calls of a batch. Each is estimated after those before it. */
const MAX_CALLS = 100;
/** Most batches whose status is known; the oldest is forgotten first. */
const MAX_BATCHES = 1_000;

/** The parameters of `wallet_sendCalls`. */
export interface CallBatch {
  /** Chosen by the caller; default: random. */
  readonly id?: string | undefined;
  /** Default: the node's. */
  readonly chainId?: bigint | undefined;
  /** True if the batch must be refused unless it can be mined as a whole or not at all. */
  readonly mustBeAtomic: boolean;
  readonly calls: readonly CallRequest[];
}

/** The answer of `wallet_getCapabilities` for one chain. */
export interface WalletCapabilities {
  readonly chainId: bigint;
  /** True if batches are mined as a whole or not at all. */
  readonly isAtomic: boolean;
}

/** A batch that was sent. */
export interface SentBatch {
  readonly id: string;
  readonly chainId: bigint;
  readonly isAtomic: boolean;
  /** Hashes of its transactions, in order. */
  readonly txHashes: readonly Bytes[];
  /** False if a call was refused, and those after it were not sent. */
  readonly isComplete: boolean;
}

/** A batch with its receipts so far. */
export interface BatchStatus<Found> extends SentBatch {
  /**
   * EIP-5792: 100 pending, 200 every call succeeded, 400 nothing is in the chain or will be, 500 every call failed,
   * 600 some of the calls took effect.
   */
  readonly status: 100 | 200 | 400 | 500 | 600;
  readonly receipts: readonly Found[];
}

/** Parts that batches are sent through; the schedule says whether a batch can be a block of its own. */
export interface CallBatchesParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly clock: Clock;
  readonly pool: TxPool;
  readonly schedule: MiningSchedule;
  readonly submit: SubmitService;
}

/** Keeps what was sent while the node runs, the latest batches only. */
export class CallBatches {
  readonly #parts: CallBatchesParts;
  /** By id, in order of sending; undefined while a batch is sent. */
  readonly #batches = new Map<string, SentBatch | undefined>();

  constructor(parts: CallBatchesParts) {
    this.#parts = parts;
  }

  capabilities(): WalletCapabilities {
    const { chain, schedule } = this.#parts;
    // Receipts before EIP-658 do not say whether a transaction failed.
    const isAtomic = schedule.isAutomine && rulesOfNextBlock(this.#parts).has(658);
    return { chainId: chain.spec.chainId, isAtomic };
  }

  /**
   * Sends a batch. Nothing of it is sent if this throws.
   *
   * @returns its id
   * @throws {UnsupportedError} `UNSUPPORTED_CHAIN_ID`, `DUPLICATE_BATCH_ID`, `ATOMICITY_NOT_SUPPORTED`
   * @throws {LimitError} `BATCH_TOO_LARGE`
   * @throws {ExecutionError} if a call fails; of a batch that is not atomic, only for the first call
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  async send({ id = encodeData(randomBytes(32)), chainId, mustBeAtomic, calls }: CallBatch): Promise<string> {
    const own = this.capabilities();
    if (chainId !== undefined && chainId !== own.chainId) throw unsupportedChain(chainId, own.chainId);
    if (mustBeAtomic && !own.isAtomic) throw notAtomic();
    if (calls.length > MAX_CALLS) {
      const data = { limit: MAX_CALLS, given: calls.length, flag: null };
      throw tooLarge(`It has ${calls.length} calls; at most ${MAX_CALLS} are allowed.`, { data });
    }
    if (this.#batches.has(id)) throw duplicate(id);
    this.#batches.set(id, undefined);
    try {
      const sent = own.isAtomic ? await this.#sendTogether(calls) : await this.#sendOneByOne(calls);
      this.#batches.set(id, { id, ...own, ...sent });
    } catch (error) {
      this.#batches.delete(id);
      throw error;
    }
    for (const oldest of this.#batches.keys()) {
      if (this.#batches.size <= MAX_BATCHES) break;
      this.#batches.delete(oldest);
    }
    return id;
  }

  async #sendTogether(calls: readonly CallRequest[]): Promise<Pick<SentBatch, "txHashes" | "isComplete">> {
    try {
      return { txHashes: await this.#parts.submit.sendTogether(calls), isComplete: true };
    } catch (error) {
      if (!(error instanceof HindcastError) || error.code !== "GAS_LIMIT_EXCEEDS_BLOCK") throw error;
      throw tooLarge("Its transactions do not fit into one block.", { cause: error });
    }
  }

  /** Stops at the first call that is refused (EIP-5792). */
  async #sendOneByOne(calls: readonly CallRequest[]): Promise<Pick<SentBatch, "txHashes" | "isComplete">> {
    const txHashes: Bytes[] = [];
    for (const call of calls) {
      try {
        txHashes.push(await this.#parts.submit.send(call));
      } catch (error) {
        if (txHashes.length === 0 || !(error instanceof HindcastError)) throw error;
        return { txHashes, isComplete: false };
      }
    }
    return { txHashes, isComplete: true };
  }

  /**
   * A batch that was sent.
   *
   * @throws {NotFoundError} `UNKNOWN_BATCH_ID`
   */
  require(id: string): SentBatch {
    const batch = this.#batches.get(id);
    if (batch !== undefined) return batch;
    throw new NotFoundError({ code: "UNKNOWN_BATCH_ID", what: "Unknown bundle id.", where: `It is ${id}.` });
  }

  /**
   * The state of a batch and its receipts.
   *
   * @param receiptOf - finds the receipt of a mined transaction
   * @throws {NotFoundError} `UNKNOWN_BATCH_ID`
   */
  async status<Found extends { readonly receipt: Receipt }>(
    id: string,
    receiptOf: (txHash: Bytes) => Promise<Found | undefined>,
  ): Promise<BatchStatus<Found>> {
    const batch = this.require(id);
    const found = await Promise.all(batch.txHashes.map(receiptOf));
    const receipts = found.filter((each) => each !== undefined);
    const isPending = batch.txHashes.some((hash) => this.#parts.pool.get(hash) !== undefined);
    return { ...batch, receipts, status: isPending ? 100 : finalStatus(batch, receipts) };
  }
}

function finalStatus(
  { txHashes, isComplete }: SentBatch,
  receipts: readonly { readonly receipt: Receipt }[],
): 200 | 400 | 500 | 600 {
  if (receipts.length === 0) return 400;
  const failures = receipts.filter(({ receipt }) => receipt.status === false).length;
  if (failures === receipts.length) return 500;
  return isComplete && failures === 0 && receipts.length === txHashes.length ? 200 : 600;
}

function unsupportedChain(wanted: bigint, own: bigint): UnsupportedError {
  return new UnsupportedError({
    code: "UNSUPPORTED_CHAIN_ID",
    what: `Unsupported chain id: ${wanted}.`,
    fix: `This node has only chain ${own}.`,
  });
}

function notAtomic(): UnsupportedError {
  return new UnsupportedError({
    code: "ATOMICITY_NOT_SUPPORTED",
    what: "Atomicity not supported: the calls would wait in the pool, and other blocks could come between them.",
    fix: "Turn automine on (evm_setAutomine), or send with atomicRequired: false.",
  });
}

function tooLarge(where: string, more: { readonly data?: object; readonly cause?: unknown }): LimitError {
  return new LimitError({ code: "BATCH_TOO_LARGE", what: "Bundle too large.", where, ...more });
}

function duplicate(id: string): UnsupportedError {
  return new UnsupportedError({ code: "DUPLICATE_BATCH_ID", what: "Duplicate bundle id.", where: `It is ${id}.` });
}
