/** The true root of a working state on a fork with proofs: computed when it is requested, until the next write. */
import type { TrieKeys } from "../trie/trie-keys.ts";
import type { AccountState, StateCommit } from "../view.ts";
import {
  type AccountWithSlots,
  type ChangedKeys,
  type NeededNode,
  nodeName,
  type ProvenState,
  type ProvenStates,
  ProvenUpdate,
} from "./proven-state.ts";

/** The writes of a working state, which its tries of changes have already. */
export interface HashedWrites {
  readonly changes: ChangedKeys;
  /** All accounts written since the base, each with its record. */
  written(): Iterable<readonly [AccountWithSlots, AccountState | undefined]>;
}

/** One for each working state on such a fork. Deletions may need nodes of the other chain, which are fetched first. */
export class ProvenRoot {
  readonly #states: ProvenStates;
  readonly #keys: TrieKeys;
  /** Names of the nodes that deletions needed and that were fetched. */
  #fetched: ReadonlySet<string>;
  #result: ProvenState | NeededNode | undefined;

  constructor(states: ProvenStates, keys: TrieKeys, fetched: ReadonlySet<string> = new Set()) {
    this.#states = states;
    this.#keys = keys;
    this.#fetched = fetched;
  }

  /** For a working state with the same content over the same base. */
  fork(): ProvenRoot {
    return new ProvenRoot(this.#states, this.#keys, this.#fetched);
  }

  /** Must be called after a write. */
  forget(): void {
    this.#result = undefined;
  }

  /** The state with its true root; undefined if a deletion needs a node that must not be used. */
  of(writes: HashedWrites): ProvenState | undefined {
    const result = this.#compute(writes);
    return "stateRoot" in result ? result : undefined;
  }

  #compute({ changes, written }: HashedWrites): ProvenState | NeededNode {
    this.#result ??= new ProvenUpdate(this.#states.base, this.#keys, changes, this.#fetched).run(written());
    return this.#result;
  }

  /**
   * Fetches the nodes that deletions need, as far as they can be requested.
   *
   * @throws {RemoteError} if the forked chain cannot be read
   */
  async fetchNodes(writes: HashedWrites): Promise<void> {
    for (;;) {
      const result = this.#compute(writes);
      if ("stateRoot" in result || !(await this.#states.fetchNode(result))) return;
      this.#fetched = new Set([...this.#fetched, nodeName(result)]);
      this.forget();
    }
  }

  /** The commit to store, from that of the changes. */
  commitOf(writes: HashedWrites, changes: StateCommit): StateCommit {
    const proven = this.of(writes);
    return proven === undefined ? changes : this.#states.commitOf(changes, proven);
  }
}
