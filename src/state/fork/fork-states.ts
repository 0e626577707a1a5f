/**
 * The states of a fork. Of the forked chain only what was read is known here, so a state is stored as its changes: a trie of the
 * accounts that were written since the fork block (`changed-account.ts`). The root of that trie names the state, and stands in
 * headers as state root.
 *
 * If the forked chain proves its answers, the true state root can be computed, the one that a node of that chain would have
 * (`proven-state.ts`). Then it names the state and stands in headers. The table `derivedStates` leads from it to the root of the
 * trie of changes; the nodes of the true tries that the forked chain does not have are stored beside those of the changes.
 */

import { type Bytes, bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import { atOnce, type Steps } from "../../primitives/platform/turns.ts";
import { type CollectedState, collectState } from "../derived/collect-state.ts";
import { decodeDerivedState, encodeDerivedState } from "../derived/derived-state.ts";
import { type ChangesRoot, EMPTY_STATE, type StateId, type StateRoot } from "../state-id.ts";
import { decodeAccount } from "../trie/account-codec.ts";
import type { TrieBacking } from "../trie/trie-reader.ts";
import type { HashedBytes, StateCommit, StateSource } from "../view.ts";
import { decodeChangedAccount } from "./changed-account.ts";
import { OverlayReader } from "./overlay-reader.ts";
import type { ProvenBase, ProvenState, ProvenStates } from "./proven-state.ts";
import type { RemoteStates } from "./remote-state.ts";

/** The data of several states on a fork. */
export interface CollectedForkStates extends CollectedState {
  /** By true root, the encoded root of the trie of changes. */
  readonly derivedStates: readonly HashedBytes[];
}

/** One for each fork, owned by {@link StateDatabase}. */
export class ForkStates {
  readonly #remote: RemoteStates;
  readonly #backing: TrieBacking;
  readonly #source: Required<Pick<StateSource, "getTrieNode" | "getCode" | "getDerivedState">>;

  constructor(
    remote: RemoteStates,
    backing: TrieBacking,
    source: Required<Pick<StateSource, "getTrieNode" | "getCode" | "getDerivedState">>,
  ) {
    this.#remote = remote;
    this.#backing = backing;
    this.#source = source;
  }

  /** True if the forked chain proves the accounts and slots of the fork block, so that states have true roots. */
  get isProven(): boolean {
    return this.#remote.pinned.provenRoot !== undefined;
  }

  /** Reads a state by its name: of the forked chain, by its true root, or else by the root of its changes. */
  reader(id: StateId): OverlayReader {
    const state = this.#remote.find(id);
    if (state !== undefined) {
      const provenRoot = state.provenRoot as StateRoot | undefined;
      return new OverlayReader(this.#backing, state, { id, trieRoot: EMPTY_STATE, provenRoot });
    }
    const changesRoot = this.#changesRootOf(id);
    const roots =
      changesRoot === undefined
        ? { id, trieRoot: id as ChangesRoot, provenRoot: undefined }
        : { id, trieRoot: changesRoot, provenRoot: this.isProven ? (id as StateRoot) : undefined };
    return new OverlayReader(this.#backing, this.#remote.pinned, roots);
  }

  /** True for the name of a state of the forked chain, and for a true root. Roots of changes are found in the store. */
  has(id: StateId): boolean {
    return this.#remote.find(id) !== undefined || this.#changesRootOf(id) !== undefined;
  }

  /** Root of the trie of changes of the state with a true root; undefined for other names. */
  #changesRootOf(id: StateId): ChangesRoot | undefined {
    const pinnedRoot = this.#remote.pinned.provenRoot;
    if (pinnedRoot !== undefined && equalBytes(pinnedRoot, id)) return EMPTY_STATE;
    const encoded = this.#source.getDerivedState(id);
    return encoded === undefined ? undefined : (decodeDerivedState(encoded).baseRoot as ChangesRoot);
  }

  /** Computes the true roots of states that begin with this one; undefined if this one has none. */
  provenStates(reader: OverlayReader): ProvenStates | undefined {
    if (reader.provenRoot === undefined) return undefined;
    const base: ProvenBase = {
      stateRoot: reader.provenRoot,
      getRemoteNode: (hash) => reader.getRemoteNode(hash),
      getStoredNode: (hash) => this.#source.getTrieNode(hash),
    };
    return {
      base,
      fetchNode: ({ address, path }) => reader.fetchNode(address, path),
      commitOf: (changes, proven) => this.#provenCommit(reader, changes, proven),
    };
  }

  /** Adds to the commit of changes what the true root needs: the new nodes of its tries, and the entry that leads to the changes. */
  #provenCommit(reader: OverlayReader, changes: StateCommit, { stateRoot, trieNodes }: ProvenState): StateCommit {
    const commit = { ...changes, stateRoot, trieNodes: [...changes.trieNodes, ...trieNodes] };
    // A state of an old block of the forked chain is never stored, and its changes are not those since the fork block.
    if (!reader.isBasedOn(this.#remote.pinned)) return commit;
    const known = this.#changesRootOf(stateRoot) ?? (changes.stateRoot as ChangesRoot);
    const derivedStates = [linkTo(known, stateRoot)];
    if (equalBytes(known, changes.stateRoot)) return { ...commit, derivedStates };
    // Other writes led to the same state before. Their trie is stored with this commit too, since either may be deleted.
    const same = atOnce(this.#collectChanges([known]));
    const codes = [...commit.codes, ...same.codes];
    return { ...commit, codes, trieNodes: [...commit.trieNodes, ...same.trieNodes], derivedStates };
  }

  /**
   * Collects the stored parts of states: tries of changes, nodes of true tries, codes, and the entries that link them. None
   * of them may be deleted before the last step.
   *
   * @throws {StoreError} `STORE_CORRUPT` if a node of a trie of changes is missing
   */
  *collect(states: Iterable<StateId>): Steps<CollectedForkStates> {
    const ids = [...new Map(Array.from(states, (id) => [bytesKey(id), id])).values()];
    const changes = yield* this.#collectChanges(ids.map((id) => this.reader(id).trieRoot));
    const derivedStates = ids.flatMap((id) => {
      const changesRoot = this.#changesRootOf(id);
      return changesRoot === undefined ? [] : [linkTo(changesRoot, id as StateRoot)];
    });
    // Without codes: those that are stored here belong to changed accounts, and were collected with the changes.
    const decodeLeaf = (leaf: Bytes) => ({ ...decodeAccount(leaf), codeHash: EMPTY_CODE_HASH });
    const source = { ...this.#source, prepare: () => undefined };
    const provenRoots = derivedStates.map(({ hash }) => hash);
    const proven = yield* collectState(source, provenRoots, { decodeLeaf, mayLackNodes: true });
    const nodes = new Map([...changes.trieNodes, ...proven.trieNodes].map((node) => [bytesKey(node.hash), node]));
    return { trieNodes: [...nodes.values()], codes: changes.codes, derivedStates };
  }

  #collectChanges(trieRoots: readonly ChangesRoot[]): Steps<CollectedState> {
    const decodeLeaf = (leaf: Bytes) => decodeChangedAccount(leaf).account;
    return collectState({ ...this.#source, prepare: () => undefined }, trieRoots, { decodeLeaf, mayLackCodes: true });
  }
}

/** The entry by which the trie of changes of a state with a true root is found. */
function linkTo(changesRoot: ChangesRoot, stateRoot: StateRoot): HashedBytes {
  return { hash: stateRoot, bytes: encodeDerivedState({ baseRoot: changesRoot, writes: [] }) };
}
