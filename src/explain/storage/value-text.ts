/** Formats storage values: numbers in decimal, addresses with checksum, strings in quotes. */
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { formatText } from "../abi/format-value.ts";
import type { StorageType, ValueType } from "../source/storage-type.ts";

const SLOT_BYTES = 32;
const LONGEST_SHORT = 31;

/** Formats a word as 64 hexadecimal digits. */
export function wordText(word: bigint): string {
  return encodeData(bigIntToFixedBytes(word, SLOT_BYTES));
}

/** Formats a value in a slot. `offset` is the number of bytes in the slot to the right of it. */
export function valueText(type: StorageType | undefined, word: bigint, offset: number): string {
  if (type === undefined) return bytesText(bigIntToFixedBytes(word, SLOT_BYTES), "bytes");
  if (type.kind === "bytes") return stringText(type.label, word);
  return type.kind === "value" ? scalarText(type, scalarOf(type, word, offset)) : wordText(word);
}

/** Extracts the bits of a value from its slot. */
export function scalarOf({ bytes }: Pick<ValueType, "bytes">, word: bigint, offset: number): bigint {
  return (word >> BigInt(offset * 8)) & ((1n << BigInt(bytes * 8)) - 1n);
}

function scalarText({ label, bytes, members }: ValueType, bits: bigint): string {
  if (members !== undefined) return members[Number(bits)] ?? bits.toString();
  if (label === "bool") return bits === 0n ? "false" : bits === 1n ? "true" : bits.toString();
  if (label === "address" || label.startsWith("contract ")) return checksumAddress(bigIntToFixedBytes(bits, bytes));
  if (label.startsWith("int")) return BigInt.asIntN(bytes * 8, bits).toString();
  if (label.startsWith("bytes") || label === "function") return encodeData(bigIntToFixedBytes(bits, bytes));
  return bits.toString();
}

/** A short string shares the slot with twice its length. For a long one the slot holds twice its length plus one. */
function stringText(label: string, word: bigint): string {
  if ((word & 1n) === 1n) return `(${(word - 1n) / 2n} bytes)`;
  const bytes = bigIntToFixedBytes(word, SLOT_BYTES);
  const length = Number(word & 0xffn) / 2;
  return length > LONGEST_SHORT ? wordText(word) : bytesText(bytes.subarray(0, length), label);
}

/** Puts the bytes in quotes if they are text. */
export function bytesText(bytes: Bytes, label: string): string {
  const text = label === "bytes" ? undefined : textOf(bytes);
  return text === undefined ? encodeData(bytes) : formatText(text);
}

function textOf(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Formats a key of a mapping, given as the bytes that were hashed. */
export function keyText(type: StorageType, key: Bytes): string {
  if (type.kind === "bytes") return bytesText(key, type.label);
  if (type.kind !== "value") return encodeData(key);
  const word = bytesToBigInt(key);
  // bytesN is left-aligned in a key. In a slot it is right-aligned at its offset.
  const isLeft = /^bytes\d+$/.test(type.label);
  return valueText(type, isLeft ? word >> BigInt((SLOT_BYTES - type.bytes) * 8) : word, 0);
}
