// The EIPs that the core asks for, each a bit of its rules. The host sets those of the hardfork by these names
// (chainspec/hardforks/eips.ts says which hardfork brings which).

/** A creation that cannot pay for its code fails. */
export const EIP_2 = 1 << 0;
/** All but one 64th of the gas. */
export const EIP_150 = 1 << 1;
/** Empty accounts are removed. */
export const EIP_161 = 1 << 2;
/** Limit of code. */
export const EIP_170 = 1 << 3;
/** Net metering of SSTORE, until Petersburg. */
export const EIP_1283 = 1 << 4;
/** Net metering of SSTORE, which needs more gas than the stipend. */
export const EIP_2200 = 1 << 5;
/** Warm accounts and slots. */
export const EIP_2929 = 1 << 6;
/** Code does not begin with 0xef. */
export const EIP_3541 = 1 << 7;
/** Limit and price of init code. */
export const EIP_3860 = 1 << 8;
/** SELFDESTRUCT removes only an account that its transaction created. */
export const EIP_6780 = 1 << 9;
/** Accounts delegate to code. */
export const EIP_7702 = 1 << 10;
/** A creation fails at an address with storage. */
export const EIP_7610 = 1 << 11;
/** Charges before the outermost frame. */
export const EIP_2780 = 1 << 12;
/** Logs of transfers. */
export const EIP_7708 = 1 << 13;
/** Accesses for the access list of a block. */
export const EIP_7928 = 1 << 14;
/** State gas. */
export const EIP_8037 = 1 << 15;
/** Prices of what touches the state. */
export const EIP_8038 = 1 << 16;
/** SELFDESTRUCT burns nothing. */
export const EIP_8246 = 1 << 17;
