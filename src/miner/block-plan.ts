/** Plans the next block: its time, header settings, transactions and base fee. */
import type { Chain } from "../chain/chain.ts";
import { requiredExtraData } from "../chainspec/dao-fork.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { Block } from "../chainspec/header/block.ts";
import { nextBaseFeePerGas } from "../chainspec/header/fees.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { BLOCK_CHECKS, type ChecksWanted } from "../executor/transaction-checks.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";
import type { TxPool } from "../txpool/tx-pool.ts";
import type { BlockTemplate } from "./block-builder.ts";
import { type Clock, checkTime } from "./clock.ts";

/** Settings that a caller can change between blocks. Those for the next block only are dropped with it. */
export interface MinerSettings {
  readonly coinbase: Bytes;
  /** Gas limit of new blocks; undefined keeps the parent's. */
  readonly gasLimit: bigint | undefined;
  /** wei per gas of the next block only, instead of the rule's. */
  readonly nextBaseFeePerGas: bigint | undefined;
  /** PREVRANDAO of the next block only. */
  readonly nextPrevRandao: Bytes | undefined;
  /** `extraData` of new blocks, at most 32 bytes. */
  readonly extraData: Bytes;
  /** Smallest accepted gas price in wei per gas; only without a base fee. */
  readonly minGasPrice: bigint | undefined;
}

/** Timestamps of the blocks of a request. */
export interface BlockTimes {
  /** Timestamp of the first block in seconds, instead of the clock's. */
  readonly timestamp?: bigint;
  /** Seconds between the blocks; default: the clock's. */
  readonly interval?: bigint;
}

/** Sources of transactions, times and settings. */
export interface BlockPlanOptions {
  readonly chain: Chain;
  readonly pool: TxPool;
  readonly clock: Clock;
  readonly settings: MinerSettings;
  /** True for transactions that need no valid signature. */
  readonly isImpersonated: (tx: Transaction) => boolean;
  /** Most transactions of a block that is filled from the pool; default: limited only by gas. */
  readonly maxTransactions?: number | undefined;
}

/** Plans the next block of a miner. */
export class BlockPlan {
  readonly #chain: Chain;
  readonly #pool: TxPool;
  readonly #clock: Clock;
  readonly #isImpersonated: (tx: Transaction) => boolean;
  readonly #maxTransactions: number | undefined;
  #settings: MinerSettings;
  #settingsVersion = 0;
  readonly #checksFor = (tx: Transaction): ChecksWanted => ({
    ...BLOCK_CHECKS,
    senderIsEoa: !this.#isImpersonated(tx),
    gasCap: this.#chain.spec.capsSentGas,
  });

  constructor({ chain, pool, clock, settings, isImpersonated, maxTransactions }: BlockPlanOptions) {
    this.#maxTransactions = maxTransactions;
    this.#chain = chain;
    this.#pool = pool;
    this.#clock = clock;
    this.#settings = settings;
    this.#isImpersonated = isImpersonated;
  }

  get settings(): MinerSettings {
    return this.#settings;
  }

  /** Changes with each change of the settings. */
  get settingsVersion(): number {
    return this.#settingsVersion;
  }

  configure(changes: Partial<MinerSettings>): void {
    this.#settings = { ...this.#settings, ...changes };
    this.#settingsVersion++;
  }

  /** Timestamp by the clock for a child of a block, in seconds. */
  clockAfter(parent: Block): bigint {
    return this.#clock.timestampAfter(parent.header.timestamp);
  }

  /**
   * Timestamp of the next block, in seconds.
   *
   * @throws {InvalidParamsError} for a given timestamp that is not after the parent's
   */
  timestamp(parent: Block, options: BlockTimes, isFirst: boolean): bigint {
    const { timestamp: before } = parent.header;
    if (isFirst && options.timestamp !== undefined) {
      if (options.timestamp >= before + this.#clock.step) return options.timestamp;
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Timestamp ${options.timestamp} is not after the parent's ${before}.`,
        values: { timestamp: options.timestamp, head: before },
        fix: `Give at least ${before + this.#clock.step}.`,
      });
    }
    if (!isFirst && options.interval !== undefined && options.interval > 0n) return before + options.interval;
    return this.clockAfter(parent);
  }

  /** @throws {InvalidParamsError} `INVALID_PARAMS` for a timestamp that no header has room for */
  template(parent: Block, timestamp: bigint, rules = this.#chain.rulesAfter(parent, timestamp)): BlockTemplate {
    checkTime(timestamp);
    const { coinbase, gasLimit, nextBaseFeePerGas, nextPrevRandao, extraData } = this.#settings;
    const doubles = rules.has(1559) && parent.header.baseFeePerGas === undefined;
    return {
      parent,
      timestamp,
      coinbase,
      gasLimit: gasLimit ?? (doubles ? parent.header.gasLimit * 2n : parent.header.gasLimit),
      baseFeePerGas: nextBaseFeePerGas,
      prevRandao: nextPrevRandao,
      extraData: requiredExtraData(this.#chain.spec.schedule, parent.header.number + 1n) ?? extraData,
      checksFor: this.#checksFor,
    };
  }

  /**
   * Transactions of the pool that may be valid in the block, in order.
   *
   * @param rules - of the new block
   * @param exclude - hashes as map keys
   */
  candidates(parent: Block, rules: Rules, exclude: ReadonlySet<string>): readonly Transaction[] {
    if (this.#pool.size === 0) return [];
    const baseFee = this.#nextBaseFee(parent, rules);
    const waiting = this.#pool
      .executable(baseFee ?? this.#settings.minGasPrice)
      .filter((tx) => !exclude.has(bytesKey(tx.hash)));
    return waiting.slice(0, this.#maxTransactions);
  }

  /** Base fee of a child of `parent`, in wei per gas; undefined before London. */
  nextBaseFee(parent: Block, timestamp: bigint): bigint | undefined {
    return this.#nextBaseFee(parent, this.#chain.rulesAfter(parent, timestamp));
  }

  #nextBaseFee(parent: Block, rules: Rules): bigint | undefined {
    if (!rules.has(1559)) return undefined;
    return this.#settings.nextBaseFeePerGas ?? nextBaseFeePerGas(parent.header);
  }

  /**
   * Must be called after a block with that timestamp was built: the clock continues from it, and settings for one block
   * are cleared.
   */
  used(timestamp: bigint): void {
    this.#clock.used(timestamp);
    const { nextBaseFeePerGas, nextPrevRandao } = this.#settings;
    if (nextBaseFeePerGas === undefined && nextPrevRandao === undefined) return;
    this.configure({ nextBaseFeePerGas: undefined, nextPrevRandao: undefined });
  }
}
