/**
 * The specification of a chain: its id, hardfork schedule and first block.
 *
 * It decides which rules apply to a block, by number, timestamp and total difficulty.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { ForkSchedule, Genesis, GenesisHeaderFields } from "./genesis/genesis.ts";
import { type BlobSchedule, DEFAULT_BLOB_SCHEDULES, HARDFORKS, type Hardfork } from "./hardforks/hardforks.ts";
import { type Rules, rulesOf } from "./hardforks/rules.ts";
import type { Header } from "./header/header.ts";
import { type L1BlockNumber, l1BlockNumberAt } from "./header/l1-block-number.ts";
import { ProofThread } from "./proof-thread.ts";
import { type ChosenSigners, type SignatureOverride, signersOf } from "./transaction/signature-overrides.ts";
import type { SignatureRules } from "./transaction/transaction.ts";

/** The values of a block that the fork schedule depends on. */
export interface BlockPosition {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  /** Total difficulty of the parent; zero for the genesis block. */
  readonly parentTotalDifficulty: bigint;
}

/** Rules in which a development chain may differ from mainnet. */
export interface ChainSpecOptions {
  /** See {@link ChainSpec.timestampStep}. */
  readonly allowBlocksWithSameTimestamp?: boolean | undefined;
  /** Bytes of code that a contract may have instead of EIP-170's 24,576; init code may be twice that. */
  readonly codeSizeLimit?: number | undefined;
  /** See {@link ChainSpec.capsSentGas}. */
  readonly transactionGasCap?: boolean | undefined;
  /** The hardfork of all blocks above a number, in place of the schedule: for blocks mined on a fork. */
  readonly above?: { readonly number: bigint; readonly hardfork: Hardfork } | undefined;
  /** The fork block of a chain of Arbitrum. */
  readonly l1BlockNumber?: L1BlockNumber | undefined;
}

/** A chain id, and the number of the first block that has it. */
export interface ChainIdPeriod {
  readonly from: bigint;
  readonly chainId: bigint;
}

/** Changes by development methods, each from a block on. */
export interface SpecChanges {
  /** In ascending order. The first one is the schedule's. */
  readonly chainIds: readonly ChainIdPeriod[];
  /** In the order in which they were set. */
  readonly signatures: readonly SignatureOverride[];
}

/** One for each chain. Its id can change while the chain runs (`anvil_setChainId`). */
export class ChainSpec {
  readonly genesis: Genesis;
  /** Verifies the proofs of blobs. */
  readonly proofs = new ProofThread();
  /** True if EIP-7825's cap also applies to transactions sent to the node. It always applies to imported blocks. */
  readonly capsSentGas: boolean;
  /** Seconds that a block has to be later than its parent: 1, as consensus has it, or 0 on a chain that allows that. */
  readonly timestampStep: bigint;
  readonly #options: ChainSpecOptions;
  readonly #rules = new Map<Hardfork, Rules>();
  readonly #signatureRules = new Map<bigint, Map<Hardfork, SignatureRules>>();
  readonly #signers = new Map<bigint, ChosenSigners | undefined>();
  #changes: SpecChanges;

  constructor(genesis: Genesis, options: ChainSpecOptions = {}) {
    this.genesis = genesis;
    this.capsSentGas = options.transactionGasCap === true;
    this.timestampStep = options.allowBlocksWithSameTimestamp === true ? 0n : 1n;
    this.#options = options;
    this.#changes = { chainIds: [{ from: 0n, chainId: genesis.schedule.chainId }], signatures: [] };
  }

