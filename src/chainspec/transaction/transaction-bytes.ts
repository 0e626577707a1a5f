/**
 * Encodes transactions (EIP-2718, 155, 2930, 1559, 4844, 7702) from their fields: the bytes to sign, and the signed
 * bytes. Members are encoded once for both.
 */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import {
  BLOB_TYPE,
  FEE_MARKET_TYPE,
  LEGACY_TYPE,
  SET_CODE_TYPE,
  type TransactionFields,
} from "./transaction-fields.ts";

type UnsignedFields = Omit<TransactionFields, "sender">;

/** RLP of the members before the signature, concatenated, without a list header. */
export function encodeMembers(tx: UnsignedFields, chainId: bigint): Bytes {
  const writer = new RlpWriter(256 + tx.data.length);
  if (tx.type === SET_CODE_TYPE) writeAuthorizations(writer, tx);
  if (tx.type === BLOB_TYPE) {
    writeStrings(writer, tx.blobVersionedHashes);
    writer.integer(tx.maxFeePerBlobGas);
  }
  if (tx.type !== LEGACY_TYPE) writeAccessList(writer, tx);
  writer.string(tx.data);
  writer.integer(tx.value);
  writer.string(tx.to ?? EMPTY_BYTES);
  writer.integer(tx.gasLimit);
  writer.integer(tx.maxFeePerGas);
  if (tx.type >= FEE_MARKET_TYPE) writer.integer(tx.maxPriorityFeePerGas);
  writer.integer(tx.nonce);
  if (tx.type !== LEGACY_TYPE) writer.integer(chainId);
  return writer.take();
}

/**
 * The bytes whose hash is signed.
 *
 * @param boundTo - chain id in the hash of a legacy transaction; undefined before EIP-155
 */
export function signingBytes(type: number, members: Bytes, boundTo: bigint | undefined): Bytes {
  if (type !== LEGACY_TYPE) return joined(type, members, []);
  return joined(type, members, boundTo === undefined ? [] : [boundTo, 0n, 0n]);
}

/** @param signature - the last members: `v` of a legacy transaction, the y parity of any other; `r`; `s` */
export function signedBytes(type: number, members: Bytes, signature: readonly [bigint, bigint, bigint]): Bytes {
  return joined(type, members, signature);
}

/** The bytes with an all-zero signature, for simulated blocks, and as geth returns unsigned transactions. */
export function unsignedBytes(tx: UnsignedFields, chainId: bigint): Bytes {
  return signedBytes(tx.type, encodeMembers(tx, chainId), [0n, 0n, 0n]);
}

function joined(type: number, members: Bytes, last: readonly bigint[]): Bytes {
  const writer = new RlpWriter(members.length + 128);
  for (const integer of [...last].reverse()) writer.integer(integer);
  writer.raw(members);
  writer.list(0);
  if (type !== LEGACY_TYPE) writer.raw(Uint8Array.of(type));
  return writer.take();
}

function writeAccessList(writer: RlpWriter, { accessList }: UnsignedFields): void {
  const end = writer.length;
  for (let index = accessList.length - 1; index >= 0; index--) {
    const { address, storageKeys } = accessList[index] as (typeof accessList)[number];
    const entryEnd = writer.length;
    writeStrings(writer, storageKeys);
    writer.string(address);
    writer.list(entryEnd);
  }
  writer.list(end);
}

function writeAuthorizations(writer: RlpWriter, { authorizations }: UnsignedFields): void {
  const end = writer.length;
  for (let index = authorizations.length - 1; index >= 0; index--) {
    const entry = authorizations[index] as (typeof authorizations)[number];
    const entryEnd = writer.length;
    for (const integer of [entry.s, entry.r, entry.yParity, entry.nonce]) writer.integer(integer);
    writer.string(entry.address);
    writer.integer(entry.chainId);
    writer.list(entryEnd);
  }
  writer.list(end);
}

function writeStrings(writer: RlpWriter, strings: readonly Bytes[]): void {
  const end = writer.length;
  for (let index = strings.length - 1; index >= 0; index--) writer.string(strings[index] as Bytes);
  writer.list(end);
}
