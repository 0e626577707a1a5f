/** Fee suggestions. */
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import { blobBaseFee } from "../../chainspec/header/fees.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";

/** Suggestions that are the same for every block. */
export interface FeeSettings {
  /** Suggested tip, in wei per gas. */
  readonly priorityFeePerGas: bigint;
  /** Suggested gas price before London, in wei per gas. */
  readonly legacyGasPrice: bigint;
}

/** Anvil's suggestions: a tip of 1 gwei, a gas price of 2 gwei. */
export const DEFAULT_FEES: FeeSettings = { priorityFeePerGas: 1_000_000_000n, legacyGasPrice: 2_000_000_000n };

/** Serves `eth_gasPrice` and similar methods, in wei per gas. */
export class FeeQueries {
  readonly #chain: ChainBlocks & ChainRules;
  readonly #miner: Miner;
  readonly #clock: Clock;
  readonly #settings: FeeSettings;

  constructor(chain: ChainBlocks & ChainRules, miner: Miner, clock: Clock, settings: FeeSettings) {
    this.#chain = chain;
    this.#miner = miner;
    this.#clock = clock;
    this.#settings = settings;
  }

  /** Base fee of the next block plus the suggested tip, in wei per gas. */
  gasPrice(): bigint {
    const baseFee = this.nextBaseFee();
    if (baseFee !== undefined) return baseFee + this.#settings.priorityFeePerGas;
    return this.#miner.settings.minGasPrice ?? this.#settings.legacyGasPrice;
  }

  /** Suggested tip, in wei per gas. */
  priorityFee(): bigint {
    return this.#settings.priorityFeePerGas;
  }

  /** Base fee of the next block in wei per gas; undefined before London. */
  nextBaseFee(): bigint | undefined {
    const { head } = this.#chain;
    return this.#miner.nextBaseFee(head, this.#clock.timestampAfter(head.header.timestamp));
  }

  /** Price of blob gas in the head block, in wei per blob gas; undefined before Cancun. */
  blobBaseFee(): bigint | undefined {
    const { header } = this.#chain.head;
    if (header.excessBlobGas === undefined) return undefined;
    return blobBaseFee(header.excessBlobGas, this.#chain.spec.blobSchedule(this.#chain.rulesOf(header).hardfork));
  }
}
