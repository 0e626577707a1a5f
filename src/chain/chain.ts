/**
 * The chain as it is read: blocks by hash and number, their rules, and the states between them.
 *
 * {@link ChainWriter} changes it. A read sees the state before or after a write, never between.
 *
 * It has over 300 lines, because all reading ports of the chain are answered by one object; its members are short.
 */

import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import type { Block } from "../chainspec/header/block.ts";
import type { Header } from "../chainspec/header/header.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import { type HindcastError, StoreError } from "../errors/hindcast-error.ts";
import type { BlockContext } from "../evm/engine.ts";
import type { Executor } from "../executor/executor.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { EMPTY_UNCLES_HASH } from "../primitives/hash/hash.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { StateDatabase } from "../state/state-database.ts";
import { ownStateId, type StateId, stateOfForkedBlock } from "../state/state-id.ts";
import type { StateBase } from "../state/view.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import { type AncestorLookup, ancestorHash, blockContextOf, type ContextHeader } from "./block-context.ts";
import type { BlockArchive } from "./blocks/block-archive.ts";
import { stateDeleted, stateNotAvailable } from "./blocks/oldest-state.ts";
import type { ChainReader, TransactionLocation } from "./read/chain-reader.ts";
import type { RemoteHistory } from "./read/remote-history.ts";
import type { RemoteLog, RemoteLogQuery } from "./read/remote-logs.ts";
import { HeadListeners } from "./write/head-change.ts";
import { Readers } from "./write/readers.ts";

/** RLP of an empty list, whose hash is `sha3Uncles` without uncles. */
const EMPTY_LIST: Bytes = Uint8Array.of(0xc0);

/** On a chain that mines: distance in blocks of `safe` from the head; `finalized` has twice that (Anvil's default). */
export const DEFAULT_SLOTS_IN_AN_EPOCH = 32n;

/** The ends of the chain: its head, its first block, and the first state that is still there. Writes change it. */
export interface ChainBounds {
  head: Block;
  /** The first block: the genesis, or the first of a state file. */
  genesis: Block;
  /** The initial state of the chain: the first block's; on a fork also with the funded accounts. */
  firstStateId: StateId;
  /** State of the head, with edits. */
  headStateId: StateId;
  /** Number of the first block whose state is stored. */
  oldestState: bigint;
  /** On a fork: the chain up to the fork block. */
  history: RemoteHistory | undefined;
}

/** Parts of a chain. */
export interface ChainParts {
  readonly executor: Executor;
  readonly states: StateDatabase;
  readonly archive: BlockArchive;
  /** Changed by the writer. */
  readonly bounds: ChainBounds;
  readonly slotsInAnEpoch: bigint;
}

/** The chain of a node, for reading. One for each node. Services name parts of it: `readable-chain.ts`. */
export class Chain implements ChainReader {
  /** Executes the chain's blocks and transactions. */
  readonly executor: Executor;
  readonly states: StateDatabase;
  readonly archive: BlockArchive;
  /** Called after each change of the canonical chain. */
  readonly headListeners = new HeadListeners();
  readonly readers = new Readers();
  readonly #bounds: ChainBounds;
  readonly #slotsInAnEpoch: bigint;

  constructor({ executor, states, archive, bounds, slotsInAnEpoch }: ChainParts) {
    this.executor = executor;
    this.states = states;
    this.archive = archive;
    this.#bounds = bounds;
    this.#slotsInAnEpoch = slotsInAnEpoch;
  }

  get spec(): ChainSpec {
    return this.executor.spec;
  }

