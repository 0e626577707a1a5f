/** Bounds of numbers: the largest that the protocol's fields hold, the larger and the smaller of two. */

/** Of nonces, gas, block numbers and timestamps: 64 bits. */
export const MAX_UINT64 = (1n << 64n) - 1n;

/** Of words, and so of balances in wei: 256 bits. */
export const MAX_UINT256 = (1n << 256n) - 1n;

/** The larger of two: Math.max takes no BigInts. */
export function maxBigInt(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

/** The smaller of two. */
export function minBigInt(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
