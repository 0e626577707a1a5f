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
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import type { StateBase } from "../../state/view.ts";
import type { WorkingState } from "../../state/working/working-state.ts";
import type { BlockArchive } from "../archive/block-archive.ts";
import { stateDeleted, stateNotAvailable } from "../archive/oldest-state.ts";
import { type AncestorLookup, ancestorHash, blockContextOf, type ContextHeader } from "../execute/block-context.ts";
import type { ChainReader, TransactionLocation } from "./chain-reader.ts";
import type { RemoteHistory } from "./remote-history.ts";
import type { RemoteLog, RemoteLogQuery } from "./remote-logs.ts";

/** RLP of a list without anything, whose hash is that of no uncles. */
const EMPTY_LIST: Bytes = Uint8Array.of(0xc0);

/** Blocks from the head back to `safe` on a chain that mines; twice as many to `finalized` (Anvil's default). */
export const DEFAULT_SLOTS_IN_AN_EPOCH = 32n;

/** The ends of the chain: its head, its first block, and the first state that is still there. Writes change it. */
export interface ChainBounds {
  head: Block;
  /** The first block: the genesis, or the first of a state file. */
  genesis: Block;
  /** State that the chain begins with: the first block's, on a fork with the funded accounts. */
  firstStateRoot: Bytes;
  /** State at the head, edits after the head included. */
  headStateRoot: Bytes;
  /** Number of the first block whose state is stored. */
  oldestState: bigint;
  /** On a fork: the chain up to the block that this one goes on from. */
  history: RemoteHistory | undefined;
}

export interface ChainViewParts {
  readonly executor: Executor;
  readonly states: StateDatabase;
  readonly archive: BlockArchive;
  readonly bounds: ChainBounds;
  readonly slotsInAnEpoch: bigint;
}

export class ChainView implements ChainReader {
  /** Runs what the chain runs. */
  readonly executor: Executor;
  readonly states: StateDatabase;
  readonly archive: BlockArchive;
  protected readonly bounds: ChainBounds;
  readonly #slotsInAnEpoch: bigint;

  constructor({ executor, states, archive, bounds, slotsInAnEpoch }: ChainViewParts) {
    this.executor = executor;
    this.states = states;
    this.archive = archive;
    this.bounds = bounds;
    this.#slotsInAnEpoch = slotsInAnEpoch;
  }

  get spec(): ChainSpec {
    return this.executor.spec;
  }

