/**
 * States by their roots: readers, working states and proofs over trie nodes and codes.
 *
 * Trie nodes and codes come from a {@link StateSource}, which the store implements. A commit is readable as soon as it
 * is made. Its maker reports later whether it was stored ({@link StateDatabase.settle}) or dropped ({@link
 * StateDatabase.discard}); until then its nodes stay in memory.
 *
 * It has over 300 lines, because its caches and the commits that are not stored yet serve all ways to a state.
 */

import { LRUCache } from "lru-cache";
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { HashMap } from "../primitives/bytes/hash-map.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";
import type { Steps } from "../primitives/platform/turns.ts";
import { collectState } from "./derived/collect-state.ts";
import { DerivedStates } from "./derived/derived-states.ts";
import { StateRun } from "./derived/state-run.ts";
import { UnsettledCommits } from "./derived/unsettled-commits.ts";
import { type CollectedForkStates, ForkStates } from "./fork/fork-states.ts";
import { OverlayReader } from "./fork/overlay-reader.ts";
import type { RemoteStates } from "./fork/remote-state.ts";
import { wordKey } from "./map-keys.ts";
import { notProvable, type ProvenKeys, proveKeys, type StateProof } from "./prove.ts";
import { EMPTY_STATE, type OwnStateId, type StateId, type StateRoot } from "./state-id.ts";
import { decodeAccount, decodeStorageValue } from "./trie/account-codec.ts";
import { CodeCache } from "./trie/code-cache.ts";
import { fromNibbles, toNibbles } from "./trie/nibbles.ts";
import { TrieKeys } from "./trie/trie-keys.ts";
import { TrieNodes } from "./trie/trie-nodes.ts";
import { type TrieBacking, TrieReader, type WrittenAccount } from "./trie/trie-reader.ts";
import { changedLeaves, leavesFrom } from "./trie/trie-walk.ts";
import type { AccountState, HashedBytes, StateBase, StateCommit, StateSource } from "./view.ts";
import { NumberedSlots } from "./working/numbered-slots.ts";
import { WorkingState } from "./working/working-state.ts";

/** Sizes of the caches. With the defaults full caches take about 50 MB. */
export interface StateDatabaseOptions {
  /** Memory for decoded trie nodes, in bytes. */
  readonly trieCacheBytes?: number;
  /** Memory for codes, in bytes. */
  readonly codeCacheBytes?: number;
  /** Number of addresses, and of slots, whose hash is cached. */
  readonly hashedKeys?: number;
  /** Number of cached readers, by state root. */
  readonly readers?: number;
  /** True if the source never deletes anything: nodes that it has are not written again. */
  readonly isPermanent?: boolean;
  /** On a fork: the states of the forked chain. Stored tries then hold only the changes. */
  readonly remote?: RemoteStates | undefined;
  /** Called with each address and slot that is hashed to find it; each once while the cache of hashes holds it. */
  readonly onKey?: (key: Bytes) => void;
}

const DEFAULTS = {
  trieCacheBytes: 24_000_000,
  codeCacheBytes: 8_000_000,
  hashedKeys: 32_768,
  readers: 8,
  isPermanent: true,
} satisfies Required<Omit<StateDatabaseOptions, "remote" | "onKey">>;

/** An account and the hash of its address. */
export interface HashedAccount {
  readonly hash: Bytes;
  readonly account: AccountState;
}

/** A slot and the hash of its number. */
export interface HashedSlot {
  readonly hash: Bytes;
  /** Without leading zeros. */
  readonly value: Bytes;
}

/** States that leave, see {@link StateDatabase.retire}. */
export interface RetiredStates {
  /** Must be called before their nodes are deleted, when the readers have ended that had begun before they were retired. */
  drop(): void;
  /** Must be called when their nodes are deleted. */
  end(): void;
}

/** One for each node. Readers of several roots stay open, the latest used ones. */
export class StateDatabase {
  readonly #source: StateSource;
  readonly #isPermanent: boolean;
  readonly #unsettled = new UnsettledCommits();
  readonly #derived: DerivedStates;
  readonly #numberedSlots = new NumberedSlots();
  readonly #backing: TrieBacking;
  readonly #onCommit = (commit: StateCommit): void => this.#unsettled.add(commit);
  readonly #readers: LRUCache<string, StateBase>;
  /** States that leave, with the number of times that they do: see {@link retire}. */
  readonly #leaving = new HashMap<number>();
  #fork: ForkStates | undefined;

