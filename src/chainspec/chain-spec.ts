/**
 * What distinguishes one chain from another: its id, when hardforks begin, and its first block.
 *
 * The one place that answers "which rules hold for this block", by number, timestamp and total difficulty.
 */
import { Common, type ParamsDict } from "@ethereumjs/common";
import { paramsTx } from "@ethereumjs/tx";
import { encodeData } from "../primitives/bytes/hex.ts";
import { recoverPublicKeyByV } from "../primitives/curves/secp256k1.ts";
import { keccak256, sha256 } from "../primitives/hash/hash.ts";
import { LazyKzg } from "./blobs/kzg.ts";
import { ProofThread } from "./blobs/proof-thread.ts";
import type { ForkSchedule, Genesis, GenesisHeaderFields } from "./genesis/genesis.ts";
import {
  type BlobSchedule,
  DEFAULT_BLOB_SCHEDULES,
  HARDFORKS,
  type Hardfork,
  isAtLeast,
  isBlobParameterOnly,
  type Rules,
  rulesOf,
} from "./hardforks/hardforks.ts";
import { BLOB_GAS_PER_BLOB } from "./header/fees.ts";

/** Where a block stands, as far as the fork schedule asks. */
export interface BlockPosition {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  /** Total difficulty of the parent, the genesis' own parent having none. */
  readonly parentTotalDifficulty: bigint;
}

export interface ChainSpecOptions {
  /** Bytes of code that a contract may have instead of EIP-170's 24,576; init code may be twice that. */
  readonly codeSizeLimit?: number | undefined;
  /** The hardfork of all blocks above a number, whatever the schedule says: of what is mined on a fork. */
  readonly above?: { readonly number: bigint; readonly hardfork: Hardfork } | undefined;
}

export class ChainSpec {
  readonly genesis: Genesis;
  /** Verifies the proofs of blobs. */
  readonly proofs = new ProofThread();
  readonly #codeSizeLimit: number | undefined;
  readonly #above: ChainSpecOptions["above"];
  readonly #commons = new Map<Hardfork, Common>();
  readonly #rules = new Map<Hardfork, Rules>();
  /** Shared by all Common instances of this chain, so that a library loaded once is there for all. */
  readonly #customCrypto = { kzg: new LazyKzg(), ecrecover: recoverPublicKeyByV, keccak256, sha256 };

  constructor(genesis: Genesis, { codeSizeLimit, above }: ChainSpecOptions = {}) {
    this.genesis = genesis;
    this.#codeSizeLimit = codeSizeLimit;
    this.#above = above;
  }

  get schedule(): ForkSchedule {
    return this.genesis.schedule;
  }

  get genesisFields(): GenesisHeaderFields {
    return this.genesis.header;
  }

  get chainId(): bigint {
    return this.schedule.chainId;
  }

  /**
   * The hardfork of a block: the newest that has begun by number, time or, for the Merge, total difficulty.
   *
   * Time-based hardforks wait for the Merge where the schedule says when that is.
   */
  hardforkAt(position: BlockPosition): Hardfork {
    if (this.#above !== undefined && position.number > this.#above.number) return this.#above.hardfork;
    const { blocks, times } = this.schedule;
    const merged = this.#isMergedAt(position);
    const mergeIsScheduled =
      this.schedule.terminalTotalDifficulty !== undefined || this.schedule.mergeNetsplitBlock !== undefined;
    for (let rank = HARDFORKS.length - 1; rank > 0; rank--) {
      const hardfork = HARDFORKS[rank] as Hardfork;
      if (hardfork === "paris") {
        if (merged) return hardfork;
        continue;
      }
      const time = times[hardfork];
      if (time !== undefined && position.timestamp >= time && (merged || !mergeIsScheduled)) return hardfork;
      const block = blocks[hardfork];
      if (block !== undefined && position.number >= block) return hardfork;
    }
    return "chainstart";
  }

  #isMergedAt(position: BlockPosition): boolean {
    const { terminalTotalDifficulty: ttd, mergeNetsplitBlock } = this.schedule;
    if (mergeNetsplitBlock !== undefined && position.number >= mergeNetsplitBlock) return true;
    return ttd !== undefined && position.parentTotalDifficulty >= ttd;
  }

  rulesAt(position: BlockPosition): Rules {
    return this.rules(this.hardforkAt(position));
  }

