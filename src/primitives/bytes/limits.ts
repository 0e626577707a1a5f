/** Limits of integers, and the larger and smaller of two. */

/** Largest nonce, gas amount, block number and timestamp: 64 bits. */
export const MAX_UINT64 = (1n << 64n) - 1n;

/** Largest word, and so the largest balance in wei: 256 bits. */
export const MAX_UINT256 = (1n << 256n) - 1n;

/** The larger of two; Math.max does not accept BigInts. */
export function maxBigInt(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** The smaller of two. */
export function minBigInt(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
