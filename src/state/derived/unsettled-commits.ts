/**
 * Trie nodes and codes of commits that are not stored yet, such as that of the pending block, so that their states can be read.
 *
 * Two commits may have the same node, such as the pending block and the block mined from it, so nodes are counted.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import type { HashedBytes, StateCommit } from "../view.ts";

interface Counted {
  readonly bytes: Bytes;
  count: number;
}

/** One for each {@link StateDatabase}. Data leaves when the last commit that has it is stored or dropped. */
export class UnsettledCommits {
  readonly #commits = new Set<StateCommit>();
  /** Commits that were not read yet. They are not in the maps, because most are stored before they are read. */
  readonly #unread = new Set<StateCommit>();
  readonly #trieNodes = new HashMap<Counted>();
  readonly #codes = new HashMap<Counted>();
  readonly #preimages = new HashMap<Counted>();
  readonly #derivedStates = new HashMap<Counted>();

  add(commit: StateCommit): void {
    this.#commits.add(commit);
    this.#unread.add(commit);
  }

  /** Removes a commit that was stored or discarded. Does nothing for an unknown one. */
  remove(commit: StateCommit): void {
    if (!this.#commits.delete(commit) || this.#unread.delete(commit)) return;
    removeAll(this.#trieNodes, commit.trieNodes);
    removeAll(this.#codes, commit.codes);
    removeAll(this.#preimages, commit.preimages ?? []);
    removeAll(this.#derivedStates, commit.derivedStates ?? []);
  }

  getTrieNode(hash: Bytes): Bytes | undefined {
    this.#read();
    return this.#trieNodes.isEmpty ? undefined : this.#trieNodes.get(hash)?.bytes;
  }

  getCode(hash: Bytes): Bytes | undefined {
    this.#read();
    return this.#codes.isEmpty ? undefined : this.#codes.get(hash)?.bytes;
  }

  getPreimage(hash: Bytes): Bytes | undefined {
    this.#read();
    return this.#preimages.get(hash)?.bytes;
  }

  getDerivedState(stateRoot: Bytes): Bytes | undefined {
    this.#read();
    return this.#derivedStates.get(stateRoot)?.bytes;
  }

  #read(): void {
    if (this.#unread.size === 0) return;
    for (const commit of this.#unread) {
      addAll(this.#trieNodes, commit.trieNodes);
      addAll(this.#codes, commit.codes);
      addAll(this.#preimages, commit.preimages ?? []);
      addAll(this.#derivedStates, commit.derivedStates ?? []);
    }
    this.#unread.clear();
  }
}

function addAll(held: HashMap<Counted>, entries: readonly HashedBytes[]): void {
  for (const { hash, bytes } of entries) {
    const known = held.isEmpty ? undefined : held.get(hash);
    if (known === undefined) held.set(hash, { bytes, count: 1 });
    else known.count++;
  }
}

function removeAll(held: HashMap<Counted>, entries: readonly HashedBytes[]): void {
  for (const { hash } of entries) {
    const known = held.get(hash);
    if (known !== undefined && --known.count === 0) held.delete(hash);
  }
}
