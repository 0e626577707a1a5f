// Words of 256 bits: four 64-bit numbers, the least significant first, as on the EVM's stack and in all tables. Only
// memory, call data and hashes are big-endian.

/** @inline */
export function setZero(word: usize): void {
  v128.store(word, i64x2.splat(0));
  v128.store(word, i64x2.splat(0), 16);
}

/** @inline */
export function setSmall(word: usize, value: u64): void {
  store<u64>(word, value);
  store<u64>(word, 0, 8);
  v128.store(word, i64x2.splat(0), 16);
}

/** @inline */
export function copyWord(target: usize, source: usize): void {
  const low = v128.load(source);
  const high = v128.load(source, 16);
  v128.store(target, low);
  v128.store(target, high, 16);
}

/** @inline */
export function swapWords(left: usize, right: usize): void {
  const leftLow = v128.load(left);
  const leftHigh = v128.load(left, 16);
  const rightLow = v128.load(right);
  const rightHigh = v128.load(right, 16);
  v128.store(left, rightLow);
  v128.store(left, rightHigh, 16);
  v128.store(right, leftLow);
  v128.store(right, leftHigh, 16);
}

/** @inline */
export function isZero(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) == 0;
}

/** Nonzero if any bit above the lowest 64 is set. @inline */
export function upperBits(word: usize): u64 {
  return load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24);
}

/** The lowest 64 bits. @inline */
export function lowest(word: usize): u64 {
  return load<u64>(word);
}

/** The word as a 64-bit number, or the largest such number if the word is larger. @inline */
export function saturated(word: usize): u64 {
  return upperBits(word) != 0 ? u64.MAX_VALUE : load<u64>(word);
}

/** @inline */
export function isEqual(left: usize, right: usize): bool {
  return (
    ((load<u64>(left) ^ load<u64>(right)) |
      (load<u64>(left, 8) ^ load<u64>(right, 8)) |
      (load<u64>(left, 16) ^ load<u64>(right, 16)) |
      (load<u64>(left, 24) ^ load<u64>(right, 24))) ==
    0
  );
}

/** @inline */
export function isBelow(left: usize, right: usize): bool {
  let x = load<u64>(left, 24);
  let y = load<u64>(right, 24);
  if (x != y) return x < y;
  x = load<u64>(left, 16);
  y = load<u64>(right, 16);
  if (x != y) return x < y;
  x = load<u64>(left, 8);
  y = load<u64>(right, 8);
  if (x != y) return x < y;
  return load<u64>(left) < load<u64>(right);
}

/** Compares as two's complement numbers. @inline */
export function isSignedBelow(left: usize, right: usize): bool {
  const x = load<i64>(left, 24);
  const y = load<i64>(right, 24);
  return x != y ? x < y : isBelow(left, right);
}

/** Copies 32 bytes in reverse order, between a word and its form in memory. @inline */
export function reverse(target: usize, source: usize): void {
  const low = v128.load(source);
  const high = v128.load(source, 16);
  v128.store(target, i8x16.shuffle(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  v128.store(target, i8x16.shuffle(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16);
}

/** Writes the address in a word's lowest 160 bits as 20 bytes. */
export function writeAddress(target: usize, word: usize): void {
  store<u32>(target, bswap<u32>(load<u32>(word, 16)));
  store<u64>(target, bswap<u64>(load<u64>(word, 8)), 4);
  store<u64>(target, bswap<u64>(load<u64>(word)), 12);
}

/** The address in 20 bytes, as a word. */
export function readAddress(word: usize, source: usize): void {
  store<u64>(word, bswap<u64>(load<u64>(source, 12)));
  store<u64>(word, bswap<u64>(load<u64>(source, 4)), 8);
  store<u64>(word, bswap<u32>(load<u32>(source)), 16);
  store<u64>(word, 0, 24);
}

/** Copies the lowest 160 bits of a word, and sets the others to zero. @inline */
export function copyAddress(target: usize, source: usize): void {
  const low = load<u64>(source);
  const middle = load<u64>(source, 8);
  const high = <u64>load<u32>(source, 16);
  store<u64>(target, low);
  store<u64>(target, middle, 8);
  store<u64>(target, high, 16);
  store<u64>(target, 0, 24);
}

/** Number of bytes in the word without leading zeros. */
export function byteLength(word: usize): u32 {
  for (let end: usize = 32; end > 0; end -= 8) {
    const value = load<u64>(word + end - 8);
    if (value != 0) return <u32>(end - (<usize>clz<u64>(value) >> 3));
  }
  return 0;
}

/** `target = left + right`; true on overflow. */
export function sum(target: usize, left: usize, right: usize): bool {
  let carry: u64 = 0;
  for (let lane: usize = 0; lane < 32; lane += 8) {
    const x = load<u64>(left + lane);
    const partial = x + load<u64>(right + lane);
    const total = partial + carry;
    carry = u64(partial < x) | u64(total < partial);
    store<u64>(target + lane, total);
  }
  return carry != 0;
}

/** `target = left - right`, in two's complement. @inline */
export function difference(target: usize, left: usize, right: usize): void {
  const x0 = load<u64>(left);
  const y0 = load<u64>(right);
  const d0 = x0 - y0;
  const borrow0 = u64(x0 < y0);
  const x1 = load<u64>(left, 8);
  const y1 = load<u64>(right, 8);
  const d1 = x1 - y1;
  const borrow1 = u64(x1 < y1) | u64(d1 < borrow0);
  const x2 = load<u64>(left, 16);
  const y2 = load<u64>(right, 16);
  const d2 = x2 - y2;
  const borrow2 = u64(x2 < y2) | u64(d2 < borrow1);
  const d3 = load<u64>(left, 24) - load<u64>(right, 24) - borrow2;
  store<u64>(target, d0);
  store<u64>(target, d1 - borrow0, 8);
  store<u64>(target, d2 - borrow1, 16);
  store<u64>(target, d3, 24);
}
