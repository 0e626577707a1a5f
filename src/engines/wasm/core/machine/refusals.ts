// Results of an instruction's price function for a failure. The instruction first has to be paid for, and then fails.
// Other results are 0 for success, and the codes of `run` for missing state.

/** The instruction would change state in a static frame (EIP-214). */
export const REFUSED_STATIC: i32 = -1;
/** SSTORE with at most the stipend left (EIP-2200). */
export const REFUSED_SENTRY: i32 = -2;
/** The init code is too long (EIP-3860). */
export const REFUSED_INIT_CODE: i32 = -3;
