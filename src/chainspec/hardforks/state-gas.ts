/** State gas, a second dimension of gas from Amsterdam on: what the state's growth costs (EIP-8037). */

/** State gas per byte. */
export const GAS_PER_STATE_BYTE = 1_530;
/** Bytes that a new account counts as. */
export const ACCOUNT_BYTES = 120;
/** Bytes that a slot counts as that was zero. */
export const SLOT_BYTES = 64;
/** Bytes that a delegation counts as (EIP-7702). */
export const DELEGATION_BYTES = 23;
/** Slots that a system call may set from state gas of its own. */
export const SYSTEM_CALL_SLOTS = 16;
