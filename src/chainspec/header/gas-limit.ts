/** What gas limits a block may have, and how far one may move from its parent's (yellow paper (47)). */

const BOUND_DIVISOR = 1_024n;
/** Least gas limit of a block (yellow paper (47)). */
export const MINIMUM_GAS_LIMIT = 5_000n;
/** Greatest gas limit of a block (yellow paper (47), EIP-1985). */
export const MAXIMUM_GAS_LIMIT = 2n ** 63n - 1n;

/** Gas limit of a child that moves as far as it may towards a target. */
export function gasLimitTowards(parentGasLimit: bigint, target: bigint): bigint {
  const step = parentGasLimit / BOUND_DIVISOR - 1n;
  const wanted = target < MINIMUM_GAS_LIMIT ? MINIMUM_GAS_LIMIT : target;
  if (wanted > parentGasLimit) return wanted < parentGasLimit + step ? wanted : parentGasLimit + step;
  return wanted > parentGasLimit - step ? wanted : parentGasLimit - step;
}
