/** Members of transactions of all types. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** An address and slots of 32 bytes that are warm from the start (EIP-2930). */
export interface AccessListEntry {
  readonly address: Bytes;
  readonly storageKeys: readonly Bytes[];
}

/** One EIP-7702 authorization. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Bytes;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** The members that execution needs, signed or not. wei and gas. */
export interface TransactionFields {
  readonly type: number;
  readonly sender: Bytes;
  /** undefined for a contract creation */
  readonly to: Bytes | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly value: bigint;
  readonly data: Bytes;
  /** Types 0 and 1: the gas price; otherwise the fee cap. */
  readonly maxFeePerGas: bigint;
  /** Types 0 and 1: the gas price; otherwise the tip cap. */
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly AccessListEntry[];
  readonly blobVersionedHashes: readonly Bytes[];
  /** For type 3; 0 for others. */
  readonly maxFeePerBlobGas: bigint;
  readonly authorizations: readonly Authorization[];
  /** wei that come into being with the transaction, for the sender, even if it fails: deposits of OP chains. */
  readonly mint?: bigint;
}

/** A transaction without a type byte. */
export const LEGACY_TYPE = 0;
/** EIP-2930, from Berlin on. */
export const ACCESS_LIST_TYPE = 1;
/** EIP-1559, from London on. */
export const FEE_MARKET_TYPE = 2;
/** EIP-4844, from Cancun on. */
export const BLOB_TYPE = 3;
/** EIP-7702, from Prague on. */
export const SET_CODE_TYPE = 4;
/** A deposit from the chain below, in blocks of OP chains (OP Stack specification, "Deposits"). */
export const DEPOSIT_TYPE = 0x7e;
