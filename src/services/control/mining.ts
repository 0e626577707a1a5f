/** Mining on demand, mining modes, header members of later blocks, and waiting transactions. */

import type { ChainWriter } from "../../chain/chain-writer.ts";
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import type { Rules } from "../../chainspec/hardforks/rules.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { type ErrorValues, InvalidParamsError, NotFoundError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { type Clock, checkTime, requireSeconds } from "../../miner/clock.ts";
import type { Miner, MiningInterval, MiningMode } from "../../miner/miner.ts";
import type { MiningSchedule } from "../../miner/mining-mode.ts";
import type { MineOptions } from "../../miner/mining-run.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { maxBigInt } from "../../primitives/bytes/limits.ts";
import { given } from "../../primitives/validation/given.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { requireBlockCount, requireValues } from "./check-values.ts";

/** Parts that mining needs, and the number of blocks that one request may mine. */
export interface MiningControlOptions {
  readonly chain: ChainBlocks & ChainRules;
  readonly writer: ChainWriter;
  readonly pool: TxPool;
  readonly miner: Miner;
  readonly schedule: MiningSchedule;
  readonly clock: Clock;
  readonly limits: { readonly minedBlocks: number };
  readonly habits: MiningHabits;
  /** Called with a sentence for the person who runs the node. */
  readonly onNotice: (notice: string) => void;
}

/** Seconds between blocks from which the caller probably means milliseconds, as in Hardhat. */
const LONG_INTERVAL_SECONDS = 1_000;

/** Behaviours in which development nodes differ. */
export interface MiningHabits {
  /** Place of the interval of a request for several blocks: between them, or before each. */
  readonly minedInterval: "between blocks" | "before each block";
  /** Unit of `evm_setIntervalMining`. */
  readonly intervalUnit: "seconds" | "milliseconds";
  /** A request for a block at the head's own timestamp. */
  readonly minedAtHead: "refused" | "a second later";
  /** Whether a node with automine says that it mines. */
  readonly automineIsMining: boolean;
}

/** Options of a side block. */
export interface SideBlockOptions {
  /** Hash of its parent; default the head's parent. */
  readonly parent?: Bytes;
  /** seconds */
  readonly timestamp?: bigint;
  readonly coinbase?: Bytes;
  readonly extraData?: Bytes;
}

/** The mining operations of a development node. */
export class MiningControl {
  readonly #options: MiningControlOptions;
  #hasNoticed = false;

  constructor(options: MiningControlOptions) {
    this.#options = options;
  }

  /**
   * Mines blocks; see {@link Miner.mine}. Later time continues from a given timestamp, or from the last block of those with
   * an interval.
   *
   * @throws {InvalidParamsError} for values of another type, a timestamp not after the head's, or uncles that break the
   * rules
   * @throws {UnsupportedError} `UNCLES_NOT_ALLOWED`
   * @throws {LimitError} `TOO_MANY_BLOCKS`
   */
  async mine(request: MineOptions = {}): Promise<readonly Block[]> {
    const { chain, miner, clock, writer, limits, habits } = this.#options;
    const { blocks: count = 1, interval = 0n } = request;
    requireBlockCount(count, limits.minedBlocks);
    requireValues(given({ timestamp: request.timestamp, interval: request.interval }));
    const { timestamp: head } = chain.head.header;
    const isLater = habits.minedAtHead === "a second later" && request.timestamp === head;
    const options = isLater ? { ...request, timestamp: head + chain.spec.timestampStep } : request;
    requireSeconds(options.timestamp ?? head, head);
    const waitsFirst = habits.minedInterval === "before each block" && interval > 0n && options.timestamp === undefined;
    const begin = waitsFirst ? maxBigInt(clock.now(), head) + interval : (options.timestamp ?? head);
    checkTime(begin + interval * BigInt(Math.max(count - 1, 0)));
    const blocks = await miner.mine(waitsFirst ? { ...options, timestamp: begin } : options);
    const first = blocks[0]?.header.timestamp;
    const last = blocks.at(-1)?.header.timestamp;
    if (options.timestamp !== undefined && first !== undefined) clock.setNow(first);
    if (interval > 0n && last !== undefined && clock.now() < last) clock.setNow(last);
    if (options.timestamp !== undefined || interval > 0n) await writer.saveTime();
    return blocks;
  }

