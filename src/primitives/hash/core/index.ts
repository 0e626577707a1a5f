// Hashes: exports to the host, functions and addresses of memory. The engine's core is compiled with the same modules.
//
// Throughout this folder the compiler puts a function in the place of its calls if its comment says `@inline`.

export { BLAKE2_INPUT as blake2Input, beginBlake2, endBlake2, mixBlake2 } from "./blake2b";
export { absorbBlocks, beginKeccak, endKeccak, KECCAK_STATE as keccakState } from "./keccak";

/** Bytes of {@link input}: 470 blocks of Keccak. */
export const INPUT_BYTES: usize = 470 * 136;
/** A message, or as much of it as fits. The host writes it. */
export const input: usize = memory.data(63920, 16);
