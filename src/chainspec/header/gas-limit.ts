/** Limits of a block's gas limit, and of its change from the parent's (yellow paper (47)). */

const BOUND_DIVISOR = 1_024n;
/** Smallest gas limit of a block (yellow paper (47)). */
export const MINIMUM_GAS_LIMIT = 5_000n;
/** Largest gas limit of a block (yellow paper (47), EIP-1985). */
export const MAXIMUM_GAS_LIMIT = 2n ** 63n - 1n;

/** Gas limit of a child block that changes as much as allowed towards a target. */
export function gasLimitTowards(parentGasLimit: bigint, target: bigint): bigint {
  const step = parentGasLimit / BOUND_DIVISOR - 1n;
  const wanted = target < MINIMUM_GAS_LIMIT ? MINIMUM_GAS_LIMIT : target;
  if (wanted > parentGasLimit) return wanted < parentGasLimit + step ? wanted : parentGasLimit + step;
  return wanted > parentGasLimit - step ? wanted : parentGasLimit - step;
}