  /**
   * Mines a valid side block, which a later block can include as an uncle.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   * @throws {UnsupportedError} `UNCLES_NOT_ALLOWED` after the Merge, when there are no uncles
   */
  async mineSideBlock(options: SideBlockOptions = {}): Promise<Block> {
    const { chain, miner } = this.#options;
    const { parent: parentHash = chain.head.header.parentHash, ...rest } = options;
    const parent = this.#requireBlock(parentHash);
    requireSeconds(rest.timestamp ?? 0n, parent.header.timestamp);
    const rules = chain.rulesAfter(parent, rest.timestamp ?? parent.header.timestamp + 1n);
    if (rules.has(3675)) {
      throw new UnsupportedError({
        code: "UNCLES_NOT_ALLOWED",
        what: `A side block of ${rules.hardfork} could not become an uncle: they ended with the Merge.`,
        fix: "Start the chain with a hardfork before paris, for example --hardfork london, or use reorg for a branch.",
      });
    }
    return miner.mineSideBlock(parent, given(rest));
  }

  /**
   * Mines blocks; the first includes known side blocks as uncles, given by hash.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async mineWithUncles(uncles: readonly Bytes[], options: MineOptions = {}): Promise<readonly Block[]> {
    const headers = uncles.map((hash) => this.#requireBlock(hash).header);
    return this.mine(headers.length === 0 ? options : { ...options, uncles: headers });
  }

  #requireBlock(hash: Bytes): Block {
    const block = this.#options.chain.archive.getBlock(hash);
    if (block !== undefined) return block;
    throw new NotFoundError({
      code: "BLOCK_NOT_FOUND",
      what: `block not found: ${encodeData(hash)}.`,
      fix: "Give the hash of a block of this chain.",
    });
  }

  get isAutomine(): boolean {
    return this.#options.schedule.isAutomine;
  }

  /** Switches automine on or off. Switching it off does not affect interval mining. */
  setAutomine(enabled: boolean): void {
    const { schedule } = this.#options;
    if (enabled === schedule.isAutomine) return;
    if (enabled) schedule.set("auto");
    else schedule.set(typeof schedule.mode === "object" ? { intervalMs: schedule.mode.intervalMs } : "manual");
  }

  setMode(mode: MiningMode): void {
    this.#options.schedule.set(mode);
  }

  /** Switches automine on and mines the waiting transactions. */
  async start(): Promise<void> {
    this.#options.schedule.set("auto");
    await this.#options.schedule.transactionArrived();
  }

  /** Switches automine and interval mining off. */
  stop(): void {
    this.#options.schedule.set("manual");
  }

  get isMining(): boolean {
    const { schedule, habits } = this.#options;
    return schedule.mode !== "manual" && (habits.automineIsMining || schedule.mode !== "auto");
  }

  /** Seconds between blocks, the fewest where they vary; undefined unless the node mines by interval. */
  get intervalSeconds(): number | undefined {
    const { mode } = this.#options.schedule;
    if (typeof mode !== "object") return undefined;
    return (typeof mode.intervalMs === "number" ? mode.intervalMs : mode.intervalMs[0]) / 1000;
  }

  /** Mines by interval, in the unit that the node's clients use; zero mines on request only. */
  setInterval(interval: MiningInterval): void {
    const scale = this.#options.habits.intervalUnit === "seconds" ? 1000 : 1;
    const longest = typeof interval === "number" ? interval : interval[1];
    if (scale === 1000 && longest > LONG_INTERVAL_SECONDS) this.#noteUnit(longest);
    this.setIntervalMs(typeof interval === "number" ? interval * scale : [interval[0] * scale, interval[1] * scale]);
  }

