/** A place in the stream of a chain's changes, and the chain of hashes that tells two histories of one number apart. */
import {
  type Bytes,
  bigIntToBytes,
  bigIntToFixedBytes,
  bytesToBigInt,
  concatBytes,
  equalBytes,
} from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { randomBytes } from "../primitives/platform/crypto.ts";
import { decodeRlp, encodeRlp } from "../primitives/rlp/rlp.ts";

/** The place after an entry. */
export interface StreamPosition {
  /** 16 random bytes: a writer that cannot go on from its last entry takes others. */
  readonly incarnation: Bytes;
  /** Number of entries up to here. */
  readonly sequence: bigint;
  /** 32 bytes: of all entries up to here. */
  readonly hash: Bytes;
}

const INCARNATION_BYTES = 16;
const HASH_BYTES = 32;

/** The beginning of a new incarnation. */
export function firstPosition(): StreamPosition {
  return { incarnation: randomBytes(INCARNATION_BYTES), sequence: 0n, hash: new Uint8Array(HASH_BYTES) };
}

/** The place after one more entry. @param digest - of its payload */
export function positionAfter({ incarnation, sequence, hash }: StreamPosition, digest: Bytes): StreamPosition {
  const next = sequence + 1n;
  return {
    incarnation,
    sequence: next,
    hash: keccak256(concatBytes(hash, incarnation, bigIntToFixedBytes(next, 8), digest)),
  };
}

/** True for the same place of the same history. */
export function isSamePosition(left: StreamPosition, right: StreamPosition): boolean {
  return (
    left.sequence === right.sequence &&
    equalBytes(left.hash, right.hash) &&
    equalBytes(left.incarnation, right.incarnation)
  );
}

/** RLP: [incarnation, sequence, hash]. */
export function encodePosition({ incarnation, sequence, hash }: StreamPosition): Bytes {
  return encodeRlp([incarnation, bigIntToBytes(sequence), hash]);
}

/** Undefined if the bytes are no position. */
export function decodePosition(bytes: Bytes): StreamPosition | undefined {
  try {
    const [incarnation, sequence, hash] = decodeRlp(bytes) as [Bytes, Bytes, Bytes];
    if (incarnation.length !== INCARNATION_BYTES || hash.length !== HASH_BYTES) return undefined;
    return { incarnation: incarnation.slice(), sequence: bytesToBigInt(sequence), hash: hash.slice() };
  } catch {
    return undefined;
  }
}
