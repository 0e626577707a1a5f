/** Reads a state on a fork: changes from stored tries, everything else from the state of the fork block. */
import { type Bytes, bigIntToFixedBytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT, keccak256 } from "../../primitives/hash/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { addressKey, wordKey } from "../map-keys.ts";
import type { ChangesRoot, StateId, StateRoot } from "../state-id.ts";
import { decodeLeaf, decodeStorageValue, type LeafDamage } from "../trie/account-codec.ts";
import type { TrieBacking } from "../trie/trie-reader.ts";
import { leavesFrom } from "../trie/trie-walk.ts";
import type { AccountState, StateBase } from "../view.ts";
import { type ChangedAccount, decodeChangedAccount } from "./changed-account.ts";
import type { RemoteState } from "./remote-state.ts";

const DAMAGED_LEAF: LeafDamage = {
  what: "A leaf of a trie holds neither a changed account nor a storage value.",
  fix: "Restore the folder from a copy, or delete it and fork the chain again.",
};

/** Most changed accounts that a reader caches; then the cache is cleared. */
const MAX_REMEMBERED = 10_000;
const FIRST_KEY = new Uint8Array(64);

/** The roots of a state on a fork. */
export interface OverlayRoots {
  readonly id: StateId;
  /** Of the trie of changes. */
  readonly trieRoot: ChangesRoot;
  /** The true state root, if it is known. */
  readonly provenRoot: StateRoot | undefined;
}

/** For one root of a fork. Reads of the fork block give a promise unless they are cached. */
export class OverlayReader implements StateBase {
  readonly id: StateId;
  readonly trieRoot: ChangesRoot;
  readonly provenRoot: StateRoot | undefined;
  readonly isOverlay = true;
  readonly #backing: TrieBacking;
  readonly #remote: RemoteState;
  readonly #changed = new Map<string, ChangedAccount | undefined>();
  /** By code hash: the changed account with that code. */
  readonly #codeOwners = new Map<string, Bytes>();

  constructor(backing: TrieBacking, remote: RemoteState, { id, trieRoot, provenRoot }: OverlayRoots) {
    this.#backing = backing;
    this.#remote = remote;
    this.id = id;
    this.trieRoot = trieRoot;
    this.provenRoot = provenRoot;
  }

  getAccount(address: Bytes): MaybePromise<AccountState | undefined> {
    const changed = this.changedAccount(address);
    if (changed !== undefined) return changed.account;
    const account = this.#remote.getAccount(address);
    if (account instanceof Promise) return account.then((found) => found && { ...found, storageRoot: EMPTY_TRIE_ROOT });
    return account && { ...account, storageRoot: EMPTY_TRIE_ROOT };
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const changed = this.changedAccount(address);
    if (changed === undefined) return this.#remote.getStorage(address, slot);
    if (changed.account === undefined) return EMPTY_BYTES;
    const { nodes, keys } = this.#backing;
    const encoded = nodes.lookUp(changed.account.storageRoot, keys.ofSlot(slot));
    if (encoded !== undefined) return this.#decode(encoded, decodeStorageValue);
    return changed.isWiped ? EMPTY_BYTES : this.#remote.getStorage(address, slot);
  }

