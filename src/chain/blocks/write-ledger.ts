/**
 * Records the writes of a chain in memory, in order, so that they can be deleted once no snapshot needs them.
 *
 * Each write is an entry: a block, or an edit between blocks, with the hashes of the data it added to the store. An
 * entry depends on earlier ones: on its parent block, and on the write of its start state. A revert marks later entries
 * for deletion, except those that an entry that stays depends on. Trie nodes, codes and preimages are stored by hash, and
 * several writes may add the same one; it is deleted with the last of them. A block or value that the store had before the
 * ledger began is never deleted, even if it is written again.
 */

import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { wordKey } from "../../state/map-keys.ts";
import type { StateId } from "../../state/state-id.ts";
import type { StateCommit } from "../../state/view.ts";

/** Tables whose key is the hash of the value. */
export type HashedTable = "trieNodes" | "codes" | "preimages" | "derivedStates";

/** A block about to be written; an edit if there is no block. */
export interface LedgerWrite {
  readonly block?: LedgerBlock;
  /** The state that it changed. */
  readonly startStateId: StateId;
  readonly commit: StateCommit;
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

/** Blocks and values to delete. */
export interface Deletions {
  readonly blocks: readonly LedgerBlock[];
  readonly hashed: Readonly<Record<HashedTable, readonly Bytes[]>>;
}

type Hashes = Record<HashedTable, Bytes>;

interface Entry {
  /** Number of entries before it. */
  readonly position: number;
  readonly parents: readonly Entry[];
  readonly block: LedgerBlock | undefined;
  /** The state that resulted. */
  readonly stateId: StateId;
  /** Hashes of 32 bytes, concatenated. */
  readonly hashes: Hashes;
}

const TABLES: readonly HashedTable[] = ["trieNodes", "codes", "preimages", "derivedStates"];
const HASH_BYTES = 32;

/** One for each chain in memory. Must be given every write, in their order. */
export class WriteLedger {
  readonly #has: (table: HashedTable | "blocks", hash: Bytes) => boolean;
  #entries: Entry[] = [];
  #marked: Entry[] = [];
  /** Blocks to delete that a reader still needed when the others were deleted. */
  #waiting: LedgerBlock[] = [];
  #next = 0;
  /** By block hash: the first entry that wrote the block. The same block may be written again. */
  readonly #byBlock = new HashMap<Entry>();
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

  /** True if entries were marked for deletion since {@link take}. */
  get hasMarked(): boolean {
    return this.#marked.length > 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Notes writes in order, yielding to the event loop. Must be called before they are written, because it checks what
   * the store already has. The returned function must be called after they are written.
   */
  async draft(writes: readonly LedgerWrite[]): Promise<() => Promise<void>> {
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
      for (const write of writes) {
        this.#add(write);
        const turn = noting.check();
        if (turn !== undefined) await turn;
      }
    };
  }

  #add({ block, startStateId, commit }: LedgerWrite): void {
    const before = block === undefined ? undefined : this.#byBlock.get(block.header.parentHash);
    const parents = [before, this.#byState.get(startStateId)].filter((parent) => parent !== undefined);
    const entry: Entry = {
      position: this.#next++,
      parents,
      // A copy without the transactions, which would stay in memory.
      block: block === undefined ? undefined : slim(block),
      stateId: commit.stateRoot,
      hashes: {
        trieNodes: joinHashes(commit.trieNodes),
        codes: joinHashes(commit.codes),
        preimages: joinHashes(commit.preimages),
        derivedStates: joinHashes(commit.derivedStates),
      },
    };
    this.#entries.push(entry);
    this.#find(entry);
  }

  #find(entry: Entry): void {
    if (entry.block !== undefined) this.#byBlock.add(entry.block.hash, entry);
    this.#byState.add(entry.stateId, entry);
  }

  /** Marks the entries after a position for deletion, except those that a target depends on. */
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
    const open: (Entry | undefined)[] = [];
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

  /**
   * Removes marked entries from the ledger and returns the data to delete from the store.
   *
   * @param isNeeded - blocks that a reader still needs; they stay until a later call
   */
  take(isNeeded: (blockHash: Bytes) => boolean): Deletions {
    const hashed: Record<HashedTable, Bytes[]> = { trieNodes: [], codes: [], preimages: [], derivedStates: [] };
    for (const { hashes } of this.#marked) {
      for (const table of TABLES) this.#release(table, hashes[table], hashed[table]);
    }
    const marked = this.#marked.map(({ block }) => block).filter((block) => block !== undefined);
    // The same block may have been written again.
    const leaving = [...this.#waiting, ...marked].filter(
      ({ hash }) => this.#byBlock.get(hash) === undefined && this.#deletable.get(hash) === true,
    );
    this.#marked = [];
    this.#waiting = leaving.filter(({ hash }) => isNeeded(hash));
    const blocks = leaving.filter(({ hash }) => !isNeeded(hash));
    for (const { hash } of blocks) this.#deletable.delete(hash);
    return { blocks, hashed };
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

  /** Drops all entries: data written so far is never deleted. */
  clear(): void {
    this.#entries = [];
    this.#marked = [];
    this.#waiting = [];
    this.#byBlock.clear();
    this.#deletable.clear();
    this.#byState.clear();
    for (const table of TABLES) this.#copies[table].clear();
  }
}

function slim({ hash, header: { number, parentHash } }: LedgerBlock): LedgerBlock {
  return { hash, header: { number, parentHash } };
}

/** Concatenates hashes; most writes have none, or one. */
function joinHashes(records: readonly { readonly hash: Bytes }[] | undefined): Bytes {
  if (records === undefined || records.length === 0) return EMPTY_BYTES;
  if (records.length === 1) return (records[0] as { readonly hash: Bytes }).hash;
  const joined = new Uint8Array(records.length * HASH_BYTES);
  for (const [index, { hash }] of records.entries()) joined.set(hash, index * HASH_BYTES);
  return joined;
}

function forget(map: HashMap<Entry>, hash: Bytes, entry: Entry): void {
  if (map.get(hash) === entry) map.delete(hash);
}
