/** The chain as it is read: blocks by hash and by number, the rules they follow, the states between them. */

import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { Rules } from "../../chainspec/hardforks/hardforks.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import { type HindcastError, StoreError } from "../../errors/hindcast-error.ts";
import type { BlockContext } from "../../evm/engine.ts";
import type { Executor } from "../../executor/executor.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_UNCLES_HASH } from "../../primitives/hash/hash.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import type { TrieReader } from "../../state/trie/trie-reader.ts";
import type { StateReader } from "../../state/view.ts";
import type { WorkingState } from "../../state/working/working-state.ts";
import type { BlockArchive } from "../archive/block-archive.ts";
import { stateDeleted, stateNotAvailable } from "../archive/oldest-state.ts";
import { ancestorHash, blockContextOf } from "../execute/block-context.ts";

/** RLP of a list without anything, whose hash is that of no uncles. */
const EMPTY_LIST: Bytes = Uint8Array.of(0xc0);

/** Where a transaction stands in the canonical chain. */
export interface TransactionLocation {
  readonly block: Block;
  readonly index: number;
}

/** Blocks that a mining chain holds back from `safe` and twice from `finalized` (Anvil's default). */
export const DEFAULT_SLOTS_IN_AN_EPOCH = 32n;

/** Where the chain is now; the writer moves it. */
export interface Standing {
  head: Block;
  /** The first block: the genesis, or the first of a state file. */
  genesis: Block;
  /** State at the head: the head's own, or what edits since have made of it. */
  headStateRoot: Bytes;
  /** Number of the first block whose state is here. */
  oldestState: bigint;
}

export interface ChainViewParts {
  readonly executor: Executor;
  readonly states: StateDatabase;
  readonly archive: BlockArchive;
  readonly standing: Standing;
  readonly slotsInAnEpoch: bigint;
}

export class ChainView {
  /** Runs what the chain runs. */
  readonly executor: Executor;
  readonly spec: ChainSpec;
  readonly states: StateDatabase;
  readonly archive: BlockArchive;
  protected readonly standing: Standing;
  readonly #slotsInAnEpoch: bigint;

  constructor({ executor, states, archive, standing, slotsInAnEpoch }: ChainViewParts) {
    this.executor = executor;
    this.spec = executor.spec;
    this.states = states;
    this.archive = archive;
    this.standing = standing;
    this.#slotsInAnEpoch = slotsInAnEpoch;
  }

  get genesis(): Block {
    return this.standing.genesis;
  }

  get head(): Block {
    return this.standing.head;
  }

  /** State the next block starts from, and that "latest" means. */
  get headStateRoot(): Bytes {
    return this.standing.headStateRoot;
  }

  /** Newest block that counts as safe: an imported head, else the head less one epoch. */
  get safeNumber(): bigint {
    return this.#behindHead(this.#slotsInAnEpoch);
  }

  get finalizedNumber(): bigint {
    return this.#behindHead(2n * this.#slotsInAnEpoch);
  }

