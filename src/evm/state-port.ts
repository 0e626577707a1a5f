/** The state port: how an engine, and a sink while a transaction runs, reads accounts, storage and code. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";

/** An account as engines see it. An account that exists may be empty; before EIP-161 that made a difference. */
export interface EvmAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** 32 bytes */
  readonly codeHash: Bytes;
}

/** Read access to accounts, storage and code. Answers at once where it can. */
export interface StateReader {
  /** The account at a 20-byte address; undefined where there is none. */
  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined>;
  /** Value of a 32-byte slot, without leading zeros; empty for zero and for absent accounts. */
  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes>;
  /** Code behind a code hash; empty for the hash of the empty string. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
}

/** The state that an engine reads: what transactions before have left, never what the running one does. */
export interface EngineState extends StateReader {
  /** True if some slot of the account is not zero (EIP-7610 asks). */
  hasStorage(address: Bytes): MaybePromise<boolean>;
}
