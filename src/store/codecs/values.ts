/** Encodings of small values in the store. Decoders throw a RangeError for bytes that their encoder does not write. */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { isWholeRlpItem, isWholeRlpList } from "../../primitives/rlp/rlp-reader.ts";
import { readUint32, readUint64, writeUint32, writeUint64 } from "./keys.ts";

/** Block and index of a transaction in the canonical chain. */
export interface TransactionLocation {
  readonly blockNumber: bigint;
  readonly txIndex: number;
}

const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
const LOCATION_BYTES = 12;
const INT64_BYTES = 8;

/** 12 bytes: block number, then index in the block. */
export function encodeLocation({ blockNumber, txIndex }: TransactionLocation): Bytes {
  const value = new Uint8Array(LOCATION_BYTES);
  writeUint64(value, 0, blockNumber);
  writeUint32(value, 8, txIndex);
  return value;
}

/** Reverses {@link encodeLocation}. */
export function decodeLocation(value: Bytes): TransactionLocation {
  expectLength(value, LOCATION_BYTES);
  return { blockNumber: readUint64(value, 0), txIndex: readUint32(value, 8) };
}

/** An integer in the form of `bigIntToBytes`. */
export function decodeInteger(value: Bytes): bigint {
  if (value[0] === 0) throw new RangeError("a leading zero byte");
  return bytesToBigInt(value);
}

/**
 * Seconds between two times below 2^64, as a signed integer in two's complement: in 8 bytes, or in 9 if it needs 65
 * bits.
 */
export function encodeTimeOffset(value: bigint): Bytes {
  const isShort = BigInt.asIntN(64, value) === value;
  const bytes = new Uint8Array(isShort ? INT64_BYTES : INT64_BYTES + 1).fill(value < 0n ? 0xff : 0);
  writeUint64(bytes, bytes.length - INT64_BYTES, BigInt.asUintN(64, value));
  return bytes;
}

/** Reverses {@link encodeTimeOffset}. */
export function decodeTimeOffset(value: Bytes): bigint {
  if (value.length !== INT64_BYTES + 1) expectLength(value, INT64_BYTES);
  return BigInt.asIntN(8 * value.length, bytesToBigInt(value));
}

/** The value itself, which must have 32 bytes. */
export function decodeHash(value: Bytes): Bytes {
  expectLength(value, HASH_BYTES);
  return value;
}

/** The value itself, which must have 20 bytes. */
export function decodeAddress(value: Bytes): Bytes {
  expectLength(value, ADDRESS_BYTES);
  return value;
}

/** Hashes one after another, 32 bytes each. */
export function encodeHashes(hashes: readonly Bytes[]): Bytes {
  const value = new Uint8Array(hashes.length * HASH_BYTES);
  for (const [index, hash] of hashes.entries()) value.set(hash, index * HASH_BYTES);
  return value;
}

/** Reverses {@link encodeHashes}; the hashes share the value's memory. */
export function decodeHashes(value: Bytes): Bytes[] {
  if (value.length % HASH_BYTES !== 0) throw new RangeError(`${value.length} bytes are not a list of hashes`);
  const hashes: Bytes[] = [];
  for (let offset = 0; offset < value.length; offset += HASH_BYTES) {
    hashes.push(value.subarray(offset, offset + HASH_BYTES));
  }
  return hashes;
}

/** Addresses one after another, 20 bytes each. */
export function encodeAddresses(addresses: readonly Bytes[]): Bytes {
  const value = new Uint8Array(addresses.length * ADDRESS_BYTES);
  for (const [index, address] of addresses.entries()) value.set(address, index * ADDRESS_BYTES);
  return value;
}

/** Reverses {@link encodeAddresses}; the addresses share the value's memory. */
export function decodeAddresses(value: Bytes): Bytes[] {
  if (value.length % ADDRESS_BYTES !== 0) throw new RangeError(`${value.length} bytes are not a list of addresses`);
  const addresses: Bytes[] = [];
  for (let offset = 0; offset < value.length; offset += ADDRESS_BYTES) {
    addresses.push(value.subarray(offset, offset + ADDRESS_BYTES));
  }
  return addresses;
}

/** RLP that the caller decodes; only its outermost length is checked. */
export function decodeRlpList(value: Bytes): Bytes {
  if (!isWholeRlpList(value)) throw new RangeError(`${value.length} bytes are not an RLP list`);
  return value;
}

/** The value itself, which must be one RLP item to its last byte. What is inside is not looked at. */
export function decodeRlpItem(value: Bytes): Bytes {
  if (!isWholeRlpItem(value)) throw new RangeError(`${value.length} bytes are not an RLP item`);
  return value;
}

/** The value itself, for tables whose values only their owner understands. */
export function decodeAnything(value: Bytes): Bytes {
  return value;
}

function expectLength(value: Bytes, length: number): void {
  if (value.length !== length) throw new RangeError(`${value.length} bytes instead of ${length}`);
}