  get #history(): RemoteHistory | undefined {
    return this.#bounds.history;
  }

  get #ancestors(): AncestorLookup {
    const { history } = this.#bounds;
    return history === undefined ? this.archive : ancestorsOf(this.archive, history);
  }

  /** The first block: the genesis, or the first of a state file. */
  get genesis(): Block {
    return this.#bounds.genesis;
  }

  /** The initial state of the chain. */
  get firstStateId(): StateId {
    return this.#bounds.firstStateId;
  }

  get head(): Block {
    return this.#bounds.head;
  }

  /** The state that "latest" reads and the next block starts from. */
  get headStateId(): StateId {
    return this.#bounds.headStateId;
  }

  /** Newest block that counts as safe: the head if it was imported, else the head minus one epoch. */
  get safeNumber(): bigint {
    return this.#behindHead(this.#slotsInAnEpoch);
  }

  get finalizedNumber(): bigint {
    return this.#behindHead(2n * this.#slotsInAnEpoch);
  }

  #behindHead(distance: bigint): bigint {
    const { number } = this.#bounds.head.header;
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
   * The canonical block with a number, if it is stored here. On a fork the first one is the pinned block, without its
   * body.
   */
  getStoredBlock(number: bigint): Block | undefined {
    const hash = this.archive.canonicalHash(number);
    return hash === undefined ? undefined : this.archive.getBlock(hash);
  }

  /** A block with its body, which {@link head} and {@link genesis} lack if they are the pinned block of a fork. */
  wholeBlock(block: Block): MaybePromise<Block> {
    if (this.#isRemote(block) !== true || block.given !== undefined) return block;
    return this.#history?.wholePin ?? block;
  }

  /** Block 0. */
  get earliest(): MaybePromise<Block | undefined> {
    return this.#history === undefined ? this.genesis : this.#history.getBlockByNumber(0n);
  }

  /** Number of the fork block; it and all earlier blocks are read from the forked chain. Undefined without a fork. */
  get pinnedNumber(): bigint | undefined {
    return this.#history?.pin.header.number;
  }

  /** The chain below the fork; undefined without one. */
  get history(): RemoteHistory | undefined {
    return this.#bounds.history;
  }

  /** Logs at or below {@link pinnedNumber}, from the upstream node. */
  async remoteLogs(query: RemoteLogQuery): Promise<readonly RemoteLog[]> {
    return this.#history?.findLogs(query) ?? [];
  }

  isCanonical(block: Block): boolean {
    // Blocks of the forked chain count as canonical, because the upstream node does not tell.
    return this.#isRemote(block) || this.archive.isCanonical(block.hash, block.header.number);
  }

  /** True for a canonical block that this node did not build, and for those below the last imported one. */
  isImported(block: Block): boolean {
    return this.isCanonical(block) && (this.#isRemote(block) || block.header.number <= this.archive.importedNumber());
  }

  #isRemote(block: Pick<Block, "header">): boolean {
    return this.#history?.has(block) === true;
  }

  getReceipts(block: Block): MaybePromise<readonly Receipt[]> {
    if (this.#history?.has(block) === true) return this.#history.getReceipts(block);
    return this.getStoredReceipts(block);
  }

  /** As {@link getReceipts}, for a block that is stored here. */
  getStoredReceipts(block: Block): readonly Receipt[] {
    return block.transactions.length === 0 ? [] : this.archive.getReceipts(block.hash);
  }

  /** RLP of the access list of a block; undefined without EIP-7928. */
  getBlockAccessList({ hash, header }: Block): Bytes | undefined {
    if (header.blockAccessListHash === undefined) return undefined;
    if (equalBytes(header.blockAccessListHash, EMPTY_UNCLES_HASH)) return EMPTY_LIST;
    return this.archive.getBlockAccessList(hash);
  }

  /** Total difficulty of the chain that ends with a block; for the forked chain as its node gives it. */
  totalDifficultyAt(block: Block): bigint {
    if (this.#history?.has(block) === true) return this.#history.totalDifficultyOf(block);
    return this.totalDifficultyOf(block.hash) ?? 0n;
  }

  /** Total difficulty of the chain that ends with a stored block. */
  totalDifficultyOf(hash: Bytes): bigint | undefined {
    return this.archive.getTotalDifficulty(hash);
  }

  findTransaction(hash: Bytes): MaybePromise<TransactionLocation | undefined> {
    return this.findStoredTransaction(hash) ?? this.#history?.findTransaction(hash);
  }

  /** As {@link findTransaction}, for blocks that are stored here. */
  findStoredTransaction(hash: Bytes): TransactionLocation | undefined {
    const location = this.archive.findTransaction(hash);
    if (location === undefined) return undefined;
    const block = this.getStoredBlock(location.blockNumber);
    return block === undefined ? undefined : { block, index: location.index };
  }

  /** Rules of a block on the chain. */
  rulesOf(header: Header): Rules {
    const parentTotalDifficulty =
      header.number === this.spec.firstNumber
        ? 0n
        : (this.archive.getTotalDifficulty(header.parentHash) ?? this.#history?.totalDifficultyBefore(header) ?? 0n);
    return this.spec.rulesAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty });
  }

  /** Rules of a block that follows `parent` at a time in seconds. */
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

  /** Hash of an ancestor by its number, for a child of `parent`. */
  ancestorHash(parent: Block, number: bigint): MaybePromise<Bytes | undefined> {
    return ancestorHash(parent.hash, parent.header.number, number, this.#ancestors);
  }

  /** The state that a block started from, including edits after its parent. */
  stateIdBefore(block: Block): StateId {
    if (this.#isRemote(block)) return stateOfForkedBlock(block.header.parentHash);
    const recorded = this.archive.getStartStateId(block.hash);
    if (recorded !== undefined) return recorded;
    if (block.header.number === this.spec.firstNumber) return ownStateId(block.header.stateRoot);
    const parent = this.archive.getHeader(block.header.parentHash);
    if (parent !== undefined) return this.stateIdOf({ hash: block.header.parentHash, header: parent });
    throw this.isCanonical(block) ? missingParent(block) : stateDeleted(block.header.number);
  }

  /** Number of the first block whose state is stored. */
  get oldestState(): bigint {
    return this.#bounds.oldestState;
  }

  /**
   * The state after a block, including edits before the next block, which is the state that its canonical child started
   * from. So a block's state is the same before and after the next block is mined.
   */
  stateIdAfter(block: Block): StateId {
    if (equalBytes(block.hash, this.#bounds.head.hash)) return this.#bounds.headStateId;
    if (this.archive.isCanonical(block.hash, block.header.number)) {
      const childHash = this.archive.canonicalHash(block.header.number + 1n);
      const edited = childHash === undefined ? undefined : this.archive.getStartStateId(childHash);
      if (edited !== undefined) return edited;
    }
    return this.stateIdOf(block);
  }

  /** True for a block of the forked chain, up to the fork block. */
  isBelowFork(block: Block): boolean {
    return this.#isRemote(block);
  }

  /** The state at the end of a block's execution. */
  stateIdOf(block: Pick<Block, "hash" | "header">): StateId {
    return this.#isRemote(block) ? stateOfForkedBlock(block.hash) : ownStateId(block.header.stateRoot);
  }

  /**
   * Reads the state after a block.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  stateAfter(block: Block): StateBase {
    return this.readerAfter(block, this.stateIdAfter(block));
  }

  /**
   * A writable copy of the state after a block. Writes to it are not stored.
   *
   * @param id - default: the present state after the block; pass one to leave out edits
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  workingStateAfter(block: Block, id = this.stateIdAfter(block)): WorkingState {
    this.requireState(block, id);
    return this.states.working(id);
  }

  /**
   * The state after a block, read-only.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  readerAfter(block: Block, id: StateId): StateBase {
    this.requireState(block, id);
    return this.states.reader(id);
  }

  /**
   * A writable copy of the state that a block started from, including edits. Writes to it are not stored.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  async workingStateBefore(block: Block): Promise<WorkingState> {
    if (block.header.number > this.spec.firstNumber) this.requireStateAfter(block.header.number - 1n);
    const id = this.stateIdBefore(block);
    // A state of the forked chain can be read only after its block was read.
    if (this.#isRemote(block)) await this.#history?.getBlockByHash(block.header.parentHash);
    this.#requireStored(block, id);
    return this.states.working(id);
  }

  /**
   * Checks that the state after a block is stored. Must be called before the state is read.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  requireState(block: Block, id: StateId): void {
    this.requireStateAfter(block.header.number);
    this.#requireStored(block, id);
  }

  /** Checks only blocks that left the chain. A missing state of a canonical block is an error that reading reports. */
  #requireStored(block: Block, id: StateId): void {
    if (this.states.hasState(id) || this.isCanonical(block)) return;
    throw stateDeleted(block.header.number);
  }

  /**
   * Checks that a block's state is stored. Must be called before the chain is reverted to that block.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE`
   */
  requireStateAfter(number: bigint): void {
    if (number < this.#bounds.oldestState) throw stateNotAvailable(number, this.#bounds.oldestState);
  }
}

/** Ancestors of blocks on the fork and on the forked chain. */
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
