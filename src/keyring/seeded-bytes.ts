/**
 * Reproduces the bytes of Rust's `StdRng::seed_from_u64` (rand 0.8), one draw per byte, from which Anvil makes a
 * mnemonic.
 *
 * ChaCha with 12 rounds (RFC 8439 has 20), block counter and nonce zero. PCG32 expands the seed to the key. Observed:
 * Anvil 1.7.1 prints the mnemonics in the tests.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";

const MASK_64 = (1n << 64n) - 1n;
const PCG_MULTIPLIER = 6_364_136_223_846_793_005n;
const PCG_INCREMENT = 11_634_580_027_462_260_723n;
/** "expand 32-byte k" */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const DOUBLE_ROUNDS = 6;
/** Word indexes of each quarter round: columns, then diagonals. */
const QUARTER_ROUNDS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/**
 * The first 16 bytes. Each draw takes one word of the key stream and keeps its lowest byte.
 *
 * @param seed - below 2^64
 */
export function seededBytes(seed: bigint): Bytes {
  return Uint8Array.from(keyStreamBlock(stretchedKey(seed)), (word) => word & 0xff);
}

/** Eight words from PCG32 (XSH RR). */
function stretchedKey(seed: bigint): Uint32Array {
  let state = seed;
  return Uint32Array.from({ length: 8 }, () => {
    state = (state * PCG_MULTIPLIER + PCG_INCREMENT) & MASK_64;
    const shifted = Number((((state >> 18n) ^ state) >> 27n) & 0xffff_ffffn);
    return rotateLeft(shifted, 32 - Number(state >> 59n));
  });
}

function keyStreamBlock(key: Uint32Array): Uint32Array {
  const start = Uint32Array.from([...CONSTANTS, ...key, 0, 0, 0, 0]);
  const words = start.slice();
  for (let round = 0; round < DOUBLE_ROUNDS; round++) {
    for (const [a, b, c, d] of QUARTER_ROUNDS) quarterRound(words, a, b, c, d);
  }
  return words.map((word, index) => word + (start[index] as number));
}

function quarterRound(words: Uint32Array, ...[a, b, c, d]: [a: number, b: number, c: number, d: number]): void {
  const mix = (sum: number, addend: number, target: number, bits: number): void => {
    words[sum] = (words[sum] as number) + (words[addend] as number);
    words[target] = rotateLeft((words[target] as number) ^ (words[sum] as number), bits);
  };
  mix(a, b, d, 16);
  mix(c, d, b, 12);
  mix(a, b, d, 8);
  mix(c, d, b, 7);
}

/** @param bits - from 0 to 32 */
function rotateLeft(word: number, bits: number): number {
  return (word << (bits & 31)) | (word >>> ((32 - bits) & 31));
}
