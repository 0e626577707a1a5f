/**
 * Changes the chain: imports blocks, appends mined ones, moves the head, edits the state between blocks.
 *
 * In: raw blocks, mined blocks, edits. Out: the {@link Chain} to read, and a {@link HeadChange} after each write.
 * Writers wait in a queue. Each writes one atomic batch, and its changes become visible when the batch is written.
 *
 * It has over 300 lines, because every write passes through its queue and changes the same bounds.
 */

import type { ChainSpec, SpecChanges } from "../chainspec/chain-spec.ts";
import type { Block } from "../chainspec/header/block.ts";
import { stateRootIn } from "../chainspec/header/header.ts";
import { StoreError } from "../errors/hindcast-error.ts";
import type { Executor } from "../executor/executor.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { inTurns } from "../primitives/platform/turns.ts";
import type { StateDatabase } from "../state/state-database.ts";
import { ownStateId, type StateId } from "../state/state-id.ts";
import type { StateCommit } from "../state/view.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import type { ChainStore } from "../store/chain-store.ts";
import { type BadBlock, BlockValidator } from "./block-validator.ts";
import type { ArchiveCacheSizes } from "./blocks/archive-caches.ts";
import { BlockArchive } from "./blocks/block-archive.ts";
import { laterBlock } from "./blocks/later-block.ts";
import { pathBetween } from "./blocks/reorg.ts";
import { encodeSpecChanges, restoreSpecChanges, SPEC_CHANGES } from "./blocks/spec-changes.ts";
import type { RevertTarget } from "./blocks/write-ledger.ts";
import { Chain, type ChainBounds, DEFAULT_SLOTS_IN_AN_EPOCH } from "./chain.ts";
import type { ChainCopy } from "./chain-copy.ts";
import type { ExecutedBlock } from "./execute-block.ts";
import { type BlockSource, importRun } from "./files/import-run.ts";
import type { BuiltGenesis, StateSteps } from "./read/genesis-block.ts";
import type { RemoteHistory } from "./read/remote-history.ts";
import { readBlock } from "./rules/foreign-block.ts";
import { BatchWriter } from "./write/batch-writer.ts";
import type { HeadChange } from "./write/head-change.ts";
import { Pruner } from "./write/pruner.ts";
import { canonicalFrom, planReplacement } from "./write/replacement.ts";
import { StepwiseCommit } from "./write/stepwise-commit.ts";
import { WriteQueue } from "./write/write-queue.ts";

/** Options of {@link ChainWriter.setHead}. */
export interface SetHeadOptions {
  /** State of the new head; default: the block's state with the edits made on it last. */
  readonly stateId?: StateId;
  /** Changes of the chain's specification; default: those that do not begin with a removed block. */
  readonly specChanges?: SpecChanges;
  readonly forgetsTransactions?: boolean;
}

/** The base of a chain: its rules and its first block. */
export interface ChainBase {
  readonly spec: ChainSpec;
  readonly genesis: BuiltGenesis;
  /** On a fork: the chain up to the fork block, which is then {@link genesis}. */
  readonly history: RemoteHistory | undefined;
}

/** A batch that another node made, of the whole of which this chain is a copy. */
export interface FollowedBatch {
  /** Numbers of the blocks whose place in the chain it changes, ascending. */
  readonly numbers: readonly bigint[];
  /** True if it sets the head. */
  readonly movesHead: boolean;
  /** Rules of the chain from now on, if they are others. */
  readonly spec?: ChainSpec | undefined;
  /** Writes it to the store. */
  write(): Promise<void>;
}

/** Parts on which `node/backend.ts` opens a chain. The chain does not close the store. */
export interface ChainOptions {
  readonly executor: Executor;
  readonly store: ChainStore;
  readonly states: StateDatabase;
  /** Written if the store is new. The store was opened with its hash. */
  readonly genesis: BuiltGenesis;
  /** Seconds that the chain's time is ahead of the clock; stored with each new head. */
  readonly timeOffset: () => bigint;
  /** Called with errors that listeners throw. */
  readonly onError: (error: unknown) => void;
  readonly slotsInAnEpoch?: bigint;
  readonly cacheSizes?: ArchiveCacheSizes;
  /** On a fork: the chain up to the fork block, which is then {@link genesis}. */
  readonly history?: RemoteHistory | undefined;
}

/** One for each chain, which it opens. Writes run one after another. */
export class ChainWriter {
  readonly chain: Chain;
  readonly #queue = new WriteQueue();
  readonly #bounds: ChainBounds;
  readonly #pruner: Pruner;
  readonly #batches: BatchWriter;
  readonly #validator: BlockValidator;
  readonly #onError: (error: unknown) => void;
  readonly #store: ChainStore;

