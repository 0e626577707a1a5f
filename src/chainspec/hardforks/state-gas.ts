/** State gas: the second dimension of gas, which pays for growth of the state (EIP-8037). */

/** State gas per byte. */
export const GAS_PER_STATE_BYTE = 1_530;
/** Bytes charged for a new account. */
export const ACCOUNT_BYTES = 120;
/** Bytes charged for a slot that was zero. */
export const SLOT_BYTES = 64;
/** Bytes charged for a delegation (EIP-7702). */
export const DELEGATION_BYTES = 23;
/** Slots that a system call can set with its own state gas. */
export const SYSTEM_CALL_SLOTS = 16;