  #noteUnit(interval: number): void {
    if (this.#hasNoticed) return;
    this.#hasNoticed = true;
    this.#options.onNotice(
      `evm_setIntervalMining takes seconds: ${interval} are ${(interval / 3600).toFixed(1)} hours. ` +
        "For milliseconds there is hardhat_setIntervalMining, and the dialect hardhat",
    );
  }

  /** Mines by interval, in milliseconds; zero mines on request only. */
  setIntervalMs(intervalMs: MiningInterval): void {
    this.#options.schedule.set(intervalMs === 0 ? "manual" : { intervalMs });
  }

  setCoinbase(coinbase: Bytes): void {
    this.#options.miner.configure({ coinbase });
  }

  /**
   * Sets the gas limit of later blocks. Waiting transactions that no such block can include are dropped.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for zero
   */
  setBlockGasLimit(gasLimit: bigint): void {
    if (gasLimit === 0n) throw invalid("Block gas limit must be greater than 0.", { gasLimit });
    const { miner, pool } = this.#options;
    miner.configure({ gasLimit });
    for (const { pending, queued } of pool.content()) {
      for (const tx of [...pending, ...queued]) if (tx.gasLimit > gasLimit) pool.remove(tx.hash);
    }
  }

  /** @throws {InvalidParamsError} `INVALID_PARAMS` for more than 32 bytes */
  setExtraData(extraData: Bytes): void {
    if (extraData.length > 32) {
      throw invalid(`extraData has ${extraData.length} bytes, a header takes 32.`);
    }
    this.#options.miner.configure({ extraData });
  }

  /** @throws {InvalidParamsError} `NOT_IN_THIS_HARDFORK` before London */
  setNextBlockBaseFee(baseFeePerGas: bigint): void {
    if (!this.#nextRules().has(1559)) {
      throw inWrongHardfork("setNextBlockBaseFeePerGas is only supported when EIP-1559 is active");
    }
    this.#options.miner.configure({ nextBaseFeePerGas: baseFeePerGas });
  }

  /** @throws {InvalidParamsError} `NOT_IN_THIS_HARDFORK` from London on */
  setMinGasPrice(minGasPrice: bigint): void {
    if (this.#nextRules().has(1559)) {
      throw inWrongHardfork("setMinGasPrice is not supported when EIP-1559 is active");
    }
    this.#options.miner.configure({ minGasPrice });
  }

  /** @throws {InvalidParamsError} `NOT_IN_THIS_HARDFORK` before the Merge */
  setPrevRandao(nextPrevRandao: Bytes): void {
    if (!this.#nextRules().has(4399)) throw inWrongHardfork("setPrevRandao is only supported after the Merge");
    this.#options.miner.configure({ nextPrevRandao });
  }

  #nextRules(): Rules {
    const { chain, clock } = this.#options;
    return chain.rulesAfter(chain.head, clock.timestampAfter(chain.head.header.timestamp));
  }

  /** Drops a waiting transaction. Returns false if none has that hash. */
  dropTransaction(hash: Bytes): boolean {
    return this.#options.pool.remove(hash);
  }

  /**
   * As {@link dropTransaction}, but an error if the transaction is mined.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a mined transaction
   */
  dropUnmined(hash: Bytes): boolean {
    if (this.#options.chain.findStoredTransaction(hash) !== undefined) {
      throw invalid(`Transaction ${encodeData(hash)} cannot be dropped because it is already mined.`);
    }
    return this.dropTransaction(hash);
  }

  dropAllTransactions(): void {
    this.#options.pool.clear();
  }

  /** Drops all waiting transactions of one sender. */
  dropTransactionsOf(sender: Bytes): void {
    const { pool } = this.#options;
    const { pending, queued } = pool.contentFrom(sender);
    for (const tx of [...pending, ...queued]) pool.remove(tx.hash);
  }
}

function invalid(what: string, values: ErrorValues = {}): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_PARAMS", what, values });
}

function inWrongHardfork(what: string): InvalidParamsError {
  return new InvalidParamsError({ code: "NOT_IN_THIS_HARDFORK", what });
}
