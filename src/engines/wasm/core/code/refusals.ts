// Results of an instruction's price function that mean a failure: the instruction fails once it is known to be payable.
// Other results are 0 for success, and those of `run` for missing state.

/** It would change the state in a static frame (EIP-214). */
export const REFUSED_STATIC: i32 = -1;
/** SSTORE with no more gas than the stipend (EIP-2200). */
export const REFUSED_SENTRY: i32 = -2;
/** Too much init code (EIP-3860). */
export const REFUSED_INIT_CODE: i32 = -3;