  /**
   * Checks only the slots that were written on the fork, because storage on the forked chain cannot be listed. An
   * account without code and nonce has none there, except in histories before EIP-161.
   */
  hasStorage(address: Bytes): boolean {
    const account = this.changedAccount(address)?.account;
    if (account === undefined) return false;
    for (const { value } of leavesFrom(this.#backing.nodes, account.storageRoot, FIRST_KEY)) {
      if (this.#decode(value, decodeStorageValue).length > 0) return true;
    }
    return false;
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return this.#backing.codes.find(codeHash) ?? this.#remoteCode(codeHash);
  }

  /**
   * Code of the forked chain is read by way of its account, which for a changed account has not been read there yet.
   */
  #remoteCode(codeHash: Bytes): MaybePromise<Bytes> {
    const owner = this.#codeOwners.get(wordKey(codeHash));
    const read = owner === undefined ? undefined : this.#remote.getAccount(owner);
    return read instanceof Promise ? read.then(() => this.#remote.getCode(codeHash)) : this.#remote.getCode(codeHash);
  }

  /** True if the changes are relative to this state. */
  isBasedOn(remote: RemoteState | undefined): boolean {
    return this.#remote === remote;
  }

  /** RLP of a trie node of the forked chain, if it is known from a proof. */
  getRemoteNode(hash: Bytes): Bytes | undefined {
    return this.#remote.getTrieNode(hash);
  }

  /**
   * Fetches the trie node of the forked chain at a path, by the proof of some key below it.
   *
   * @param address - the account in whose storage it is; undefined for a node of the state trie
   * @returns false if the path is too long to find such a key
   * @throws {RemoteError} if the forked chain cannot be read
   */
  async fetchNode(address: Bytes | undefined, path: Bytes): Promise<boolean> {
    if (path.length > MAX_SEARCHED_PATH) return false;
    if (address === undefined) await this.#remote.getAccount(await keyBelow(path, 20));
    else await this.#remote.getStorage(address, await keyBelow(path, 32));
    return true;
  }

  /** Fetches what the forked chain says of an account and of slots, with its proofs where it proves anything. */
  async fetch({ address, slots }: { readonly address: Bytes; readonly slots: readonly Bytes[] }): Promise<void> {
    await Promise.all([
      this.#remote.getAccount(address),
      ...slots.map((slot) => this.#remote.getStorage(address, slot)),
    ]);
  }

  /** The changed account; undefined if it was not changed on the fork. */
  changedAccount(address: Bytes): ChangedAccount | undefined {
    const key = addressKey(address);
    if (this.#changed.has(key)) return this.#changed.get(key);
    const leaf = this.#backing.nodes.lookUp(this.trieRoot, this.#backing.keys.ofAddress(address));
    const changed = leaf === undefined ? undefined : this.#decode(leaf, decodeChangedAccount);
    if (this.#changed.size >= MAX_REMEMBERED) this.#changed.clear();
    this.#changed.set(key, changed);
    if (changed?.account !== undefined) this.#codeOwners.set(wordKey(changed.account.codeHash), address);
    return changed;
  }

  storageTrieOf(address: Bytes): Bytes {
    return this.changedAccount(address)?.account?.storageRoot ?? EMPTY_TRIE_ROOT;
  }

  #decode<T>(bytes: Bytes, decode: (bytes: Bytes) => T): T {
    return decodeLeaf(bytes, decode, this.id, DAMAGED_LEAF);
  }
}

/**
 * Longest path, in nibbles, for which a key is searched. It takes 65,536 hashes on average, and 16 times as many for
 * each further nibble.
 */
export const MAX_SEARCHED_PATH = 4;
/** Hashes between two looks at the clock. */
const HASHES_A_STEP = 256n;

/**
 * An address or slot whose hash begins with a path: always the same one. Yields to the event loop.
 *
 * @param path - nibbles, at most {@link MAX_SEARCHED_PATH}
 * @param length - of the key in bytes
 */
export async function keyBelow(path: Bytes, length: 20 | 32): Promise<Bytes> {
  const breaks = new Breaks();
  for (let counter = 0n; ; counter++) {
    const key = bigIntToFixedBytes(counter, length);
    if (beginsWith(keccak256(key), path)) return key;
    if (counter % HASHES_A_STEP === 0n) await breaks.check();
  }
}

function beginsWith(hash: Bytes, path: Bytes): boolean {
  for (let index = 0; index < path.length; index++) {
    const byte = hash[index >> 1] as number;
    if ((index % 2 === 0 ? byte >> 4 : byte & 15) !== path[index]) return false;
  }
  return true;
}
