/**
 * State views: access of the executor and the services to accounts, storage and code.
 *
 * Keys are bytes. A view answers synchronously if it can and returns a promise only if it must (over a forked chain),
 * because engines would be slow with an `await` per read.
 */
import type { TransactionEffects } from "../evm/engine.ts";
import type { EngineState, EvmAccount, StateReader as EvmStateReader } from "../evm/state-port.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../primitives/hash/hash.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { OwnStateId, StateId } from "./state-id.ts";

/** An account in the trie (yellow paper §4.1). Immutable: a change makes a new record. */
export interface AccountState extends EvmAccount {
  /** 32 bytes; root of the storage trie when the trie was last computed, without pending writes. */
  readonly storageRoot: Bytes;
}

/** Read access to one state, which does not change. */
export interface StateReader extends EvmStateReader {
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
}

/** An account with its code in place of the code's hash. */
export interface AccountInfo {
  /** wei */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Bytes;
}

/** An account and its code; undefined if the state does not have it. */
export async function readAccountInfo(state: StateReader, address: Bytes): Promise<AccountInfo | undefined> {
  const account = await state.getAccount(address);
  if (account === undefined) return undefined;
  return { balance: account.balance, nonce: account.nonce, code: await state.getCode(account.codeHash) };
}

/** A state to execute on: a stored one; on a fork its stored changes over the forked chain. */
export interface StateBase extends StateReader, EngineState {
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
  readonly id: StateId;
  /** Root of its trie of accounts; on a fork of those that were changed. */
  readonly trieRoot: Bytes;
  /** True if its tries hold only changes; see `remote/changed-account.ts`. */
  readonly isOverlay: boolean;
  /** Root of the stored trie of an account's slots. */
  storageTrieOf(address: Bytes): Bytes;
  /** The stored change of an account in a trie of changes. */
  changedAccount?(address: Bytes): { readonly isWiped: boolean } | undefined;
}

/** A trie node (RLP) or a code, with its keccak256 hash of 32 bytes. */
export interface HashedBytes {
  readonly hash: Bytes;
  readonly bytes: Bytes;
}

/** Source of trie nodes and codes: a port that the store implements. Values are identified by their hash. */
export interface StateSource {
  getTrieNode(hash: Bytes): Bytes | undefined;
  getCode(hash: Bytes): Bytes | undefined;
  /** The address or slot whose hash is a trie's key; undefined if it was not stored. */
  getPreimage?(hash: Bytes): Bytes | undefined;
  /** The encoding of a derived state; undefined for any other state. See `derived-state.ts`. */
  getDerivedState?(stateRoot: Bytes): Bytes | undefined;
}

/** A write of a {@link DerivedState}: a slot's value without leading zeros, or an account's balance in wei. */
export type StateWrite =
  | { readonly address: Bytes; readonly slot: Bytes; readonly value: Bytes }
  | { readonly address: Bytes; readonly balance: bigint };

/** A state described by a few writes to another one. */
export interface DerivedState {
  readonly baseRoot: Bytes;
  readonly writes: readonly StateWrite[];
}

/** Additions of a commit to the store: all nodes and codes that the new state has and the old one did not. */
export interface StateCommit {
  readonly stateRoot: OwnStateId;
  readonly trieNodes: readonly HashedBytes[];
  readonly codes: readonly HashedBytes[];
  /** Addresses and slots that were written and may not be in the store yet. */
  readonly preimages?: readonly HashedBytes[];
  /** Encoded derived states by root. A commit that has one needs no trie nodes to stay readable. */
  readonly derivedStates?: readonly HashedBytes[];
}

/** A changed slot; values without leading zeros, empty for zero. */
export interface SlotChange {
  readonly slot: Bytes;
  readonly before: Bytes;
  readonly after: Bytes;
}

/** A changed account; `undefined` means that the account does not exist. */
export interface AccountChange {
  readonly address: Bytes;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
  readonly slots: readonly SlotChange[];
  /** For a destroyed account: values that the transaction wrote into its slots before. */
  readonly lost?: readonly SlotChange[];
}

/** A writable state: an overlay over a reader. */
export interface WorkingStateView extends StateReader, EngineState {
  getAccount(address: Bytes): MaybePromise<AccountState | undefined>;
  putAccount(address: Bytes, account: AccountState): void;
  /** `value` without leading zeros; empty clears the slot. */
  putStorage(address: Bytes, slot: Bytes, value: Bytes): void;
  /** Removes all slots of an account. */
  clearStorage(address: Bytes): void;
  /** Stores code and sets the account's code hash. Creates the account if there is none. */
  putCode(address: Bytes, code: Bytes): MaybePromise<void>;

  /** Applies the effects of a transaction; {@link transactionChanges} describes them until the next one. */
  apply(effects: Pick<TransactionEffects, "writes">): void;
  /** Accounts changed by the last applied transaction, ascending by address; slots ascending. */
  transactionChanges(): readonly AccountChange[];

  /** Root of the state trie with all writes so far. The cost depends on the changes since the last call. */
  computeStateRoot(): Bytes;
  /** The root, and the data to store so that it stays readable. The view remains writable. */
  commitState(): StateCommit;
}

/** An account before its first change. All callers share the object, so that it must not be changed. */
export const EMPTY_ACCOUNT: AccountState = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_TRIE_ROOT,
  codeHash: EMPTY_CODE_HASH,
};