  /**
   * Opens the chain of a store; writes the genesis block if the store is new.
   *
   * @throws {StoreError} `STORE_CORRUPT` if the store's head is missing
   */
  static async open(options: ChainOptions): Promise<ChainWriter> {
    restoreSpecChanges(options.executor.spec, options.store);
    const archive = new BlockArchive(options.store, options.executor, options.cacheSizes);
    const { genesis } = options;
    if (archive.head() === undefined)
      await archive.writeGenesis(genesis.block, genesis.commit, genesis.totalDifficulty);
    else if (options.history !== undefined) await archive.writeState(genesis.commit);
    const head = archive.head();
    if (head === undefined) {
      throw new StoreError({
        code: "STORE_CORRUPT",
        what: "The store names a head block that it does not hold.",
        fix: "Restore the folder from a copy, or delete it and import the chain again.",
      });
    }
    // The first block is not the genesis if the chain came from a state file.
    const firstHash = archive.canonicalHash(genesis.block.header.number);
    const first = firstHash === undefined ? undefined : archive.getBlock(firstHash);
    return new ChainWriter(options, archive, first ?? genesis.block, head);
  }

  private constructor(options: ChainOptions, archive: BlockArchive, genesis: Block, head: Block) {
    const { executor, states, history, onError, slotsInAnEpoch = DEFAULT_SLOTS_IN_AN_EPOCH } = options;
    const isGiven = equalBytes(genesis.hash, options.genesis.block.hash);
    const firstStateId = isGiven ? options.genesis.commit.stateRoot : ownStateId(genesis.header.stateRoot);
    const headStateId = archive.editedStateId() ?? ownStateId(head.header.stateRoot);
    const oldestState = archive.oldestState();
    this.#bounds = { head, genesis, firstStateId, headStateId, oldestState, history };
    this.chain = new Chain({ executor, states, archive, bounds: this.#bounds, slotsInAnEpoch });
    this.#validator = new BlockValidator(this.chain);
    this.#onError = onError;
    this.#store = options.store;
    this.#pruner = new Pruner({
      archive,
      states,
      readers: this.chain.readers,
      headStateId: () => this.#bounds.headStateId,
      exclusively: (task) => this.exclusively(task),
      onError,
    });
    this.#batches = new BatchWriter({ chain: this.chain, pruner: this.#pruner, timeOffset: options.timeOffset });
  }

  /** Runs a writer after all earlier ones. Must surround everything that ends in {@link append}. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /**
   * Validates, executes and stores a block given as RLP. Before the Merge it becomes the head if its branch is the
   * heaviest. From the Merge on it always becomes the head, because there is no consensus client that chooses.
   *
   * @returns the block, whether known before or new
   * @throws {InvalidParamsError} `BLOCK_REJECTED` with number and broken rule; nothing is stored then
   */
  async importBlock(bytes: Bytes): Promise<Block> {
    const foreign = readBlock(bytes);
    const blocks = [foreign];
    await this.importBlocks({ next: () => blocks.pop() });
    return this.chain.archive.getBlock(foreign.hash) as Block;
  }

