/**
 * Computes the true state root of a fork: applies its writes to the tries of the forked chain, of which only those nodes are known
 * that came with proofs (`eth_getProof`).
 *
 * To write a value, the nodes from the root down to its key suffice, and its proof has them. A deletion that leaves a branch with
 * one child joins the two, for which it has to know that child (yellow paper, appendix D). The child may be known by chance, since
 * something below it was read. It is used only if a changed key lies below it, or if it was fetched for the deletion: otherwise the
 * same blocks would have a true root on one machine, and none on another that has read less.
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

/** The node of the forked chain that a deletion needs, and that must be fetched for it. */
export interface NeededNode {
  /** The account in whose storage it is; undefined for a node of the state trie. */
  readonly address: Bytes | undefined;
  /** Nibbles from the root of its trie. */
  readonly path: Bytes;
}

/** A state whose true root is known: where the writes of later ones begin. */
export interface ProvenBase {
  readonly stateRoot: StateRoot;
  /** RLP of a node of the forked chain, if it is known from a proof. */
  getRemoteNode(hash: Bytes): Bytes | undefined;
  /** RLP of a node that was stored with an earlier true state. */
  getStoredNode(hash: Bytes): Bytes | undefined;
}

/** Computes and stores true roots of the states that begin with a base. */
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

/** Says whether a key below a path was changed on the fork, by stored changes or by those that are being written. */
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

/** Applies the writes of a working state to a base. Lives for one computation. */
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
   * The true root after the writes; or the node that has to be fetched first, because a deletion needs it.
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