  /** A specification that is equal to this one; later changes of either do not affect the other. */
  copy(): ChainSpec {
    const copy = new ChainSpec(this.genesis, this.#options);
    copy.#changes = this.#changes;
    return copy;
  }

  get schedule(): ForkSchedule {
    return this.genesis.schedule;
  }

  get genesisFields(): GenesisHeaderFields {
    return this.genesis.header;
  }

  /** The number of the first block: zero, unless a development chain was given another. */
  get firstNumber(): bigint {
    return this.genesis.header.number;
  }

  /** The chain id of the next block. */
  get chainId(): bigint {
    return (this.#changes.chainIds.at(-1) as ChainIdPeriod).chainId;
  }

  get changes(): SpecChanges {
    return this.#changes;
  }

  get isChanged(): boolean {
    const { chainIds, signatures } = this.#changes;
    return chainIds.length > 1 || signatures.length > 0;
  }

  /** The chain id of a block. */
  chainIdAt(number: bigint): bigint {
    const { chainIds } = this.#changes;
    if (chainIds.length === 1) return this.chainId;
    return chainIds.findLast(({ from }) => from <= number)?.chainId ?? this.schedule.chainId;
  }

  /** Signers that were chosen for signatures in a block; undefined if there are none. */
  signersAt(number: bigint): ChosenSigners | undefined {
    const { signatures } = this.#changes;
    if (signatures.length === 0) return undefined;
    const from = signatures.findLast((override) => override.from <= number)?.from;
    if (from === undefined) return undefined;
    if (!this.#signers.has(from)) this.#signers.set(from, signersOf(signatures, from));
    return this.#signers.get(from);
  }

  /** The changes, with another chain id for all blocks after the head. */
  withChainId(chainId: bigint, headNumber: bigint): SpecChanges {
    const from = headNumber + 1n;
    const before = this.#changes.chainIds.filter((period) => period.from < from);
    return { ...this.#changes, chainIds: [...before, { from, chainId }] };
  }

  /** The changes, with a signature that recovers to an address in all blocks after the head. */
  withSigner(signature: Bytes, signer: Bytes, headNumber: bigint): SpecChanges {
    const override = { from: headNumber + 1n, signature, signer };
    return { ...this.#changes, signatures: [...this.#changes.signatures, override] };
  }

  /** Replaces all changes, by those of an earlier time. */
  restore(changes: SpecChanges): void {
    this.#changes = changes;
    this.#signers.clear();
  }

  /** The specification as it was before any change. */
  get unchanged(): SpecChanges {
    return { chainIds: this.#changes.chainIds.slice(0, 1), signatures: [] };
  }

  /** The changes that remain if the head falls to a block: those that began with a removed block end. */
  changesUpTo(headNumber: bigint): SpecChanges {
    if (!this.isChanged) return this.#changes;
    const isReached = ({ from }: { readonly from: bigint }): boolean => from <= headNumber + 1n;
    const { chainIds, signatures } = this.#changes;
    return { chainIds: chainIds.filter(isReached), signatures: signatures.filter(isReached) };
  }

  /**
   * The hardfork of a block: the newest that is active by number, time or, for the Merge, total difficulty.
   *
   * Hardforks by time are not active before the Merge, if the schedule says when that is.
   */
  hardforkAt(position: BlockPosition): Hardfork {
    const { above } = this.#options;
    if (above !== undefined && position.number > above.number) return above.hardfork;
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
      const maxCodeSize = this.#options.codeSizeLimit;
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

  /** The number that NUMBER gives in a block; undefined if it is the block's. */
  l1BlockNumber(header: Pick<Header, "number" | "mixHash">): bigint | undefined {
    const { l1BlockNumber } = this.#options;
    return l1BlockNumber && l1BlockNumberAt(header, l1BlockNumber);
  }

  /**
   * The signature rules of a hardfork of this chain. Returns the same object each time.
   *
   * @param number - of the block, for the chain id; default: the next
   */
  signatureRules(hardfork: Hardfork, number?: bigint): SignatureRules {
    const chainId = number === undefined ? this.chainId : this.chainIdAt(number);
    let ofChainId = this.#signatureRules.get(chainId);
    if (ofChainId === undefined) {
      ofChainId = new Map();
      this.#signatureRules.set(chainId, ofChainId);
    }
    let signatureRules = ofChainId.get(hardfork);
    if (signatureRules === undefined) {
      const rules = this.rules(hardfork);
      signatureRules = { chainId, hasLowS: rules.has(2), namesChain: rules.has(155) };
      ofChainId.set(hardfork, signatureRules);
    }
    return signatureRules;
  }
}

function mergeBlockOf({ mergeBlock, mergeNetsplitBlock }: ForkSchedule): bigint | undefined {
  return mergeBlock ?? mergeNetsplitBlock;
}