  constructor(source: StateSource, options: StateDatabaseOptions = {}) {
    const { trieCacheBytes, codeCacheBytes, hashedKeys, readers, isPermanent } = { ...DEFAULTS, ...options };
    this.#isPermanent = isPermanent;
    this.#source = source;
    this.#derived = new DerivedStates({
      getDerivedState: (stateRoot) => this.#getDerivedState(stateRoot),
      isStored: (stateRoot) => this.#leaving.get(stateRoot) === undefined && this.#isStored(stateRoot),
      openRun: (root) => new StateRun(this.#backing, new TrieReader(this.#backing, root as StateRoot), () => undefined),
    });
    this.#backing = {
      nodes: new TrieNodes([this.#unsettled, source, this.#derived], trieCacheBytes),
      keys: new TrieKeys(hashedKeys, options.onKey),
      codes: new CodeCache((hash) => this.#unsettled.getCode(hash) ?? source.getCode(hash), codeCacheBytes),
    };
    this.#fork = options.remote && this.#forkOf(options.remote);
    this.#readers = new LRUCache({ max: readers });
  }

  /** On a fork the table has something else, see `fork-states.ts`. */
  #getDerivedState(stateRoot: Bytes): Bytes | undefined {
    return this.isWhole ? this.#source.getDerivedState?.(stateRoot) : undefined;
  }

  #isStored(stateRoot: Bytes): boolean {
    if (equalBytes(stateRoot, EMPTY_TRIE_ROOT)) return true;
    return (this.#unsettled.getTrieNode(stateRoot) ?? this.#source.getTrieNode(stateRoot)) !== undefined;
  }

