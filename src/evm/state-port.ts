/** The state port: read access for engines, and for sinks during a transaction. */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../primitives/maybe-promise.ts";

/** An account as engines see it. It may exist and be empty, which mattered before EIP-161. */
export interface EvmAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  /** 32 bytes */
  readonly codeHash: Bytes;
}

/** Read access to accounts, storage and code. Synchronous where possible. */
export interface StateReader {
  /** The account at a 20-byte address; undefined if there is none. */
  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined>;
  /** Value of a 32-byte slot, without leading zeros; empty for zero and for absent accounts. */
  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes>;
  /** Code with a hash; empty for the hash of the empty string. */
  getCode(codeHash: Bytes): MaybePromise<Bytes>;
}

/** The state before the running transaction, with the effects of earlier ones. */
export interface EngineState extends StateReader {
  /** True if the account has a nonzero slot; needed for EIP-7610. */
  hasStorage(address: Bytes): MaybePromise<boolean>;
}
