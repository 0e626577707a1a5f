/** Words of 32 bytes as four array items of 64 bits, least significant first. */

/** Array items of a word. */
export const WORD_QUADS = 4;

/** @param at - index of the first item */
export function readWord(quads: BigUint64Array, at: number): bigint {
  const second = quads[at + 1] as bigint;
  const third = quads[at + 2] as bigint;
  const fourth = quads[at + 3] as bigint;
  // Most words are small.
  if (second === 0n && third === 0n && fourth === 0n) return quads[at] as bigint;
  return (((fourth << 64n) | third) << 128n) | (second << 64n) | (quads[at] as bigint);
}

/** @param at - index of the first item */
export function writeWord(quads: BigUint64Array, at: number, word: bigint): void {
  // Each item keeps the lowest 64 bits of its value.
  quads[at] = word;
  quads[at + 1] = word >> 64n;
  quads[at + 2] = word >> 128n;
  quads[at + 3] = word >> 192n;
}
