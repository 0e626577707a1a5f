/**
 * Transactions that nobody signed, as a simulated block holds them: the encodings of their types with a signature of
 * zeros (EIP-2718, 2930, 1559, 4844, 7702).
 *
 * EthereumJS' classes cannot be used for it: they refuse fields that only a simulation can have, such as the last nonce.
 */
import { RLP } from "@ethereumjs/rlp";
import { type Bytes, bigIntToBytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { type Authorization, BLOB_TYPE, FEE_MARKET_TYPE, LEGACY_TYPE, type TransactionFields } from "./transaction.ts";

type RlpItem = Bytes | RlpItem[];

export interface EncodedTransaction {
  readonly hash: Bytes;
  /** EIP-2718 bytes. */
  readonly bytes: Bytes;
  /** What a block body's list holds: a list for legacy, a byte string otherwise. */
  readonly bodyItem: RlpItem;
}

/** A transaction of any type with `v`, `r` and `s` zero. */
export function encodeUnsigned(tx: TransactionFields, chainId: bigint): EncodedTransaction {
  const list = [...membersOf(tx, chainId), EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES];
  const encoded = RLP.encode(list);
  if (tx.type === LEGACY_TYPE) return { hash: keccak256(encoded), bytes: encoded, bodyItem: list };
  const bytes = new Uint8Array(encoded.length + 1);
  bytes[0] = tx.type;
  bytes.set(encoded, 1);
  return { hash: keccak256(bytes), bytes, bodyItem: bytes };
}

function membersOf(tx: TransactionFields, chainId: bigint): RlpItem[] {
  const { type } = tx;
  const integer = bigIntToBytes;
  const target = [integer(tx.gasLimit), tx.to ?? EMPTY_BYTES, integer(tx.value), tx.data];
  if (type === LEGACY_TYPE) return [integer(tx.nonce), integer(tx.maxFeePerGas), ...target];
  const fees =
    type >= FEE_MARKET_TYPE ? [integer(tx.maxPriorityFeePerGas), integer(tx.maxFeePerGas)] : [integer(tx.maxFeePerGas)];
  const members: RlpItem[] = [integer(chainId), integer(tx.nonce), ...fees, ...target];
  members.push(tx.accessList.map(({ address, storageKeys }): RlpItem => [address, [...storageKeys]]));
  if (type === BLOB_TYPE) members.push(integer(tx.maxFeePerBlobGas), [...tx.blobVersionedHashes]);
  if (type > BLOB_TYPE) members.push(tx.authorizations.map(authorizationItem));
  return members;
}

function authorizationItem({ chainId, address, nonce, yParity, r, s }: Authorization): RlpItem {
  const integer = bigIntToBytes;
  return [integer(chainId), address, integer(nonce), integer(yParity), integer(r), integer(s)];
}