  get #history(): RemoteHistory | undefined {
    return this.bounds.history;
  }

  get #ancestors(): AncestorLookup {
    const { history } = this.bounds;
    return history === undefined ? this.archive : ancestorsOf(this.archive, history);
  }

  get genesis(): Block {
    return this.bounds.genesis;
  }

  /** Root of the state that the chain begins with. */
  get firstStateRoot(): Bytes {
    return this.bounds.firstStateRoot;
  }

  get head(): Block {
    return this.bounds.head;
  }

  /** State that the next block starts from, and that "latest" reads. */
  get headStateRoot(): Bytes {
    return this.bounds.headStateRoot;
  }

  /** Newest block that counts as safe: an imported head, else the head less one epoch. */
  get safeNumber(): bigint {
    return this.#behindHead(this.#slotsInAnEpoch);
  }

  get finalizedNumber(): bigint {
    return this.#behindHead(2n * this.#slotsInAnEpoch);
  }

  #behindHead(distance: bigint): bigint {
    const { number } = this.bounds.head.header;
    const behind = number - distance;
    const imported = this.archive.importedNumber();
    const anchor = imported > number ? number : imported;
    return behind > anchor ? behind : anchor;
  }

  getBlockByHash(hash: Bytes): MaybePromise<Block | undefined> {
    const block = this.archive.getBlock(hash);
    const history = this.#history;
    return history === undefined || (block !== undefined && !history.has(block)) ? block : history.getBlockByHash(hash);
  }

  getBlockByNumber(number: bigint): MaybePromise<Block | undefined> {
    const history = this.#history;
    if (history !== undefined && number <= history.pin.header.number) return history.getBlockByNumber(number);
    return this.getStoredBlock(number);
  }

  /**
   * The canonical block with a number, if it is stored here: on a fork, the pinned block without its body is the first.
   */
  getStoredBlock(number: bigint): Block | undefined {
    const hash = this.archive.canonicalHash(number);
    return hash === undefined ? undefined : this.archive.getBlock(hash);
  }

  /** A block with its body: {@link head} and {@link genesis} lack it where they are the pinned block of a fork. */
  wholeBlock(block: Block): MaybePromise<Block> {
    if (this.#isRemote(block) !== true || block.given !== undefined) return block;
    return this.#history?.getBlockByHash(block.hash).then((whole) => whole ?? block) ?? block;
  }

  /** Block 0. */
  get earliest(): MaybePromise<Block | undefined> {
    return this.#history === undefined ? this.genesis : this.#history.getBlockByNumber(0n);
  }

  /**
   * Number of the first block that is not stored here but on another chain, with all before it; undefined without a
   * fork.
   */
  get pinnedNumber(): bigint | undefined {
    return this.#history?.pin.header.number;
  }

  /** The chain below the fork; undefined without one. */
  get history(): RemoteHistory | undefined {
    return this.bounds.history;
  }

  /** Logs at or below {@link pinnedNumber}, as the other chain's node gives them. */
  async remoteLogs(query: RemoteLogQuery): Promise<readonly RemoteLog[]> {
    return this.#history?.findLogs(query) ?? [];
  }

  isCanonical(block: Block): boolean {
    // Of other chains, side blocks are not told apart from others.
    return this.#isRemote(block) || this.archive.isCanonical(block.hash, block.header.number);
  }

  #isRemote(block: Pick<Block, "header">): boolean {
    return this.#history?.has(block) === true;
  }

  getReceipts(block: Block): MaybePromise<readonly Receipt[]> {
    if (this.#history?.has(block) === true) return this.#history.getReceipts(block);
    return this.getStoredReceipts(block);
  }

  /** {@link getReceipts} of a block that is stored here. */
  getStoredReceipts(block: Block): readonly Receipt[] {
    return block.transactions.length === 0 ? [] : this.archive.getReceipts(block.hash);
  }

  /** RLP of the access list of a block (EIP-7928); undefined before Amsterdam. */
  getBlockAccessList({ hash, header }: Block): Bytes | undefined {
    if (header.blockAccessListHash === undefined) return undefined;
    if (equalBytes(header.blockAccessListHash, EMPTY_UNCLES_HASH)) return EMPTY_LIST;
    return this.archive.getBlockAccessList(hash);
  }

  /** Total difficulty up to and including a block; of another chain's as its node gives it. */
  totalDifficultyAt(block: Block): bigint {
    if (this.#history?.has(block) === true) return this.#history.totalDifficultyOf(block);
    return this.totalDifficultyOf(block.hash) ?? 0n;
  }

  /** Total difficulty up to and including a block that is stored here. */
  totalDifficultyOf(hash: Bytes): bigint | undefined {
    return this.archive.getTotalDifficulty(hash);
  }

  findTransaction(hash: Bytes): MaybePromise<TransactionLocation | undefined> {
    return this.findStoredTransaction(hash) ?? this.#history?.findTransaction(hash);
  }

  /** {@link findTransaction} in the blocks that are stored here. */
  findStoredTransaction(hash: Bytes): TransactionLocation | undefined {
    const location = this.archive.findTransaction(hash);
    if (location === undefined) return undefined;
    const block = this.getStoredBlock(location.blockNumber);
    return block === undefined ? undefined : { block, index: location.index };
  }

  /** Rules of a block on the chain. */
  rulesOf(header: Header): Rules {
    const parentTotalDifficulty =
      header.number === 0n
        ? 0n
        : (this.archive.getTotalDifficulty(header.parentHash) ?? this.#history?.totalDifficultyBefore(header) ?? 0n);
    return this.spec.rulesAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty });
  }

  /** Rules for a block that follows `parent` at a time in seconds. */
  rulesAfter(parent: Block, timestamp: bigint): Rules {
    const parentTotalDifficulty = this.archive.getTotalDifficulty(parent.hash) ?? 0n;
    return this.spec.rulesAt({ number: parent.header.number + 1n, timestamp, parentTotalDifficulty });
  }

  contextOf(header: Header): BlockContext {
    return this.contextWith(header, this.rulesOf(header));
  }

  /** The context of a block whose rules are known. */
  contextWith(header: ContextHeader, rules: Rules): BlockContext {
    return blockContextOf(header, rules, this.spec, this.#ancestors);
  }

  /** Hash of an ancestor by number as seen from a child of `parent`. */
  ancestorHash(parent: Block, number: bigint): MaybePromise<Bytes | undefined> {
    return ancestorHash(parent.hash, parent.header.number, number, this.#ancestors);
  }

  /**
   * Root of the state that a block really started from: edits since its parent included. See {@link stateRootAfter}.
   */
  startRootOf(block: Block): Bytes {
    if (this.#isRemote(block)) return block.header.parentHash;
    const recorded = this.archive.getStartRoot(block.hash);
    if (recorded !== undefined) return recorded;
    if (block.header.number === 0n) return block.header.stateRoot;
    const parent = this.archive.getHeader(block.header.parentHash);
    if (parent !== undefined) return this.#isRemote({ header: parent }) ? block.header.parentHash : parent.stateRoot;
    throw this.isCanonical(block) ? missingParent(block) : stateDeleted(block.header.number);
  }

  /** Number of the first block whose state is stored. */
  get oldestState(): bigint {
    return this.bounds.oldestState;
  }

  /**
   * Root of the state after a block, edits before the next block included: the state that its canonical child started
   * from. So a block's state reads the same before and after the next block is mined.
   *
   * The state after a block of another chain goes by the block's hash.
   */
  stateRootAfter(block: Block): Bytes {
    if (equalBytes(block.hash, this.bounds.head.hash)) return this.bounds.headStateRoot;
    if (this.archive.isCanonical(block.hash, block.header.number)) {
      const childHash = this.archive.canonicalHash(block.header.number + 1n);
      const edited = childHash === undefined ? undefined : this.archive.getStartRoot(childHash);
      if (edited !== undefined) return edited;
    }
    return this.rootOfBlock(block);
  }

  /** True for a block of the other chain that a fork goes on from. */
  isBelowFork(block: Block): boolean {
    return this.#isRemote(block);
  }

  /** What the state that a block's execution ended with goes by: its state root, below a fork its hash. */
  rootOfBlock(block: Block): Bytes {
    return this.#isRemote(block) ? block.hash : block.header.stateRoot;
  }

  /**
   * Reads the state after a block.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  stateAfter(block: Block): StateBase {
    const stateRoot = this.stateRootAfter(block);
    this.requireState(block, stateRoot);
    return this.states.reader(stateRoot);
  }

  /**
   * A writable copy of the state after a block. Writes to it are not stored.
   *
   * @param stateRoot - default: the state after the block now; pass one to leave edits out
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  workingStateAfter(block: Block, stateRoot = this.stateRootAfter(block)): WorkingState {
    this.requireState(block, stateRoot);
    return this.states.working(stateRoot);
  }

  /**
   * The state after a block, read-only.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  readerAfter(block: Block, stateRoot: Bytes): StateBase {
    this.requireState(block, stateRoot);
    return this.states.reader(stateRoot);
  }

  /**
   * A writable copy of the state that a block started from, edits included. Writes to it are not stored.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  async workingStateBefore(block: Block): Promise<WorkingState> {
    if (block.header.number > 0n) this.requireStateAfter(block.header.number - 1n);
    const stateRoot = this.startRootOf(block);
    // The state after a block of another chain can be read once the block is known.
    if (this.#isRemote(block)) await this.#history?.getBlockByHash(stateRoot);
    this.#requireStored(block, stateRoot);
    return this.states.working(stateRoot);
  }

  /**
   * Makes sure that the state after a block is stored. Call it before the state is read by its root.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  requireState(block: Block, stateRoot: Bytes): void {
    this.requireStateAfter(block.header.number);
    this.#requireStored(block, stateRoot);
  }

  /** Checks only blocks that left the chain: a missing state of a canonical block is damage, which reading reports. */
  #requireStored(block: Block, stateRoot: Bytes): void {
    if (this.states.hasStateRoot(stateRoot) || this.isCanonical(block)) return;
    throw stateDeleted(block.header.number);
  }

  /**
   * Makes sure that a block's state is stored. Call it before the chain is reverted to that block.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  requireStateAfter(number: bigint): void {
    if (number < this.bounds.oldestState) throw stateNotAvailable(number, this.bounds.oldestState);
  }
}

/** Ancestors of blocks above a fork, and of those below. */
function ancestorsOf(archive: BlockArchive, history: RemoteHistory): AncestorLookup {
  const isRemote = (number: bigint): boolean => number <= history.pin.header.number;
  return {
    getHeader: (hash) => archive.getHeader(hash),
    canonicalHash: (number) => (isRemote(number) ? history.blockHash(number) : archive.canonicalHash(number)),
    isCanonical: (hash, number) => isRemote(number) || archive.isCanonical(hash, number),
  };
}

function missingParent(block: Block): HindcastError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: `The parent of block ${block.header.number} is missing.`,
    where: `parentHash ${encodeData(block.header.parentHash)}.`,
    fix: "Restore the folder from a copy, or delete it and import the chain again.",
  });
}
