/**
 * The true state root above a fork with proofs: applies writes to the tries of the forked chain, of which only the nodes
 * of proofs are known.
 *
 * A put needs only the nodes of its key's proof. A deletion may also need the node beside the deleted one. That node is
 * used only if a changed key begins with its path, or if the caller fetched it for this purpose: nodes that a machine
 * happens to have read must not decide about a root, because other machines have read others.
 */

import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { addressKey } from "../map-keys.ts";
import type { StateRoot } from "../state-id.ts";
import { decodeAccount, encodeAccount, encodeStorageValue } from "../trie/account-codec.ts";
import { Trie, UnknownSibling } from "../trie/trie.ts";
import type { TrieKeys } from "../trie/trie-keys.ts";
import { TrieNodes } from "../trie/trie-nodes.ts";
import type { AccountState, HashedBytes, StateCommit } from "../view.ts";

/** A node of the forked chain that a deletion needs, and no proof of a changed key has. */
export interface NeededNode {
  /** The account in whose storage it is; undefined for a node of the state trie. */
  readonly address: Bytes | undefined;
  /** Nibbles from the root of its trie. */
  readonly path: Bytes;
}

/** A state with a true root. */
export interface ProvenBase {
  readonly stateRoot: StateRoot;
  /** RLP of a node of the forked chain, if it is known from a proof. */
  getRemoteNode(hash: Bytes): Bytes | undefined;
  /** RLP of a node that was stored with an earlier true state. */
  getStoredNode(hash: Bytes): Bytes | undefined;
}

/** True roots for the states that follow from a base. */
export interface ProvenStates {
  readonly base: ProvenBase;
  /** Fetches a node from the forked chain. Returns false if it cannot be requested. @throws {RemoteError} */
  fetchNode(needed: NeededNode): Promise<boolean>;
  /** The commit of a state with a true root, from that of its changes. */
  commitOf(changes: StateCommit, proven: ProvenState): StateCommit;
}

/** An account of a working state, with the slots that were read or written. */
export interface AccountWithSlots {
  readonly address: Bytes;
  /** The address as a key of a map. */
  readonly key: string;
  readonly storage: {
    /** False if the storage was cleared, so that nothing of the base's is left. */
    readonly hasBase: boolean;
    values(): Iterable<{ readonly slot: Bytes; readonly value: Bytes | undefined; readonly isWritten: boolean }>;
  };
}

/** Tells where the tries of changes have keys, the present writes included. */
export interface ChangedKeys {
  hasAccountBelow(prefix: Bytes): boolean;
  hasSlotBelow(account: AccountWithSlots, prefix: Bytes): boolean;
}

/** A true state root and what has to be stored with it. */
export interface ProvenState {
  readonly stateRoot: StateRoot;
  /** New nodes, and those of the forked chain that were read. */
  readonly trieNodes: readonly HashedBytes[];
}

/** Identifies a needed node in {@link ProvenUpdate}'s set of fetched ones. */
export function nodeName({ address, path }: NeededNode): string {
  return `${address === undefined ? "" : addressKey(address)}/${path.join()}`;
}

/** Memory for decoded nodes, in bytes. */
const NODE_CACHE_BYTES = 8_000_000;

/** Applies the writes of a working state to a base with a true root. */
export class ProvenUpdate {
  readonly #keys: TrieKeys;
  readonly #changes: ChangedKeys;
  readonly #nodes: TrieNodes;
  readonly #accounts: Trie;
  readonly #fetched: ReadonlySet<string>;
  readonly #added: HashedBytes[] = [];

  /** @param fetched - names of needed nodes that were fetched, see {@link nodeName} */
  constructor(base: ProvenBase, keys: TrieKeys, changes: ChangedKeys, fetched: ReadonlySet<string>) {
    this.#keys = keys;
    this.#changes = changes;
    this.#fetched = fetched;
    const getTrieNode = (hash: Bytes): Bytes | undefined => {
      const bytes = base.getRemoteNode(hash);
      if (bytes === undefined) return base.getStoredNode(hash);
      // Stored too, because later blocks need it and the proofs may be gone by then.
      this.#added.push({ hash, bytes });
      return bytes;
    };
    this.#nodes = new TrieNodes([{ getTrieNode }], NODE_CACHE_BYTES);
    this.#accounts = new Trie(this.#nodes, base.stateRoot, {
      maySee: (path) => changes.hasAccountBelow(path) || fetched.has(nodeName({ address: undefined, path })),
    });
  }

  /**
   * The state after the writes, or a node that a deletion needs and that must not be used.
   *
   * @param accounts - all accounts written since the base, each with its record
   * @throws {StoreError} `STORE_CORRUPT` if a written key was not read before
   */
  run(accounts: Iterable<readonly [AccountWithSlots, AccountState | undefined]>): ProvenState | NeededNode {
    let address: Bytes | undefined;
    try {
      // Deletions come last, so that their order among the writes does not decide which nodes they need.
      const deleted: Bytes[] = [];
      for (const [account, record] of accounts) {
        const path = this.#keys.ofAddress(account.address);
        address = account.address;
        if (record === undefined) deleted.push(path);
        else this.#accounts.put(path, encodeAccount(record, this.#storageRoot(account, this.#accounts.get(path))));
      }
      address = undefined;
      for (const path of deleted) this.#accounts.delete(path);
    } catch (error) {
      if (error instanceof UnknownSibling) return { address, path: error.path };
      throw error;
    }
    const stateRoot = this.#accounts.root() as StateRoot;
    this.#accounts.commit(this.#added);
    return { stateRoot, trieNodes: this.#added };
  }

  /** @param before - RLP of the account in the base */
  #storageRoot(account: AccountWithSlots, before: Bytes | undefined): Bytes {
    const { storage } = account;
    const base = storage.hasBase && before !== undefined ? decodeAccount(before).storageRoot : EMPTY_TRIE_ROOT;
    const { address } = account;
    const trie = new Trie(this.#nodes, base, {
      maySee: (path) => this.#changes.hasSlotBelow(account, path) || this.#fetched.has(nodeName({ address, path })),
    });
    const deleted: Bytes[] = [];
    for (const { slot, value, isWritten } of storage.values()) {
      // Without a value the write was reverted to the base's value, which the trie has.
      if (!isWritten || value === undefined) continue;
      const path = this.#keys.ofSlot(slot);
      if (value.length === 0) deleted.push(path);
      else trie.put(path, encodeStorageValue(value));
    }
    for (const path of deleted) trie.delete(path);
    const root = trie.root();
    if (!equalBytes(root, base)) trie.commit(this.#added);
    return root;
  }
}
