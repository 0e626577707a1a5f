/**
 * Records the writes of a chain in memory, in order, so that they can be deleted once no snapshot needs them.
 *
 * Each write is an entry: a block, or an edit between blocks, with the hashes of the data it added to the store. An
 * entry depends on earlier ones: on its parent block, and on the write of its start state. A revert marks later entries
 * for deletion, except those that an entry that stays depends on. Trie nodes, codes and preimages are stored by hash, and
 * several writes may add the same one; it is deleted with the last of them. A block or value that the store had before the
 * ledger began is never deleted, even if it is written again.
 *
 * A state file replaces the chain by blocks whose states come together: the first entry of a base has them, and the others
 * depend on it.
 */

import { ByteArena } from "../../primitives/bytes/byte-arena.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { atOnce, Breaks, inTurns } from "../../primitives/platform/turns.ts";
import { wordKey } from "../../state/map-keys.ts";
import { type StateId, storedStateId } from "../../state/state-id.ts";
import { BLOCKS_A_STEP, type Deletion, type Deletions, emptyDeletions, type NotedBlock } from "./deletion.ts";
import {
  HASH_BYTES,
  HASHES_A_STEP,
  type HashedTable,
  type JoinedHashes,
  joinTables,
  type LedgerCommit,
  TABLES,
} from "./joined-hashes.ts";

/** A block about to be written; an edit if there is no block. */
export interface LedgerWrite {
  readonly block?: LedgerBlock;
  /** The state that it changed. */
  readonly startStateId: StateId;
  readonly commit: LedgerCommit;
}

/** A block that may be deleted again. */
export interface LedgerBlock {
  readonly hash: Bytes;
  readonly header: { readonly number: bigint; readonly parentHash: Bytes };
}

/** A head and a state that the chain can be reverted to. */
export interface RevertTarget {
  readonly blockHash: Bytes;
  readonly stateRoot: StateId;
}

/** A write in the ledger. */
interface Entry {
  /** Number of entries before it. */
  readonly position: number;
  readonly parents: readonly Entry[];
  readonly block: NotedBlock | undefined;
  /** The state that it changed. If that was a derived state, the entry added its nodes. */
  readonly startStateId: StateId;
  /** The state that resulted. */
  readonly stateId: StateId;
  readonly hashes: JoinedHashes;
}

/** Writes that were marked for deletion and are found in the ledger no more. */
export interface RetiredWrites {
  readonly entries: readonly Entry[];
  /** Some of their nodes will be deleted. They may still be known as derived states. */
  readonly stateIds: readonly StateId[];
}