  /**
   * A reader of a state. Missing nodes are reported on reading.
   *
   * @throws {StoreError} `STORE_CORRUPT`, from the reader too, if a node or code is missing
   */
  reader(id: StateId): StateBase {
    const key = wordKey(id);
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      reader = this.#fork?.reader(id) ?? this.#trieReader(id);
      this.#readers.set(key, reader);
    }
    return reader;
  }

  /** A reader of a state that is stored in full, as all are without a fork. */
  #trieReader(id: StateId): TrieReader {
    this.#derived.ensure(id);
    return new TrieReader(this.#backing, id as StateRoot);
  }

  /** Switches to a fork of another chain, or to none. Readers and working states of before must no longer be used. */
  follow(remote: RemoteStates | undefined): void {
    this.#fork = remote && this.#forkOf(remote);
    this.#readers.clear();
    this.forgetKeys();
  }

  #forkOf(remote: RemoteStates): ForkStates {
    return new ForkStates(remote, this.#backing, {
      getTrieNode: (hash) => this.#backing.nodes.getTrieNode(hash),
      getCode: (hash) => this.#unsettled.getCode(hash) ?? this.#source.getCode(hash),
      getDerivedState: (root) => this.#unsettled.getDerivedState(root) ?? this.#source.getDerivedState?.(root),
    });
  }

  /** Whether states are stored in full. On a fork the tries hold only changes. */
  get isWhole(): boolean {
    return this.#fork === undefined;
  }

  /** @throws {UnsupportedError} `STATE_NOT_LISTABLE` on a fork */
  requireWhole(what: string): void {
    if (this.isWhole) return;
    throw new UnsupportedError({
      code: "STATE_NOT_LISTABLE",
      what: `${what} cannot be known on a fork: the other chain does not list its accounts and slots.`,
      fix: "Ask for the accounts and slots themselves.",
    });
  }

  /** A writable view of a state. Only its commits are stored. */
  working(id: StateId): WorkingState {
    const reader = this.reader(id);
    const onCommit = (commit: StateCommit, written: Iterable<WrittenAccount> | undefined): void => {
      this.#onCommit(commit);
      if (written === undefined || !(reader instanceof TrieReader)) return;
      const key = wordKey(commit.stateRoot);
      if (!this.#readers.has(key)) this.#readers.set(key, reader.succeededBy(commit.stateRoot as StateRoot, written));
    };
    const proven = reader instanceof OverlayReader ? this.#fork?.provenStates(reader) : undefined;
    return new WorkingState(reader, { reader, backing: this.#backing, onCommit, proven });
  }

  /** A state for many small changes with a root after each. Not on a fork. */
  openRun(id: OwnStateId): StateRun {
    return new StateRun(this.#backing, this.#trieReader(id), this.#onCommit);
  }

  /** A writable view of the state without accounts. */
  empty(): WorkingState {
    return this.working(EMPTY_STATE);
  }

  /** True if the state is stored or committed. */
  hasState(id: StateId): boolean {
    if (this.#fork !== undefined) return this.#fork.has(id) || this.#isStored(id);
    return this.#isStored(id) || this.#derived.has(id);
  }

  /**
   * Nodes that must be stored with a commit on a derived state: those that the nearest stored ancestor lacks. None for
   * other states.
   */
  nodesOfDerived(id: StateId): readonly HashedBytes[] {
    return this.#derived.nodesOf(id);
  }

  /** True unless one of these roots is known with other writes. */
  agreesWith(derivedStates: readonly HashedBytes[]): boolean {
    return derivedStates.every(({ hash, bytes }) => {
      const known = this.#source.getDerivedState?.(hash);
      return known === undefined ? this.#source.getTrieNode(hash) === undefined : equalBytes(known, bytes);
    });
  }

  /** Estimated memory of the computed nodes of derived states, in bytes. */
  get derivedBytes(): number {
    return this.#derived.byteCount;
  }

  /**
   * Drops the computed nodes of derived states if they take more than `maxBytes`. Must only be called while no state is
   * read.
   *
   * @param inUse - states whose readers stay in use
   */
  trimDerived(maxBytes: number, inUse: Iterable<StateId>): void {
    if (this.#derived.byteCount > maxBytes) this.retire([], inUse).drop();
  }

  /**
   * All nodes and codes of states. None of them may be deleted before the last step.
   *
   * @throws {StoreError} `STORE_CORRUPT` if one is missing
   */
  *collect(states: Iterable<StateId>): Steps<CollectedForkStates> {
    if (this.#fork !== undefined) return yield* this.#fork.collect(states);
    const source = {
      prepare: (stateRoot: Bytes) => this.#derived.ensure(stateRoot),
      getTrieNode: (hash: Bytes) => this.#backing.nodes.getTrieNode(hash),
      getCode: (hash: Bytes) => this.#unsettled.getCode(hash) ?? this.#source.getCode(hash),
    };
    return { ...(yield* collectState(source, states, { decodeLeaf: decodeAccount })), derivedStates: [] };
  }

  /** Code by its hash; undefined where none has it. On a fork: only what was deployed or read since. */
  codeOf(hash: Bytes): Bytes | undefined {
    if (equalBytes(hash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    return this.#unsettled.getCode(hash) ?? this.#source.getCode(hash);
  }

  /** RLP of the trie node with this hash; undefined where no state has it. */
  trieNodeOf(hash: Bytes): Bytes | undefined {
    return this.#backing.nodes.getTrieNode(hash);
  }

  /** The address or slot with this hash; undefined if it was not stored. */
  preimageOf(hash: Bytes): Bytes | undefined {
    return this.#unsettled.getPreimage(hash) ?? this.#source.getPreimage?.(hash) ?? this.#numberedSlots.find(hash);
  }

  /**
   * Accounts of a state in ascending order of the hash of their address, read lazily.
   *
   * @param start - hash of 32 bytes to begin at
   * @throws {StoreError} `STORE_CORRUPT` if a node is missing
   */
  *accountsFrom(stateRoot: OwnStateId, start: Bytes): Generator<HashedAccount> {
    this.requireWhole("The accounts of a state");
    this.#derived.ensure(stateRoot);
    for (const { key, value } of leavesFrom(this.#backing.nodes, stateRoot, toNibbles(start))) {
      yield { hash: fromNibbles(key), account: decodeAccount(value) };
    }
  }

  /** Slots of a storage trie in ascending order of the hash of their number; as {@link accountsFrom}. */
  *slotsFrom(storageRoot: Bytes, start: Bytes): Generator<HashedSlot> {
    this.requireWhole("The slots of an account");
    for (const { key, value } of leavesFrom(this.#backing.nodes, storageRoot, toNibbles(start))) {
      yield { hash: fromNibbles(key), value: decodeStorageValue(value) };
    }
  }

  /**
   * Hashes of addresses whose account in state `after` is new or differs from that in `before`, ascending. Deleted
   * accounts are not listed.
   *
   * @throws {StoreError} `STORE_CORRUPT` if a node is missing
   */
  *changedAccounts(before: StateId, after: StateId): Generator<Bytes> {
    const roots = [this.reader(before).trieRoot, this.reader(after).trieRoot] as const;
    for (const { key } of changedLeaves(this.#backing.nodes, ...roots)) yield fromNibbles(key);
  }

  /** Call it after a commit was written to the store. */
  settle(commit: StateCommit): void {
    this.#unsettled.remove(commit);
    for (const { hash, bytes } of commit.codes) this.#backing.codes.add(hash, bytes);
    if (!this.#isPermanent) return;
    for (const { bytes } of commit.preimages ?? []) this.#backing.keys.markStored(bytes);
  }

  /**
   * Must be called before nodes of states are deleted from the source. Readers that begin from then on find none of these
   * states stored, and compute those that are known as derived states. So the nodes may be deleted as soon as all earlier
   * readers have ended.
   *
   * @param inUse - states whose readers stay in use
   */
  retire(ids: readonly StateId[], inUse: Iterable<StateId>): RetiredStates {
    for (const id of ids) this.#leaving.set(id, (this.#leaving.get(id) ?? 0) + 1);
    const dropDerived = this.#derived.retire();
    this.#readers.clear();
    for (const id of inUse) this.#derived.ensure(id);
    return {
      drop: () => {
        for (const hash of dropDerived()) this.#backing.nodes.forget(hash);
        // Earlier readers may have opened them again.
        this.#readers.clear();
      },
      end: () => {
        for (const id of ids) this.#endLeaving(id);
      },
    };
  }

  #endLeaving(id: StateId): void {
    const times = this.#leaving.get(id) ?? 1;
    if (times === 1) this.#leaving.delete(id);
    else this.#leaving.set(id, times - 1);
  }

  /** Drops cached trie nodes and codes that are deleted from the source. */
  forget(gone: Readonly<Record<"trieNodes" | "codes", readonly Bytes[]>>): void {
    const { nodes, codes } = this.#backing;
    for (const hash of gone.trieNodes) nodes.forget(hash);
    for (const hash of gone.codes) codes.forget(hash);
  }

  /** Drops the cached hashes of addresses and slots, some 23 MB where many were used. */
  forgetKeys(): void {
    this.#backing.keys.clear();
  }

  /** Call it if a commit will not be written. States made from it must not be used any more. */
  discard(commit: StateCommit): void {
    this.#unsettled.remove(commit);
  }

  /**
   * Merkle proofs of an account and its slots in a working state, or of their absence.
   *
   * @throws {StoreError} `STORE_CORRUPT` if a node is missing
   * @throws {UnsupportedError} `STATE_NOT_PROVABLE` for a state on a fork without a true root
   * @throws {RemoteError} if the forked chain cannot be read
   */
  async prove(state: WorkingState, wanted: ProvenKeys): Promise<StateProof> {
    const base = state.storedBase;
    if (base instanceof OverlayReader) {
      await Promise.all([state.fetchProofs(), base.fetch(wanted)]);
      if (!state.hasTrueRoot) throw notProvable(this.#fork?.isProven === true);
    }
    // The nodes of a pending block's state are not in the store, and are dropped afterwards.
    const commit = state.commitState();
    try {
      return proveKeys(this.#provingNodes(base), commit.stateRoot, wanted);
    } finally {
      this.discard(commit);
    }
  }

  #provingNodes(base: StateBase | undefined): Pick<TrieBacking, "nodes" | "keys"> {
    if (!(base instanceof OverlayReader)) return this.#backing;
    const { nodes, keys } = this.#backing;
    return {
      nodes: new TrieNodes([nodes, { getTrieNode: (hash) => base.getRemoteNode(hash) }], PROOF_CACHE_BYTES),
      keys,
    };
  }
}

/** Memory for the decoded nodes of one proof on a fork, in bytes. */
const PROOF_CACHE_BYTES = 1_000_000;
