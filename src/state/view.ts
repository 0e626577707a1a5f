/**
 * State views: what the executor and the services see of accounts, storage and code.
 *
 * Keys are bytes. A view answers synchronously where it can and returns a promise only where it must (a view over a
 * remote chain), so that engines are served without an `await` per read.
 */
import type { TransactionEffects } from "../evm/engine.ts";
import type { EngineState, EvmAccount, StateReader as EvmStateReader } from "../evm/state-port.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";

/** An account as the trie holds it (yellow paper §4.1). Immutable: a change is a new record. */
export interface AccountState extends EvmAccount {
  /** 32 bytes; root of the storage trie as of the last time the trie was computed, not of pending writes. */
  readonly storageRoot: Bytes;
}

/** Read access to one state. Never changes for the life of the reader. */
export interface StateReader extends EvmStateReader {
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
}

/**
 * A state that can be worked on: a stored one, or on a fork one that stores what was changed and reads all else from the
 * other chain.
 */
export interface StateBase extends StateReader, EngineState {
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
  /** What the state goes by. */
  readonly stateRoot: Bytes;
  /** Root of its trie of accounts. */
  readonly trieRoot: Bytes;
  /** Its tries hold changes alone; see `remote/changed-account.ts`. */
  readonly isOverlay: boolean;
  /** Root of the trie of an account's slots, read from what is stored here. */
  storageTrieOf(address: Bytes): Bytes;
  /** What is stored of an account in a trie of changes. */
  changedAccount?(address: Bytes): { readonly isWiped: boolean } | undefined;
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
  /** Of an account that was destroyed: what the transaction wrote into its slots before. */
  readonly lost?: readonly SlotChange[];
}

/** A state that can be written: an overlay over a reader. */
export interface WorkingStateView extends StateReader, EngineState {
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
  putAccount(address: Bytes, account: AccountState): void;
  /** `value` without leading zeros; empty clears the slot. */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void;
  /** Forgets all slots of an account. */
  clearStorage(address: Bytes): void;
  /** Stores code and sets the account's code hash, creating the account if there is none. */
  putCode(address: Bytes, code: Bytes): MaybePromise<void>;

  /** Takes over what a transaction did: {@link transactionChanges} tells of it until the next one. */
  apply(effects: Pick<TransactionEffects, "writes">): void;
  /** Accounts that the last applied transaction changed, ascending by address; slots ascending. */
  transactionChanges(): readonly AccountChange[];

  /** Root of the state trie with everything written so far. Cost follows what changed since the last call. */
  computeStateRoot(): Bytes;
  /** The root and what must be stored so that it stays readable. The view can be written on afterwards. */
  commitState(): StateCommit;
}
