// What the function of an instruction's price returns when it is not 0 (all is well) and not what `run` returns (something
// is missing): the instruction is refused once it is known to be payable.

/** It would change the state in a static frame (EIP-214). */
export const REFUSED_STATIC: i32 = -1;
/** SSTORE with no more gas than the stipend (EIP-2200). */
export const REFUSED_SENTRY: i32 = -2;
/** Too much init code (EIP-3860). */
export const REFUSED_INIT_CODE: i32 = -3;
