/**
 * Applies the writes of many empty blocks to a state, one after the other, and computes the root after each.
 *
 * It is a working state without what those blocks do not need: snapshots, transactions, and undoing, which would cost several
 * times as much as the writes. The tries stay open from block to block.
 */

import { ByteArena } from "../../primitives/bytes/byte-arena.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256Into } from "../../primitives/hash/hash.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import type { StateRoot } from "../state-id.ts";
import { decodeStorageValue, encodeAccount, encodeStorageValue, withStorageRoot } from "../trie/account-codec.ts";
import { fromNibbles, toNibbles } from "../trie/nibbles.ts";
import { Trie } from "../trie/trie.ts";
import type { TrieBacking, TrieReader } from "../trie/trie-reader.ts";
import {
  type AccountState,
  EMPTY_ACCOUNT,
  type HashedBytes,
  type StateCommit,
  type StateReader,
  type StateWrite,
} from "../view.ts";
import { encodeDerivedState } from "./derived-state.ts";

/** An account that was read, and its storage trie after the first write to it. */
interface OpenAccount {
  readonly address: Bytes;
  readonly path: Bytes;
  record: AccountState | undefined;
  /** RLP of the account record, if known. */
  encoded: Bytes | undefined;
  /** The previous RLP. The trie holds the current array, so the next encoding can reuse this one. */
  former: Bytes | undefined;
  storage: Trie | undefined;
  hasChanged: boolean;
}

/** One for each series of blocks. */
export class StateRun implements StateReader {
  readonly #backing: TrieBacking;
  readonly #base: TrieReader;
  readonly #accounts: Trie;
  readonly #open: OpenAccount[] = [];
  readonly #onCommit: (commit: StateCommit) => void;
  /** Allocates the bytes that commits hold. */
  readonly #arena = new ByteArena();
  readonly #digest = new Uint8Array(32);
  readonly #writer = new RlpWriter(256, this.#arena);
  #stateRoot: StateRoot;
  /** Addresses of accounts created since the last commit, by their hash. */
  #preimages: HashedBytes[] = [];

  /**
   * @param base - reads the initial state
   * @param onCommit - called with each commit, so that its state can be read before it is stored
   */
  constructor(backing: TrieBacking, base: TrieReader, onCommit: (commit: StateCommit) => void) {
    this.#backing = backing;
    this.#base = base;
    this.#onCommit = onCommit;
    this.#accounts = new Trie(backing.nodes, base.id, { run: this.#arena });
    this.#stateRoot = base.id;
  }

  /** Root of the current state. */
  get stateRoot(): StateRoot {
    return this.#stateRoot;
  }

  /** The current account; undefined if there is none. */
  getAccount(address: Bytes): AccountState | undefined {
    return this.#find(address).record;
  }

  /** Current value of a slot. */
  getStorage(address: Bytes, slot: Bytes): Bytes {
    const account = this.#find(address);
    if (account.record === undefined) return EMPTY_BYTES;
    const encoded = this.#storageOf(account, account.record).get(this.#pathOf(slot));
    return encoded === undefined ? EMPTY_BYTES : decodeStorageValue(encoded);
  }

  getCode(codeHash: Bytes): Bytes {
    return this.#base.getCode(codeHash);
  }

  /**
   * Applies writes.
   *
   * @throws {TypeError} for a slot of an account that does not exist
   * @throws {StoreError} `STORE_CORRUPT` if a trie node is missing
   */
  apply(writes: readonly StateWrite[]): void {
    for (const write of writes) {
      const account = this.#find(write.address);
      account.hasChanged = true;
      if ("slot" in write) this.#writeSlot(account, write.slot, write.value);
      else this.#setBalance(account, write.address, write.balance);
    }
  }

  #setBalance(account: OpenAccount, address: Bytes, balance: bigint): void {
    if (account.record === undefined) this.#preimages.push({ hash: fromNibbles(account.path), bytes: address });
    account.record = { ...(account.record ?? EMPTY_ACCOUNT), balance };
    account.encoded = undefined;
  }

  #writeSlot(account: OpenAccount, slot: Bytes, value: Bytes): void {
    if (account.record === undefined) throw new TypeError("StateRun: a slot of no account");
    const storage = this.#storageOf(account, account.record);
    const path = this.#pathOf(slot);
    if (value.length === 0) storage.delete(path);
    else storage.put(path, encodeStorageValue(value));
  }

  #storageOf(account: OpenAccount, record: AccountState): Trie {
    account.storage ??= new Trie(this.#backing.nodes, record.storageRoot, { run: this.#arena });
    return account.storage;
  }

  /** Not cached: each slot is written once, and caching would cost as much as the hash. */
  #pathOf(slot: Bytes): Bytes {
    return toNibbles(keccak256Into(slot, this.#digest));
  }

  /** Computes the state root. The cost grows with what changed since the last call. */
  computeStateRoot(): StateRoot {
    for (const account of this.#open) {
      if (!account.hasChanged || account.record === undefined) continue;
      account.hasChanged = false;
      const storageRoot = account.storage === undefined ? account.record.storageRoot : account.storage.root();
      const { encoded, former } = account;
      // The trie would keep the present array, which must not be overwritten.
      if (encoded !== undefined && equalBytes(storageRoot, account.record.storageRoot)) continue;
      const { nonce, balance, codeHash } = account.record;
      account.record = { nonce, balance, storageRoot, codeHash };
      account.former = encoded;
      account.encoded =
        encoded === undefined ? encodeAccount(account.record) : withStorageRoot(encoded, storageRoot, former);
      this.#accounts.put(account.path, account.encoded);
    }
    this.#stateRoot = this.#accounts.root() as StateRoot;
    return this.#stateRoot;
  }

  /** Applies writes and commits the result as a derived state, without trie nodes. It is readable once it is stored. */
  commitDerived(writes: readonly StateWrite[]): StateCommit {
    const baseRoot = this.#stateRoot;
    this.apply(writes);
    const stateRoot = this.computeStateRoot();
    const isSame = equalBytes(stateRoot, baseRoot);
    const derivedStates = isSame
      ? []
      : [{ hash: stateRoot, bytes: encodeDerivedState({ baseRoot, writes }, this.#writer) }];
    return { stateRoot, trieNodes: [], codes: [], preimages: this.#takePreimages(), derivedStates };
  }

  /**
   * Commits the state, with all nodes that neither an earlier commit nor the initial state has.
   *
   * @param instead - another commit of the same state, which will not be stored
   */
  commitState(instead?: StateCommit): StateCommit {
    const stateRoot = this.computeStateRoot();
    const preimages = [...(instead?.preimages ?? []), ...this.#takePreimages()];
    const trieNodes: HashedBytes[] = [];
    for (const { storage } of this.#open) storage?.commit(trieNodes);
    this.#accounts.commit(trieNodes);
    const commit = { stateRoot, trieNodes, codes: [], preimages };
    this.#onCommit(commit);
    return commit;
  }

  #takePreimages(): readonly HashedBytes[] {
    const taken = this.#preimages;
    if (taken.length > 0) this.#preimages = [];
    return taken;
  }

  #find(address: Bytes): OpenAccount {
    const known = this.#open.find((account) => equalBytes(account.address, address));
    if (known !== undefined) return known;
    const path = this.#backing.keys.ofAddress(address);
    const record = this.#base.getAccount(address);
    const fresh = {
      address,
      path,
      record,
      encoded: undefined,
      former: undefined,
      storage: undefined,
      hasChanged: false,
    };
    this.#open.push(fresh);
    return fresh;
  }
}
