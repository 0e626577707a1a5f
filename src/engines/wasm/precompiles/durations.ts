/**
 * Estimated durations of precompiles, measured by `npm run bench -- precompiles` on one core of an AMD EPYC with Node
 * 20.20. They only decide what is computed in a thread.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { modexpWork } from "./modexp-price.ts";
import { BLS_PAIR_BYTES, BN254_PAIR_BYTES, blake2fRounds, G1_TERM_BYTES, G2_TERM_BYTES } from "./prices.ts";

/** Microseconds from which on an answer is computed in a thread. */
const LONG = 5000;

/** Microseconds for an input, by standard address; precompiles that are missing are always fast. */
const MICROSECONDS: ReadonlyMap<number, (input: Bytes) => number> = new Map([
  [0x03, (input) => 0.019 * input.length],
  [0x05, modexp],
  [0x08, (input) => 1600 + 1030 * Math.floor(input.length / BN254_PAIR_BYTES)],
  [0x09, (input) => 0.012 * blake2fRounds(input)],
  [0x0c, (input) => 350 * Math.floor(input.length / G1_TERM_BYTES)],
  [0x0e, (input) => 610 * Math.floor(input.length / G2_TERM_BYTES)],
  [0x0f, (input) => 2250 + 1450 * Math.floor(input.length / BLS_PAIR_BYTES)],
]);

/** Whether the answer of a precompile takes 5 ms or more. */
export function takesLong(standardAddress: number, input: Bytes): boolean {
  const microseconds = MICROSECONDS.get(standardAddress);
  return microseconds !== undefined && microseconds(input) >= LONG;
}

/** Five multiplications for every four bits of the exponent; each also divides, and allocates two numbers. */
function modexp(input: Bytes): number {
  const { words, multiplications } = modexpWork(input);
  if (words === 0) return 0;
  return 1.25 * multiplications * (0.05 + 0.03 * words + 0.0035 * words * words);
}