  rules(hardfork: Hardfork): Rules {
    let rules = this.#rules.get(hardfork);
    if (rules === undefined) {
      rules = rulesOf(hardfork);
      const maxCodeSize = this.#codeSizeLimit;
      if (maxCodeSize !== undefined) rules = { ...rules, maxCodeSize, maxInitCodeSize: 2 * maxCodeSize };
      this.#rules.set(hardfork, rules);
    }
    return rules;
  }

  /** Blob limits at a hardfork: the chain's own, else mainnet's, of the newest hardfork up to it that sets any. */
  blobSchedule(hardfork: Hardfork): BlobSchedule {
    for (let rank = HARDFORKS.indexOf(hardfork); rank > 0; rank--) {
      const candidate = HARDFORKS[rank] as Hardfork;
      const schedule = this.schedule.blobSchedules[candidate] ?? DEFAULT_BLOB_SCHEDULES[candidate];
      if (schedule !== undefined) return schedule;
    }
    return { target: 0n, max: 0n, baseFeeUpdateFraction: 1n };
  }

  /**
   * EthereumJS' rule set for one hardfork of this chain, made once. Not to be changed by whoever receives it.
   *
   * All hardforks up to it are listed at block 0: which one holds is decided here, never by EthereumJS.
   */
  common(hardfork: Hardfork): Common {
    let common = this.#commons.get(hardfork);
    if (common === undefined) {
      common = this.#makeCommon(hardfork);
      this.#commons.set(hardfork, common);
    }
    return common;
  }

  #makeCommon(hardfork: Hardfork): Common {
    const hardforks = HARDFORKS.filter((name) => isAtLeast(hardfork, name)).map((name) => ({ name, block: 0 }));
    const { depositContract } = this.schedule;
    const common = new ChainCommon({
      chain: {
        name: "hindcast",
        // A string, since EthereumJS copies its options through JSON and the id may exceed 2^53.
        chainId: this.chainId.toString() as `${number}`,
        defaultHardfork: hardfork,
        consensus: { type: "pow", algorithm: "ethash", ethash: {} },
        genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
        hardforks,
        // EthereumJS lacks the newer ones. They change the limits of blobs alone (EIP-7892).
        customHardforks: Object.fromEntries(
          hardforks.filter(({ name }) => isBlobParameterOnly(name)).map(({ name }) => [name, { eips: [] }]),
        ),
        bootstrapNodes: [],
        ...(depositContract === undefined ? {} : { depositContractAddress: encodeData(depositContract) }),
      },
      hardfork,
      customCrypto: this.#customCrypto,
    });
    common.codeSizeLimit = this.#codeSizeLimit;
    common.blobSchedule = isAtLeast(hardfork, "cancun") ? this.blobSchedule(hardfork) : undefined;
    common.updateParams(paramsTx);
    return common;
  }
}

/**
 * Keeps the chain's own limits, which every EVM and transaction made with it would set back otherwise.
 *
 * Transactions ask for a copy each, and set parameters in it, before they read the first field: they get this one, and what
 * sets nothing builds no cache. That is half of what decoding a transaction costs, and 12 kB of memory for each (measured).
 */
class ChainCommon extends Common {
  // No initializers: the parent's constructor builds the cache before they would run.
  declare codeSizeLimit: number | undefined;
  declare blobSchedule: BlobSchedule | undefined;

  /** Itself: who receives it changes nothing. */
  override copy(): Common {
    return this;
  }

  override updateParams(params: ParamsDict): void {
    if (Object.keys(params).length > 0) super.updateParams(params);
  }

  protected override _buildParamsCache(): void {
    super._buildParamsCache();
    const cache = this._paramsCache;
    if (this.blobSchedule !== undefined) {
      const { target, max, baseFeeUpdateFraction } = this.blobSchedule;
      cache.target = Number(target);
      cache.max = Number(max);
      cache.blobGasPriceUpdateFraction = Number(baseFeeUpdateFraction);
      cache.maxBlobGasPerBlock = Number(max * BLOB_GAS_PER_BLOB);
    }
    if (this.codeSizeLimit === undefined) return;
    cache.maxCodeSize = this.codeSizeLimit;
    cache.maxInitCodeSize = 2 * this.codeSizeLimit;
  }
}
