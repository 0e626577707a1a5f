/** The largest numbers that the protocol's fields hold. */

/** Of nonces, gas, block numbers and timestamps: 64 bits. */
export const MAX_UINT64 = (1n << 64n) - 1n;

/** Of words, and so of balances in wei: 256 bits. */
export const MAX_UINT256 = (1n << 256n) - 1n;