/** One for each chain in memory. Must be given every write, in their order. */
export class WriteLedger {
  readonly #has: (table: HashedTable | "blocks", hash: Bytes) => boolean;
  #entries: Entry[] = [];
  #marked: Entry[] = [];
  /** Blocks to delete that a reader still needed when the others were deleted. */
  #waiting: NotedBlock[] = [];
  #next = 0;
  /** Has the states of the chain that was loaded last; needed until another chain replaces it. */
  #base: Entry | undefined;
  /** By block hash: the first entry that wrote the block. The same block may be written again. */
  readonly #byBlock = new HashMap<Entry>();
  /** Has the hashes that entries hold. Those of their makers share memory with headers and nodes, which would stay. */
  readonly #arena = new ByteArena();
  /** Blocks in the store that the ledger may delete, by hash. */
  readonly #deletable = new HashMap<true>();
  /** By state: the first entry that resulted in it. */
  readonly #byState = new HashMap<Entry>();
  /** Number of writes that added a value, if it is more than one. */
  readonly #copies: Readonly<Record<HashedTable, Map<string, number>>> = {
    trieNodes: new Map(),
    codes: new Map(),
    preimages: new Map(),
    derivedStates: new Map(),
  };

  /** @param has - whether the store has a block or a value with this hash */
  constructor(has: (table: HashedTable | "blocks", hash: Bytes) => boolean) {
    this.#has = has;
  }

  /** Number of entries so far; snapshots record it. */
  get position(): number {
    return this.#next;
  }

  /** True if entries were marked for deletion since {@link retire}. */
  get hasMarked(): boolean {
    return this.#marked.length > 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Notes writes in order, yielding to the event loop. Must be called before they are written, because it checks what
   * the store already has. The returned function must be called after they are written.
   *
   * @param isBase - true for a chain that replaces this one: the first write has the states on which all others depend
   */
  async draft(writes: readonly LedgerWrite[], isBase = false): Promise<() => Promise<void>> {
    const breaks = new Breaks();
    const added: Record<HashedTable, HashMap<true>> = {
      trieNodes: new HashMap(),
      codes: new HashMap(),
      preimages: new HashMap(),
      derivedStates: new HashMap(),
    };
    const again: [HashedTable, string][] = [];
    for (const { block, commit } of writes) {
      if (block !== undefined && !this.#has("blocks", block.hash)) this.#deletable.set(block.hash, true);
      for (const table of TABLES) {
        const records = commit[table];
        if (records === undefined || records.length === 0) continue;
        for (const { hash } of records) {
          if (!added[table].add(hash, true) || this.#has(table, hash)) again.push([table, wordKey(hash)]);
          const turn = breaks.check();
          if (turn !== undefined) await turn;
        }
      }
    }
    return async () => {
      for (const [table, key] of again) this.#copies[table].set(key, (this.#copies[table].get(key) ?? 1) + 1);
      const noting = new Breaks();
      let base: Entry | undefined;
      for (const write of writes) {
        const { trieNodes, preimages = [] } = write.commit;
        const isLong = trieNodes.length + preimages.length > HASHES_A_STEP;
        const joining = joinTables(write.commit, this.#arena);
        const entry = this.#add(write, isLong ? await inTurns(joining) : atOnce(joining), base);
        if (isBase) base ??= entry;
        const turn = noting.check();
        if (turn !== undefined) await turn;
      }
      if (isBase) this.#base = base;
    };
  }

  #add({ block, startStateId, commit }: LedgerWrite, hashes: JoinedHashes, base: Entry | undefined): Entry {
    const before = block === undefined ? undefined : this.#byBlock.get(block.header.parentHash);
    const start = this.#byState.get(startStateId);
    const parents = [before, start === before ? undefined : start, base].filter((parent) => parent !== undefined);
    const entry: Entry = {
      position: this.#next++,
      // Copied, because V8 makes what it filters with room for sixteen more.
      parents: parents.slice(),
      block: block && { hash: this.#arena.copy(block.hash), number: block.header.number },
      startStateId: start?.stateId ?? this.#copyOf(startStateId),
      stateId: this.#copyOf(commit.stateRoot, hashes.derivedStates),
      hashes,
    };
    this.#entries.push(entry);
    this.#find(entry);
    return entry;
  }

  /** @param held - bytes that the ledger has already; after an empty block they are the same, and serve for both */
  #copyOf(id: StateId, held: Bytes = EMPTY_BYTES): StateId {
    return storedStateId(equalBytes(held, id) ? held : this.#arena.copy(id));
  }

  #find(entry: Entry): void {
    if (entry.block !== undefined) this.#byBlock.add(entry.block.hash, entry);
    this.#byState.add(entry.stateId, entry);
  }

  /** Marks all entries for deletion, except those that a target depends on: another chain replaces this one. */
  markReplaced(targets: Iterable<RevertTarget>): void {
    this.#base = undefined;
    this.markSince(0, targets);
  }

  /** Marks the entries after a position for deletion, except those that a target or the base depends on. */
  markSince(position: number, targets: Iterable<RevertTarget>): void {
    const first = this.#entries.findLastIndex((entry) => entry.position < position) + 1;
    const since = this.#entries.splice(first);
    const needed = this.#restedOn(position, targets);
    for (const entry of since) {
      if (needed.has(entry)) continue;
      this.#marked.push(entry);
      if (entry.block !== undefined) forget(this.#byBlock, entry.block.hash, entry);
      forget(this.#byState, entry.stateId, entry);
    }
    for (const entry of since) {
      if (!needed.has(entry)) continue;
      this.#entries.push(entry);
      this.#find(entry);
    }
  }

  #restedOn(position: number, targets: Iterable<RevertTarget>): ReadonlySet<Entry> {
    const needed = new Set<Entry>();
    const open: (Entry | undefined)[] = [this.#base];
    for (const { blockHash, stateRoot } of targets) {
      open.push(this.#byBlock.get(blockHash), this.#byState.get(stateRoot));
    }
    while (open.length > 0) {
      const entry = open.pop();
      if (entry === undefined || entry.position < position || needed.has(entry)) continue;
      needed.add(entry);
      for (const parent of entry.parents) open.push(parent);
    }
    return needed;
  }

  /** Removes marked entries from the ledger. */
  retire(): RetiredWrites {
    const entries = this.#marked;
    this.#marked = [];
    return { entries, stateIds: entries.flatMap(({ startStateId, stateId }) => [startStateId, stateId]) };
  }

  /**
   * The data of retired entries to delete from the store.
   *
   * @param needed - keys of blocks that a reader still needs; they stay until a later call
   */
  take({ entries }: RetiredWrites, needed: ReadonlySet<string>): Deletion {
    const blocks = [...this.#waiting, ...entries.map(({ block }) => block)].filter((block) => block !== undefined);
    const isNeeded = (hash: Bytes): boolean => needed.size > 0 && needed.has(bytesKey(hash));
    const isLeaving = (hash: Bytes): boolean => this.isMarked(hash) && !isNeeded(hash);
    this.#waiting = needed.size === 0 ? [] : blocks.filter(({ hash }) => this.isMarked(hash) && isNeeded(hash));
    return { isLeaving, parts: this.#takeParts(entries, blocks, isLeaving) };
  }

  /** True for a block to delete: the ledger added it, and no write that stays has the same block. */
  isMarked(hash: Bytes): boolean {
    return this.#byBlock.get(hash) === undefined && this.#deletable.get(hash) === true;
  }

  *#takeParts(
    entries: readonly Entry[],
    blocks: readonly NotedBlock[],
    isLeaving: (hash: Bytes) => boolean,
  ): Generator<Deletions> {
    let part = emptyDeletions();
    for (const block of blocks) {
      if (!isLeaving(block.hash)) continue;
      this.#deletable.delete(block.hash);
      part.blocks.push(block);
      if (part.blocks.length < BLOCKS_A_STEP) continue;
      yield part;
      part = emptyDeletions();
    }
    let count = 0;
    for (const { hashes } of entries) {
      for (const table of TABLES) {
        const joined = hashes[table] ?? EMPTY_BYTES;
        for (let start = 0; start < joined.length; start += HASHES_A_STEP * HASH_BYTES) {
          const some = joined.subarray(start, start + HASHES_A_STEP * HASH_BYTES);
          this.#release(table, some, part.hashed[table]);
          count += some.length / HASH_BYTES;
          if (count < HASHES_A_STEP) continue;
          yield part;
          part = emptyDeletions();
          count = 0;
        }
      }
    }
    yield part;
  }

  /** Collects the hashes that no other entry added. */
  #release(table: HashedTable, hashes: Bytes, released: Bytes[]): void {
    const copies = this.#copies[table];
    for (let offset = 0; offset < hashes.length; offset += HASH_BYTES) {
      const hash = hashes.subarray(offset, offset + HASH_BYTES);
      const key = wordKey(hash);
      const count = copies.get(key) ?? 1;
      if (count === 1) released.push(hash);
      else if (count === 2) copies.delete(key);
      else copies.set(key, count - 1);
    }
  }
}

function forget(map: HashMap<Entry>, hash: Bytes, entry: Entry): void {
  if (map.get(hash) === entry) map.delete(hash);
}
