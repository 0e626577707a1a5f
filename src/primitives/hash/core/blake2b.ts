// The compression function F of BLAKE2b (RFC 7693 §3.2), on the input of the precompile of EIP-152.

/** State, block, and two counters of bytes, little-endian, as in the input from its byte 4 on; then the flag. */
export const BLAKE2_INPUT: usize = memory.data(216, 16);
const BLOCK: usize = BLAKE2_INPUT + 64;
const COUNTERS: usize = BLAKE2_INPUT + 192;
const IS_LAST: usize = BLAKE2_INPUT + 208;

/** The 16 words that are mixed. */
const MIXED = memory.data(128, 16);
/** The block's words in the order in which ten rounds take them. */
const ORDERED = memory.data(1280, 16);

/** RFC 7693 §2.6. */
const INITIAL = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
  0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]);

/** RFC 7693 §2.7: the block's words in each round, each a hexadecimal digit. */
const SCHEDULE = memory.data<u64>([
  0x0123456789abcdef, 0xea489fd61c02b753, 0xb8c052fdae367194, 0x7931dcbe265a40f8, 0x905724afe1bc683d,
  0x2c6a0b834d75fe19, 0xc51fed4a0763928b, 0xdb7ec13950f4862a, 0x6fe9b308c2d714a5, 0xa2847615fb9e3cd0,
]);
/**
 * Digits of a round's schedule in the order of use. Four mixings at once take their first words, then their second; those
 * of the diagonals begin with the last one.
 */
const USED: u64 = 0x02461357e8acf9bd;

/** @param index - 0 for the first digit @inline */
function digit(digits: u64, index: usize): usize {
  return <usize>(digits >> (60 - ((<u64>index) << 2))) & 15;
}

/** Begins with the input. */
export function beginBlake2(): void {
  memory.copy(MIXED, BLAKE2_INPUT, 64);
  memory.copy(MIXED + 64, INITIAL, 64);
  for (let byte: usize = 0; byte < 16; byte += 8) {
    store<u64>(MIXED + 96 + byte, load<u64>(MIXED + 96 + byte) ^ load<u64>(COUNTERS + byte));
  }
  if (load<u8>(IS_LAST) != 0) store<u64>(MIXED + 112, ~load<u64>(MIXED + 112));
  for (let index: usize = 0; index < 160; index++) {
    const word = digit(load<u64>(SCHEDULE + ((index >> 4) << 3)), digit(USED, index & 15));
    store<u64>(ORDERED + (index << 3), load<u64>(BLOCK + (word << 3)));
  }
}

/**
 * Mixes for a number of rounds, from the first of the schedule. Long, because the words stay in local variables: two in
 * each, so that two mixings of RFC 7693 §3.1 are done at once.
 */
export function mixBlake2(rounds: u32): void {
  let a0 = v128.load(MIXED);
  let a1 = v128.load(MIXED, 16);
  let b0 = v128.load(MIXED, 32);
  let b1 = v128.load(MIXED, 48);
  let c0 = v128.load(MIXED, 64);
  let c1 = v128.load(MIXED, 80);
  let d0 = v128.load(MIXED, 96);
  let d1 = v128.load(MIXED, 112);
  let words = ORDERED;
  for (let left = rounds; left > 0; left--) {
    // Columns.
    a0 = i64x2.add(i64x2.add(a0, v128.load(words)), b0);
    a1 = i64x2.add(i64x2.add(a1, v128.load(words, 16)), b1);
    d0 = rotated32(v128.xor(d0, a0));
    d1 = rotated32(v128.xor(d1, a1));
    c0 = i64x2.add(c0, d0);
    c1 = i64x2.add(c1, d1);
    b0 = rotated24(v128.xor(b0, c0));
    b1 = rotated24(v128.xor(b1, c1));
    a0 = i64x2.add(i64x2.add(a0, v128.load(words, 32)), b0);
    a1 = i64x2.add(i64x2.add(a1, v128.load(words, 48)), b1);
    d0 = rotated16(v128.xor(d0, a0));
    d1 = rotated16(v128.xor(d1, a1));
    c0 = i64x2.add(c0, d0);
    c1 = i64x2.add(c1, d1);
    b0 = rotated63(v128.xor(b0, c0));
    b1 = rotated63(v128.xor(b1, c1));
    // Diagonals: all rows but the second, which comes last, are turned, so that they are columns.
    let first = a0;
    a0 = upperAndLower(a1, a0);
    a1 = upperAndLower(first, a1);
    first = c0;
    c0 = upperAndLower(c0, c1);
    c1 = upperAndLower(c1, first);
    a0 = i64x2.add(i64x2.add(a0, v128.load(words, 64)), b0);
    a1 = i64x2.add(i64x2.add(a1, v128.load(words, 80)), b1);
    d1 = rotated32(v128.xor(d1, a0));
    d0 = rotated32(v128.xor(d0, a1));
    c0 = i64x2.add(c0, d1);
    c1 = i64x2.add(c1, d0);
    b0 = rotated24(v128.xor(b0, c0));
    b1 = rotated24(v128.xor(b1, c1));
    a0 = i64x2.add(i64x2.add(a0, v128.load(words, 96)), b0);
    a1 = i64x2.add(i64x2.add(a1, v128.load(words, 112)), b1);
    d1 = rotated16(v128.xor(d1, a0));
    d0 = rotated16(v128.xor(d0, a1));
    c0 = i64x2.add(c0, d1);
    c1 = i64x2.add(c1, d0);
    b0 = rotated63(v128.xor(b0, c0));
    b1 = rotated63(v128.xor(b1, c1));
    first = a0;
    a0 = upperAndLower(a0, a1);
    a1 = upperAndLower(a1, first);
    first = c0;
    c0 = upperAndLower(c1, c0);
    c1 = upperAndLower(first, c1);
    words += 128;
    if (words == ORDERED + 1280) words = ORDERED;
  }
  v128.store(MIXED, a0);
  v128.store(MIXED, a1, 16);
  v128.store(MIXED, b0, 32);
  v128.store(MIXED, b1, 48);
  v128.store(MIXED, c0, 64);
  v128.store(MIXED, c1, 80);
  v128.store(MIXED, d0, 96);
  v128.store(MIXED, d1, 112);
}

/** Writes the new state over that of the input. */
export function endBlake2(): void {
  for (let byte: usize = 0; byte < 64; byte += 8) {
    const mixed = load<u64>(MIXED + byte) ^ load<u64>(MIXED + byte + 64);
    store<u64>(BLAKE2_INPUT + byte, load<u64>(BLAKE2_INPUT + byte) ^ mixed);
  }
}

// ---- Two words at once. Rotations are to the right.

/** @inline */
function rotated32(words: v128): v128 {
  return i8x16.shuffle(words, words, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
}

/** @inline */
function rotated24(words: v128): v128 {
  return i8x16.shuffle(words, words, 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10);
}

/** @inline */
function rotated16(words: v128): v128 {
  return i8x16.shuffle(words, words, 2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9);
}

/** @inline */
function rotated63(words: v128): v128 {
  return v128.or(i64x2.add(words, words), i64x2.shr_u(words, 63));
}

/** The second word of one pair, and the first of another. @inline */
function upperAndLower(upper: v128, lower: v128): v128 {
  return i64x2.shuffle(upper, lower, 1, 2);
}
