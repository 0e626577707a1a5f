/** Reads a transaction back from the bytes that were just made of its members. */
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { decodeFields } from "./decode-transaction.ts";
import { type SignedFields, undecodable } from "./transaction.ts";
import type { TransactionFields } from "./transaction-fields.ts";

/** Members with their names in requests. Some are in the bytes of some types only. */
const NAMES = {
  type: "type",
  nonce: "nonce",
  gasLimit: "gas",
  to: "to",
  value: "value",
  data: "data",
  maxFeePerGas: "maxFeePerGas",
  maxPriorityFeePerGas: "maxPriorityFeePerGas",
  accessList: "accessList",
  maxFeePerBlobGas: "maxFeePerBlobGas",
  blobVersionedHashes: "blobVersionedHashes",
  authorizations: "authorizationList",
} as const satisfies Partial<Record<keyof TransactionFields, string>>;

/**
 * The members as a reader of the bytes sees them. Everything that is signed, pooled or mined is made of this result, so
 * that a block with it can be read again.
 *
 * @param fields - that the bytes were made of
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION` for a member that is too large for its place in the bytes, or
 * that has none in this type
 */
export function readBack(fields: Omit<TransactionFields, "sender">, encoded: Uint8Array): SignedFields {
  const read = decodeFields(encoded);
  for (const name of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    if (isEqual(fields[name], read[name])) continue;
    throw undecodable(`a transaction of type ${fields.type} cannot have this ${NAMES[name]}`);
  }
  return read;
}

function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && equalBytes(left, right);
  const members = Object.entries(left);
  if (members.length !== Object.keys(right).length) return false;
  return members.every(([name, value]) => isEqual(value, (right as Record<string, unknown>)[name]));
}
