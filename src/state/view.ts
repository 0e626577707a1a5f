/**
 * State views: what the executor and the services see of accounts, storage and code.
 *
 * Keys are bytes. A view answers synchronously where it can and returns a promise only where it must (a view over a
 * remote chain), so that a second engine can be served without an `await` per read. EthereumJS' StateManagerInterface
 * is one adapter over a view, never the view itself.
 */
import type { Bytes } from "../primitives/bytes.ts";

export type MaybePromise<T> = T | Promise<T>;

/** An account as the trie holds it (yellow paper §4.1). Immutable: a change is a new record. */
export interface AccountState {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** 32 bytes; root of the storage trie as of the last time the trie was computed, not of pending writes. */
  readonly storageRoot: Bytes;
  /** 32 bytes */
  readonly codeHash: Bytes;
}

/** Read access to one state. Never changes for the life of the reader. */
export interface StateReader {
  /** The account at a 20-byte address, or undefined if the state has none. */
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
  /** Value of a 32-byte slot, without leading zeros; empty for zero and for absent accounts. */
  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes>;
  /** Code behind a code hash; empty for the hash of the empty string. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
}

/** A trie node (RLP) or a code, under its 32-byte keccak hash. */
export interface HashedBytes {
  readonly hash: Bytes;
  readonly bytes: Bytes;
}

/** Where trie nodes and code come from: a port that the store implements. Content-addressed, hence never stale. */
export interface StateSource {
  getTrieNode(hash: Bytes): Bytes | undefined;
  getCode(hash: Bytes): Bytes | undefined;
  /** The address or slot behind a key of a trie; undefined where it was not kept. */
  getPreimage?(hash: Bytes): Bytes | undefined;
  /** What a state that is not stored itself is made of; undefined for any other. See `derived-state.ts`. */
  getDerivedState?(stateRoot: Bytes): Bytes | undefined;
}

/** One write of a {@link DerivedState}: a slot's value without leading zeros, or an account's balance in wei. */
export type StateWrite =
  | { readonly address: Bytes; readonly slot: Bytes; readonly value: Bytes }
  | { readonly address: Bytes; readonly balance: bigint };

/** A state as what a few writes make of another. */
export interface DerivedState {
  readonly baseRoot: Bytes;
  readonly writes: readonly StateWrite[];
}

/** What a commit adds to the store: all nodes and codes that the new root needs and the old one did not have. */
export interface StateCommit {
  readonly stateRoot: Bytes;
  readonly trieNodes: readonly HashedBytes[];
  readonly codes: readonly HashedBytes[];
  /** Addresses and slots that were written, as far as it is not known that the store has them. */
  readonly preimages?: readonly HashedBytes[];
  /** Encoded derived states under their root; a commit that has one needs no trie nodes to stay readable. */
  readonly derivedStates?: readonly HashedBytes[];
}

/** One slot that differs; values without leading zeros, empty for zero. */
export interface SlotChange {
  readonly slot: Bytes;
  readonly before: Bytes;
  readonly after: Bytes;
}

/** One account that differs between two moments; `undefined` means that the account did not exist. */
export interface AccountChange {
  readonly address: Bytes;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
  readonly slots: readonly SlotChange[];
}

/**
 * A state that can be written: a journaled overlay over a reader.
 *
 * Checkpoints nest and cost nothing until something is written; a revert costs what was written since.
 */
export interface WorkingStateView extends StateReader {
  putAccount(address: Bytes, account: AccountState): void;
  deleteAccount(address: Bytes): void;
  /** `value` without leading zeros; empty clears the slot. */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void;
  /** Forgets all slots of an account (contract creation over an address with storage). */
  clearStorage(address: Bytes): void;
  /** Stores code and sets the account's code hash, creating the account if there is none. */
  putCode(address: Bytes, code: Bytes): MaybePromise<void>;

  checkpoint(): void;
  commitCheckpoint(): void;
  revertCheckpoint(): void;

  /** Starts a transaction: original storage values and {@link transactionChanges} count from here. */
  beginTransaction(): void;
  /** Value of a slot when the transaction began (EIP-2200 "original value"). */
  getOriginalStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes>;
  /** Accounts that differ from the beginning of the transaction, ascending by address; slots ascending. */
  transactionChanges(): readonly AccountChange[];

  /** Root of the state trie with everything written so far. Cost follows what changed since the last call. */
  computeStateRoot(): Bytes;
  /** The root and what must be stored so that it stays readable. The view can be written on afterwards. */
  commitState(): StateCommit;
}