  #behindHead(distance: bigint): bigint {
    const { number } = this.standing.head.header;
    const behind = number - distance;
    const imported = this.archive.importedNumber();
    const anchor = imported > number ? number : imported;
    return behind > anchor ? behind : anchor;
  }

  getBlockByHash(hash: Bytes): Block | undefined {
    return this.archive.getBlock(hash);
  }

  /** The canonical block with a number. */
  getBlockByNumber(number: bigint): Block | undefined {
    const hash = this.archive.canonicalHash(number);
    return hash === undefined ? undefined : this.archive.getBlock(hash);
  }

  isCanonical(block: Block): boolean {
    return this.archive.isCanonical(block.hash, block.header.number);
  }

  /** Receipts of a block, canonical or not, in transaction order. */
  getReceipts(block: Block): readonly Receipt[] {
    return block.transactions.length === 0 ? [] : this.archive.getReceipts(block.hash);
  }

  /** RLP of the access list of a block (EIP-7928); undefined before Amsterdam. */
  getBlockAccessList({ hash, header }: Block): Bytes | undefined {
    if (header.blockAccessListHash === undefined) return undefined;
    if (equalBytes(header.blockAccessListHash, EMPTY_UNCLES_HASH)) return EMPTY_LIST;
    return this.archive.getBlockAccessList(hash);
  }

  /** Total difficulty up to and including a block. */
  totalDifficultyOf(hash: Bytes): bigint | undefined {
    return this.archive.getTotalDifficulty(hash);
  }

  /** Where a transaction stands in the canonical chain, or undefined. */
  findTransaction(hash: Bytes): TransactionLocation | undefined {
    const location = this.archive.findTransaction(hash);
    if (location === undefined) return undefined;
    const block = this.getBlockByNumber(location.blockNumber);
    return block === undefined ? undefined : { block, index: location.index };
  }

  /** Rules of a block on the chain. */
  rulesOf(header: Header): Rules {
    const parentTotalDifficulty =
      header.number === 0n ? 0n : (this.archive.getTotalDifficulty(header.parentHash) ?? 0n);
    return this.spec.rulesAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty });
  }

  /** Rules for a block that follows `parent` at a time in seconds. */
  rulesAfter(parent: Block, timestamp: bigint): Rules {
    const parentTotalDifficulty = this.archive.getTotalDifficulty(parent.hash) ?? 0n;
    return this.spec.rulesAt({ number: parent.header.number + 1n, timestamp, parentTotalDifficulty });
  }

  contextOf(header: Header): BlockContext {
    return blockContextOf(header, this.rulesOf(header), this.spec, this.archive);
  }

  /** Hash of an ancestor by number as seen from a child of `parent`. */
  ancestorHash(parent: Block, number: bigint): Bytes | undefined {
    return ancestorHash(parent.hash, parent.header.number, number, this.archive);
  }

  /** Root of the state that a block really started from: edits since its parent included. */
  startRootOf(block: Block): Bytes {
    const recorded = this.archive.getStartRoot(block.hash);
    if (recorded !== undefined) return recorded;
    if (block.header.number === 0n) return block.header.stateRoot;
    const parent = this.archive.getHeader(block.header.parentHash);
    if (parent !== undefined) return parent.stateRoot;
    throw this.isCanonical(block) ? missingParent(block) : stateDeleted(block.header.number);
  }

  /** Number of the first block whose state is here. */
  get oldestState(): bigint {
    return this.standing.oldestState;
  }

  /**
   * Root of the state that stands after a block: what its canonical child started from, or at the head the edited state,
   * so that a block's state does not change its answer when the next block is mined.
   */
  stateRootAfter(block: Block): Bytes {
    if (equalBytes(block.hash, this.standing.head.hash)) return this.standing.headStateRoot;
    if (this.isCanonical(block)) {
      const childHash = this.archive.canonicalHash(block.header.number + 1n);
      const edited = childHash === undefined ? undefined : this.archive.getStartRoot(childHash);
      if (edited !== undefined) return edited;
    }
    return block.header.stateRoot;
  }

  /**
   * Reads the state after a block.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  stateAfter(block: Block): StateReader {
    const stateRoot = this.stateRootAfter(block);
    this.requireState(block, stateRoot);
    return this.states.reader(stateRoot);
  }

  /**
   * A writable copy of the state after a block; nothing of it is kept.
   *
   * @param stateRoot - to be given where edits made now, or any at all, shall not show
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  workingStateAfter(block: Block, stateRoot = this.stateRootAfter(block)): WorkingState {
    this.requireState(block, stateRoot);
    return this.states.working(stateRoot);
  }

  /**
   * The state after a block, to be read only; as {@link workingStateAfter}.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  readerAfter(block: Block, stateRoot: Bytes): TrieReader {
    this.requireState(block, stateRoot);
    return this.states.reader(stateRoot);
  }

  /**
   * A writable copy of the state that a block really started from; nothing of it is kept.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  workingStateBefore(block: Block): WorkingState {
    if (block.header.number > 0n) this.requireStateAfter(block.header.number - 1n);
    const stateRoot = this.startRootOf(block);
    this.#requireStored(block, stateRoot);
    return this.states.working(stateRoot);
  }

  /**
   * To be asked before the state after a block is read by its root.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  requireState(block: Block, stateRoot: Bytes): void {
    this.requireStateAfter(block.header.number);
    this.#requireStored(block, stateRoot);
  }

  /** What is missing behind a block of the chain is damage, and shows when it is read; other blocks may be left behind. */
  #requireStored(block: Block, stateRoot: Bytes): void {
    if (this.states.hasStateRoot(stateRoot) || this.isCanonical(block)) return;
    throw stateDeleted(block.header.number);
  }

  /**
   * To be asked before the chain goes back to a block, or on from the block before it.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  requireStateAfter(number: bigint): void {
    if (number < this.standing.oldestState) throw stateNotAvailable(number, this.standing.oldestState);
  }
}

function missingParent(block: Block): HindcastError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: `The parent of block ${block.header.number} is missing.`,
    where: `parentHash ${encodeData(block.header.parentHash)}.`,
    fix: "Restore the folder from a copy, or delete it and import the chain again.",
  });
}
