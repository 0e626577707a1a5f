/** Limits of a block's gas limit, and of its change from the parent's (yellow paper (47)). */
import { maxBigInt, minBigInt } from "../../primitives/bytes/limits.ts";

const BOUND_DIVISOR = 1_024n;
/** Smallest gas limit of a block (yellow paper (47)). */
export const MINIMUM_GAS_LIMIT = 5_000n;
/** Largest gas limit of a block (yellow paper (47), EIP-1985). */
export const MAXIMUM_GAS_LIMIT = 2n ** 63n - 1n;

/**
 * Gas limit of a child block that changes as much as allowed towards a target, and not beyond the limits above. After a parent
 * below them, which development chains can have, it never falls.
 */
export function gasLimitTowards(parentGasLimit: bigint, target: bigint): bigint {
  const step = maxBigInt(parentGasLimit / BOUND_DIVISOR - 1n, 0n);
  const wanted = minBigInt(maxBigInt(target, MINIMUM_GAS_LIMIT), MAXIMUM_GAS_LIMIT);
  if (wanted > parentGasLimit) return minBigInt(wanted, parentGasLimit + step);
  return maxBigInt(wanted, parentGasLimit - step);
}
