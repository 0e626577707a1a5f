/** The true state root of a working state on a fork with proofs. It is computed when it is requested, and forgotten at a write. */
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

/** The writes of a working state, after they were put into its trie of changes. */
export interface HashedWrites {
  readonly changes: ChangedKeys;
  /** All accounts written since the base, each with its record. */
  written(): Iterable<readonly [AccountWithSlots, AccountState | undefined]>;
}

/** One for each working state on such a fork. Before it is asked, {@link fetchNodes} gets the nodes that deletions need. */
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

  /** The true root and its new nodes; undefined if a deletion needs a node that was not fetched for it. */
  of(writes: HashedWrites): ProvenState | undefined {
    const result = this.#compute(writes);
    return "stateRoot" in result ? result : undefined;
  }

  #compute({ changes, written }: HashedWrites): ProvenState | NeededNode {
    this.#result ??= new ProvenUpdate(this.#states.base, this.#keys, changes, this.#fetched).run(written());
    return this.#result;
  }

  /**
   * Fetches the nodes that deletions need, one by one, since each shows whether there is a next. Ends early at a node that
   * cannot be requested.
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

  /** The commit of the changes, with what the true root needs; unchanged if that cannot be computed. */
  commitOf(writes: HashedWrites, changes: StateCommit): StateCommit {
    const proven = this.of(writes);
    return proven === undefined ? changes : this.#states.commitOf(changes, proven);
  }
}
