/** Call requests, and their conversion to transactions. */

import { InvalidParamsError, TransactionRejectedError } from "../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import {
  ACCESS_LIST_TYPE,
  type AccessListEntry,
  type Authorization,
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "./transaction-fields.ts";

/** A call request; all members are optional. wei and gas. */
export interface CallRequest {
  readonly from?: Bytes | undefined;
  readonly to?: Bytes | undefined;
  readonly gasLimit?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly data?: Bytes | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
  readonly chainId?: bigint | undefined;
  readonly type?: bigint | undefined;
  readonly maxFeePerBlobGas?: bigint | undefined;
  readonly blobVersionedHashes?: readonly Bytes[] | undefined;
  readonly authorizations?: readonly Authorization[] | undefined;
  /** The first member of the request that has blobs, or proves them. They have no effect on a simulation. */
  readonly blobMember?: "blobs" | "commitments" | "proofs" | undefined;
}

/** The transaction type implied by a call's members; `fallback` if they imply none. */
export function typeOfCall(call: CallRequest, fallback: number): number {
  if (call.type !== undefined) return Number(call.type);
  if (call.authorizations !== undefined) return SET_CODE_TYPE;
  if (call.blobVersionedHashes !== undefined) return BLOB_TYPE;
  if (call.maxFeePerGas !== undefined || call.maxPriorityFeePerGas !== undefined) return FEE_MARKET_TYPE;
  if (call.gasPrice !== undefined) return call.accessList === undefined ? LEGACY_TYPE : ACCESS_LIST_TYPE;
  return call.accessList === undefined ? fallback : Math.max(fallback, ACCESS_LIST_TYPE);
}

/**
 * Checks the chain id of a call, if it has one.
 *
 * @throws {TransactionRejectedError} `CALL_OF_ANOTHER_CHAIN`
 */
export function checkCallChainId(call: CallRequest, chainId: bigint): void {
  if (call.chainId === undefined || call.chainId === chainId) return;
  throw new TransactionRejectedError({
    code: "CALL_OF_ANOTHER_CHAIN",
    what: `chainId does not match node's (have=${call.chainId}, want=${chainId})`,
  });
}

/**
 * Refuses a creation without init code.
 *
 * @throws {InvalidParamsError} `TRANSACTION_INCONSISTENT`
 */
export function checkCreation(call: CallRequest): void {
  if (call.to !== undefined || (call.data ?? EMPTY_BYTES).length > 0) return;
  throw new InvalidParamsError({
    code: "TRANSACTION_INCONSISTENT",
    what: "contract creation without any data provided",
    fix: "Give to for a call or a transfer, or data for the contract to create.",
    values: { isEmptyCreation: true },
  });
}

/** True if a call has a gas price; otherwise it is free. */
export function statesPrice(call: CallRequest): boolean {
  return (call.gasPrice ?? 0n) > 0n || (call.maxFeePerGas ?? 0n) > 0n;
}

/**
 * The transaction that simulates a call: sender, price and value are zero unless given.
 *
 * @param gasLimit - for calls without one
 * @param nonce - for calls without one: the sender's
 */
export function transactionOfCall(call: CallRequest, gasLimit: bigint, nonce: bigint): TransactionFields {
  const maxFeePerGas = call.maxFeePerGas ?? call.gasPrice ?? 0n;
  return {
    type: typeOfCall(call, LEGACY_TYPE),
    sender: call.from ?? ZERO_ADDRESS,
    to: call.to,
    nonce: call.nonce ?? nonce,
    gasLimit: call.gasLimit ?? gasLimit,
    value: call.value ?? 0n,
    data: call.data ?? EMPTY_BYTES,
    maxFeePerGas,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? call.gasPrice ?? 0n,
    accessList: call.accessList ?? [],
    blobVersionedHashes: call.blobVersionedHashes ?? [],
    maxFeePerBlobGas: call.maxFeePerBlobGas ?? 0n,
    authorizations: call.authorizations ?? [],
  };
}
