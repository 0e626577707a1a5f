/**
 * The specification of a chain: its id, hardfork schedule and first block.
 *
 * It decides which rules apply to a block, by number, timestamp and total difficulty.
 */
import { ProofThread } from "./blobs/proof-thread.ts";
import type { ForkSchedule, Genesis, GenesisHeaderFields } from "./genesis/genesis.ts";
import {
  type BlobSchedule,
  DEFAULT_BLOB_SCHEDULES,
  HARDFORKS,
  type Hardfork,
  type Rules,
  rulesOf,
} from "./hardforks/hardforks.ts";
import type { SignatureRules } from "./transaction/transaction.ts";

/** The values of a block that the fork schedule depends on. */
export interface BlockPosition {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  /** Total difficulty of the parent; zero for the genesis block. */
  readonly parentTotalDifficulty: bigint;
}

export interface ChainSpecOptions {
  /** See {@link ChainSpec.timestampStep}. */
  readonly allowBlocksWithSameTimestamp?: boolean | undefined;
  /** Bytes of code that a contract may have instead of EIP-170's 24,576; init code may be twice that. */
  readonly codeSizeLimit?: number | undefined;
  /** See {@link ChainSpec.capsSentGas}. */
  readonly transactionGasCap?: boolean | undefined;
  /** The hardfork of all blocks above a number, in place of the schedule: for blocks mined on a fork. */
  readonly above?: { readonly number: bigint; readonly hardfork: Hardfork } | undefined;
}

export class ChainSpec {
  readonly genesis: Genesis;
  /** Verifies the proofs of blobs. */
  readonly proofs = new ProofThread();
  /** True if EIP-7825's cap also applies to transactions sent to the node. It always applies to imported blocks. */
  readonly capsSentGas: boolean;
  /** Seconds that a block has to be later than its parent: 1, as consensus has it, or 0 on a chain that allows that. */
  readonly timestampStep: bigint;
  readonly #codeSizeLimit: number | undefined;
  readonly #above: ChainSpecOptions["above"];
  readonly #rules = new Map<Hardfork, Rules>();
  readonly #signatureRules = new Map<Hardfork, SignatureRules>();

  constructor(
    genesis: Genesis,
    { codeSizeLimit, transactionGasCap, above, allowBlocksWithSameTimestamp }: ChainSpecOptions = {},
  ) {
    this.genesis = genesis;
    this.capsSentGas = transactionGasCap === true;
    this.timestampStep = allowBlocksWithSameTimestamp === true ? 0n : 1n;
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
   * The hardfork of a block: the newest that is active by number, time or, for the Merge, total difficulty.
   *
   * Hardforks by time are not active before the Merge, if the schedule says when that is.
   */
  hardforkAt(position: BlockPosition): Hardfork {
    if (this.#above !== undefined && position.number > this.#above.number) return this.#above.hardfork;
    const { blocks, times } = this.schedule;
    const merged = this.#isMergedAt(position);
    const mergeIsScheduled =
      this.schedule.terminalTotalDifficulty !== undefined || mergeBlockOf(this.schedule) !== undefined;
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
    const { terminalTotalDifficulty: ttd } = this.schedule;
    const mergeBlock = mergeBlockOf(this.schedule);
    if (mergeBlock !== undefined && position.number >= mergeBlock) return true;
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

  /** The signature rules of a hardfork of this chain. Returns the same object each time. */
  signatureRules(hardfork: Hardfork): SignatureRules {
    let signatureRules = this.#signatureRules.get(hardfork);
    if (signatureRules === undefined) {
      const { isHomestead, isSpuriousDragon } = this.rules(hardfork);
      signatureRules = { chainId: this.chainId, isHomestead, isSpuriousDragon };
      this.#signatureRules.set(hardfork, signatureRules);
    }
    return signatureRules;
  }
}

function mergeBlockOf({ mergeBlock, mergeNetsplitBlock }: ForkSchedule): bigint | undefined {
  return mergeBlock ?? mergeNetsplitBlock;
}
