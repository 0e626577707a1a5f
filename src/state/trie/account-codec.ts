/**
 * Encoding of leaves of the state trie and storage tries (yellow paper §4.1): RLP of an account's four members, and of
 * a storage value without leading zeros.
 */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { AccountState } from "../view.ts";

/** Two header bytes, two integers, two hashes with their prefixes: at most 2 + 33 + 33 + 66. */
const HASHES_LENGTH = 66;

/** RLP of an account with another `storageRoot`, if one is given. */
export function encodeAccount(account: AccountState, storageRoot: Bytes = account.storageRoot): Bytes {
  const nonce = bigIntToBytes(account.nonce);
  const balance = bigIntToBytes(account.balance);
  const length = valueLength(nonce) + valueLength(balance) + HASHES_LENGTH;
  const out = new Uint8Array(2 + length);
  // The hashes alone take 66 bytes, so the list header always has one length byte.
  out[0] = 0xf8;
  out[1] = length;
  let position = writeValue(out, writeValue(out, 2, nonce), balance);
  out[position] = 0xa0;
  out.set(storageRoot, position + 1);
  position += 33;
  out[position] = 0xa0;
  out.set(account.codeHash, position + 1);
  return out;
}

/**
 * The RLP of an account with another storage root.
 *
 * @param spare - overwritten and returned if it has the right length
 */
export function withStorageRoot(account: Bytes, storageRoot: Bytes, spare?: Bytes): Bytes {
  const out = spare?.length === account.length ? spare : new Uint8Array(account.length);
  out.set(account);
  out.set(storageRoot, out.length - HASHES_LENGTH + 1);
  return out;
}

/**
 * The decoded account. Its hashes are views into `bytes`.
 *
 * @throws {TypeError} if the bytes are not the RLP of an account
 */
export function decodeAccount(bytes: Bytes): AccountState {
  if (bytes[0] !== 0xf8 || bytes[1] !== bytes.length - 2) throw malformed();
  const nonceEnd = valueEnd(bytes, 2);
  const balanceEnd = valueEnd(bytes, nonceEnd);
  if (bytes.length !== balanceEnd + HASHES_LENGTH) throw malformed();
  if (bytes[balanceEnd] !== 0xa0 || bytes[balanceEnd + 33] !== 0xa0) throw malformed();
  return {
    nonce: bytesToBigInt(payload(bytes, 2, nonceEnd)),
    balance: bytesToBigInt(payload(bytes, nonceEnd, balanceEnd)),
    storageRoot: bytes.subarray(balanceEnd + 1, balanceEnd + 33),
    codeHash: bytes.subarray(balanceEnd + 34),
  };
}

/** RLP of a storage value without leading zeros, at most 32 bytes. */
export function encodeStorageValue(value: Bytes): Bytes {
  const out = new Uint8Array(valueLength(value));
  writeValue(out, 0, value);
  return out;
}

/**
 * The decoded storage value.
 *
 * @throws {TypeError} if the bytes are not the RLP of one string of at most 32 bytes
 */
export function decodeStorageValue(bytes: Bytes): Bytes {
  if (valueEnd(bytes, 0) !== bytes.length) throw malformed();
  return payload(bytes, 0, bytes.length);
}

/** Texts of the error for a leaf that cannot be decoded. */
export interface LeafDamage {
  readonly what: string;
  readonly fix: string;
}

/**
 * Decodes a leaf that was read from the store.
 *
 * @throws {StoreError} `STORE_CORRUPT` if it cannot be decoded
 */
export function decodeLeaf<T>(bytes: Bytes, decode: (bytes: Bytes) => T, stateRoot: Bytes, damage: LeafDamage): T {
  try {
    return decode(bytes);
  } catch (cause) {
    throw new StoreError({ code: "STORE_CORRUPT", ...damage, where: `State root ${encodeData(stateRoot)}.`, cause });
  }
}

/** Length of the RLP of a string shorter than 56 bytes. */
function valueLength(value: Bytes): number {
  return value.length === 1 && (value[0] as number) < 0x80 ? 1 : 1 + value.length;
}

function writeValue(out: Bytes, position: number, value: Bytes): number {
  if (value.length === 1 && (value[0] as number) < 0x80) {
    out[position] = value[0] as number;
    return position + 1;
  }
  out[position] = 0x80 + value.length;
  out.set(value, position + 1);
  return position + 1 + value.length;
}

function valueEnd(bytes: Bytes, position: number): number {
  const first = bytes[position];
  if (first === undefined || first > 0xa0) throw malformed();
  const end = first < 0x80 ? position + 1 : position + 1 + (first - 0x80);
  if (end > bytes.length) throw malformed();
  return end;
}

function payload(bytes: Bytes, start: number, end: number): Bytes {
  if ((bytes[start] as number) < 0x80) return bytes.slice(start, end);
  return bytes.slice(start + 1, end);
}

function malformed(): TypeError {
  return new TypeError("not the RLP of an account or a storage value");
}
