/** Keys and values of cached answers. A key is a letter for the kind, and the bytes of the request. */
import {
  type Bytes,
  bigIntToBytes,
  bytesKey,
  bytesToBigInt,
  concatBytes,
  EMPTY_BYTES,
} from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { fromUtf8 } from "../../primitives/platform/encodings.ts";
import type { RemoteAccount } from "../upstream.ts";

/** The key of an account, by its 20 bytes. */
export const accountKey = (address: string): string => `a${address}`;
/** The key of a slot, by the bytes of its account and its own 32. */
export const slotKey = (address: string, slot: string): string => `s${address}${slot}`;
/** The key of the fact whether an account has storage, for accounts without a proof. */
export const storageKey = (address: string): string => `h${address}`;
/** The key of the block itself, which is stored as JSON. */
export const PIN_KEY = "b";
/** The key of a trie node, by its hash. */
export const nodeKey = (hash: Bytes): string => `n${bytesKey(hash)}`;
/** The key of another answer, which is stored as JSON, by method and params. */
export const answerKey = (method: string, params: readonly unknown[]): string =>
  `j${bytesKey(keccak256(fromUtf8(JSON.stringify([method, params]))))}`;

/**
 * An account: code hash; length of the storage root (0 or 32) and the root; length of the nonce and the nonce; balance.
 * Empty for an absent account.
 */
export function encodeCachedAccount(account: RemoteAccount | undefined): Bytes {
  if (account === undefined) return EMPTY_BYTES;
  const { codeHash, storageRoot = EMPTY_BYTES } = account;
  const nonce = bigIntToBytes(account.nonce);
  const lengths = [Uint8Array.of(storageRoot.length), Uint8Array.of(nonce.length)] as const;
  return concatBytes(codeHash, lengths[0], storageRoot, lengths[1], nonce, bigIntToBytes(account.balance));
}

/**
 * Decodes an account of {@link encodeCachedAccount}.
 *
 * @throws {RangeError} for other bytes
 */
export function decodeCachedAccount(bytes: Bytes): RemoteAccount | undefined {
  if (bytes.length === 0) return undefined;
  const rootEnd = 33 + (bytes[32] ?? 0);
  const nonceEnd = rootEnd + 1 + (bytes[rootEnd] ?? 0);
  const balanceLength = bytes.length - nonceEnd;
  if ((rootEnd !== 33 && rootEnd !== 65) || nonceEnd - rootEnd > 9 || balanceLength < 0 || balanceLength > 32) {
    throw new RangeError("not an account");
  }
  return {
    codeHash: bytes.subarray(0, 32),
    ...(rootEnd === 33 ? {} : { storageRoot: bytes.subarray(33, rootEnd) }),
    nonce: bytesToBigInt(bytes.subarray(rootEnd + 1, nonceEnd)),
    balance: bytesToBigInt(bytes.subarray(nonceEnd)),
  };
}