  /**
   * Imports blocks as {@link importBlock} does, until there are no more or one batch of the store is full.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED`; the blocks before the invalid one are stored
   */
  importBlocks(source: BlockSource): Promise<void> {
    const write = (executed: readonly ExecutedBlock[], newHead: Block | undefined): Promise<void> =>
      this.#write(executed, newHead, { imported: true });
    return this.exclusively(() => importRun({ chain: this.chain, validator: this.#validator, write }, source));
  }

  /** The last blocks that were refused, newest first. */
  get badBlocks(): readonly BadBlock[] {
    return this.#validator.badBlocks;
  }

  /**
   * Stores mined blocks, each the parent of the next, in one batch, and makes the last one the head.
   *
   * Must be called inside {@link exclusively}.
   */
  append(executed: readonly ExecutedBlock[]): Promise<void> {
    return this.#write(executed, executed.at(-1)?.block, { imported: false });
  }

  /** Stores a valid side block without moving the head. Must be called inside {@link exclusively}. */
  appendSideBlock(executed: ExecutedBlock): Promise<void> {
    return this.#write([executed], undefined, { imported: false });
  }

  async #write(
    executed: readonly ExecutedBlock[],
    newHead: Block | undefined,
    how: { readonly imported: boolean },
  ): Promise<void> {
    const change = await this.#batches.blocks(executed, newHead, how);
    if (newHead === undefined || change === undefined) return;
    await this.#moveHead(newHead, ownStateId(newHead.header.stateRoot), change);
  }

  async #moveHead(
    head: Block,
    stateId: StateId,
    change: HeadChange,
    specChanges = this.#changesAfter(head, change),
  ): Promise<void> {
    this.#bounds.head = head;
    this.#bounds.headStateId = stateId;
    if (specChanges !== this.chain.spec.changes) this.chain.spec.restore(specChanges);
    await this.chain.headListeners.tell(change, this.#onError);
  }

  /**
   * Makes any known block the head: an ancestor, or a block of another branch. Removed blocks stay as side blocks.
   * An ancestor keeps the edits that were made on it.
   */
  setHead(target: Block): Promise<HeadChange> {
    return this.exclusively(() => this.setHeadNow(target));
  }

  /**
   * As {@link setHead}, inside {@link exclusively}.
   *
   * @throws {NotFoundError} `STATE_NOT_AVAILABLE` for a block of a state file that lacks its state
   */
  async setHeadNow(target: Block, options: SetHeadOptions = {}): Promise<HeadChange> {
    const { forgetsTransactions = false } = options;
    this.chain.requireStateAfter(target.header.number);
    // Other requests are answered meanwhile: no other write begins.
    const path = await inTurns(pathBetween(this.#bounds.head, target, (hash) => this.chain.archive.getBlock(hash)));
    const change: HeadChange = forgetsTransactions ? { ...path, forgetsTransactions } : path;
    const stateId = options.stateId ?? this.#stateWhenHead(target, change);
    const specChanges = options.specChanges ?? this.#changesAfter(target, change);
    await this.#batches.head(target, change, { stateId, specChanges });
    await this.#moveHead(target, stateId, change, specChanges);
    return change;
  }

  #changesAfter(head: Block, { removed }: HeadChange): SpecChanges {
    const { spec } = this.chain;
    return removed.length > 0 ? spec.changesUpTo(head.header.number) : spec.changes;
  }

  #stateWhenHead(target: Block, { removed: [firstRemoved], added }: HeadChange): StateId {
    if (added.length > 0) return ownStateId(target.header.stateRoot);
    // If no block leaves or joins, the target is already the head: keep its edits.
    if (firstRemoved === undefined) return this.#bounds.headStateId;
    return this.chain.stateIdBefore(firstRemoved);
  }

  /**
   * Replaces this history by another one from the first different block on. Removed blocks are deleted as by
   * {@link pruneSince}.
   *
   * @param copy - with at least one block, except on a fork; its blocks follow each other
   * @param targets - gives what the chain can be reverted to at that time
   */
  replaceHistory(copy: ChainCopy, targets: () => Iterable<RevertTarget>): Promise<HeadChange> {
    return this.exclusively(async () => {
      const replacement = planReplacement(this.chain, copy);
      const { executed, removed, added, newHead } = replacement;
      await this.#batches.replacement(replacement, targets);
      const [first] = executed;
      // On a fork the first block belongs to the forked chain.
      if (first !== undefined && this.chain.history === undefined) {
        this.#bounds.genesis = first.block;
        this.#bounds.firstStateId = first.startStateId ?? ownStateId(first.block.header.stateRoot);
      }
      this.#bounds.oldestState = copy.oldestState;
      const change = { removed, added: added.map(({ block }) => block), forgetsTransactions: true };
      await this.#moveHead(newHead, copy.editedStateId ?? ownStateId(newHead.header.stateRoot), change);
      await this.#pruner.prune();
      return change;
    });
  }

  /**
   * Starts a new chain with another first block: of another chain, or of the same one at another block. All blocks are
   * removed, and deleted as by {@link pruneSince}.
   *
   * Must be called inside {@link exclusively}.
   */
  async startOver({ spec, genesis, history }: ChainBase): Promise<HeadChange> {
    const { block, commit } = genesis;
    const removed = canonicalFrom(this.chain, this.chain.genesis.header.number);
    await this.#batches.firstBlock(genesis, removed);
    this.chain.executor.follow(spec);
    this.chain.states.follow(history);
    Object.assign(this.#bounds, { genesis: block, firstStateId: commit.stateRoot, oldestState: 0n, history });
    const change = { removed, added: [block], forgetsTransactions: true };
    await this.#moveHead(block, commit.stateRoot, change);
    await this.#pruner.prune();
    return change;
  }

  /**
   * Applies a batch of the node that this one follows. Listeners get blocks that are read when they look at them: to
   * follow takes little more than to write.
   */
  follow({ numbers, movesHead, spec, write }: FollowedBatch): Promise<void> {
    return this.exclusively(async () => {
      const { archive, executor } = this.chain;
      const before = numbers.map((number) => archive.canonicalHash(number));
      await write();
      if (spec !== undefined) executor.follow(spec);
      if (!equalBytes(encodeSpecChanges(this.chain.spec.changes) ?? EMPTY_BYTES, this.#storedSpecChanges)) {
        restoreSpecChanges(this.chain.spec, this.#store);
      }
      const removed: Block[] = [];
      const added: Block[] = [];
      for (const [index, number] of numbers.entries()) {
        const [left, joined] = [before[index], archive.canonicalHash(number)];
        if (left !== undefined && joined !== undefined && equalBytes(left, joined)) continue;
        if (left !== undefined) removed.push(laterBlock(left, archive));
        if (joined !== undefined) added.push(laterBlock(joined, archive));
      }
      this.#readBounds(numbers);
      const { head, headStateId } = this.#bounds;
      if (movesHead) await this.#moveHead(head, headStateId, { removed, added }, this.chain.spec.changes);
    });
  }

  get #storedSpecChanges(): Bytes {
    return this.#store.getSetting(SPEC_CHANGES) ?? EMPTY_BYTES;
  }

  /**
   * Reads what the store has as the ends of the chain.
   *
   * @param numbers - of the blocks that may have changed
   */
  #readBounds(numbers: readonly bigint[]): void {
    const { archive, spec } = this.chain;
    const bounds = this.#bounds;
    const headHash = this.#store.getHead();
    if (headHash !== undefined && !equalBytes(headHash, bounds.head.hash)) bounds.head = laterBlock(headHash, archive);
    bounds.headStateId = archive.editedStateId() ?? this.#stateIdOfStored(bounds.head.hash);
    bounds.oldestState = archive.oldestState();
    if (!numbers.includes(spec.firstNumber)) return;
    const firstHash = archive.canonicalHash(spec.firstNumber);
    if (firstHash === undefined || equalBytes(firstHash, bounds.genesis.hash)) return;
    bounds.genesis = laterBlock(firstHash, archive);
    bounds.firstStateId = archive.getStartStateId(firstHash) ?? ownStateId(bounds.genesis.header.stateRoot);
  }

  /** As the state of its header, which is not decoded for that. */
  #stateIdOfStored(hash: Bytes): StateId {
    const header = this.#store.getHeader(hash);
    return ownStateId(header === undefined ? this.#bounds.head.header.stateRoot : stateRootIn(header));
  }

  /** Reads the same history below the fork from another node. */
  followHistory(history: RemoteHistory): void {
    this.#bounds.history = history;
    this.chain.states.follow(history);
  }

  /**
   * Edits the state between two blocks, as `setBalance` and the other development methods do.
   *
   * The head block stays; the next block starts from the changed state. The edit survives a restart.
   *
   * @param edit - writes parts of a large change to the store by `steps`, and goes on with the state that they return
   */
  editState(edit: (state: WorkingState, steps: StateSteps) => void | Promise<void>): Promise<void> {
    return this.exclusively(async () => {
      const { position } = this.#pruner;
      let stateId = this.#bounds.headStateId;
      const write = async (commit: StateCommit, isLast: boolean): Promise<void> => {
        await this.#batches.editedState(commit, stateId, { isLast });
        stateId = commit.stateRoot;
      };
      const state = this.chain.states.working(stateId);
      const commits = new StepwiseCommit(this.chain.states, state, (commit) => write(commit, false));
      try {
        await edit(state, commits);
        await write(await commits.finish(), true);
        this.#bounds.headStateId = stateId;
      } catch (error) {
        commits.discard();
        if (this.#pruner.position > position) await this.pruneSince(position, []);
        throw error;
      }
    });
  }

  /** Changes the chain's id, or the signers of signatures, for the blocks after the head. Survives a restart. */
  editSpec(edit: (spec: ChainSpec, headNumber: bigint) => SpecChanges): Promise<void> {
    return this.exclusively(async () => {
      const { spec, head } = this.chain;
      const changes = edit(spec, head.header.number);
      await this.#batches.specChanges(changes);
      spec.restore(changes);
    });
  }

  /** Stores the offset of the chain's time from the clock, so that a reopened chain continues from there. */
  saveTime(): Promise<void> {
    return this.exclusively(() => this.#batches.time());
  }

  /** Number of writes so far, for {@link pruneSince}. */
  get writePosition(): number {
    return this.#pruner.position;
  }

  /**
   * Deletes the writes after a position, except those that the head and the targets depend on: in memory as soon
   * as no reader is active, on disk never. Must be called inside {@link exclusively}.
   */
  pruneSince(position: number, targets: Iterable<RevertTarget>): Promise<void> {
    const { head, headStateId, genesis, firstStateId } = this.#bounds;
    const ends = [
      { blockHash: head.hash, stateRoot: headStateId },
      { blockHash: genesis.hash, stateRoot: firstStateId },
    ];
    return this.#pruner.pruneSince(position, [...targets, ...ends]);
  }

  /** As {@link pruneSince} for all writes, of a chain that is reset: it goes on with other accounts, mostly. */
  pruneAll(targets: Iterable<RevertTarget>): Promise<void> {
    this.chain.states.forgetKeys();
    return this.pruneSince(0, targets);
  }

  /** Waits for queued writers. */
  async drained(): Promise<void> {
    await this.#queue.drained();
  }
}
