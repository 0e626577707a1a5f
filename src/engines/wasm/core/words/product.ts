// Products of words, from products of 32-bit numbers: WebAssembly multiplies to no more than 64 bits.

import { Word } from "./word";

/** The upper half of a product of 64-bit numbers. @inline */
export function upperProduct(x: u64, y: u64): u64 {
  const x0 = x & 0xffffffff;
  const x1 = x >> 32;
  const y0 = y & 0xffffffff;
  const y1 = y >> 32;
  const low = x0 * y0;
  const middle = x1 * y0 + (low >> 32);
  const other = x0 * y1 + (middle & 0xffffffff);
  return x1 * y1 + (middle >> 32) + (other >> 32);
}

/** Multiplies a word by a number of 64 bits. */
function multiplySmall(item: Word, factor: u64): void {
  const x0 = item.limb0;
  const x1 = item.limb1;
  const x2 = item.limb2;
  item.limb0 = factor * x0;
  const carry0 = upperProduct(factor, x0);
  const p1 = factor * x1;
  const r1 = p1 + carry0;
  item.limb1 = r1;
  const carry1 = upperProduct(factor, x1) + u64(r1 < p1);
  const p2 = factor * x2;
  const r2 = p2 + carry1;
  item.limb2 = r2;
  const carry2 = upperProduct(factor, x2) + u64(r2 < p2);
  item.limb3 = factor * item.limb3 + carry2;
}

/** Multiplies a word by another, modulo 2^256. */
export function multiply(item: Word, factor: Word): void {
  if (factor.isSmall) return multiplySmall(item, factor.limb0);
  if (item.isSmall) {
    const small = item.limb0;
    item.set(factor);
    return multiplySmall(item, small);
  }
  const a0 = factor.limb0;
  const a1 = factor.limb1;
  const a2 = factor.limb2;
  const a3 = factor.limb3;
  const b0 = item.limb0;
  const b1 = item.limb1;
  const b2 = item.limb2;
  const b3 = item.limb3;
  const r0 = a0 * b0;
  let carry = upperProduct(a0, b0);
  let low = a1 * b0;
  let r1 = low + carry;
  carry = upperProduct(a1, b0) + u64(r1 < low);
  low = a2 * b0;
  let r2 = low + carry;
  carry = upperProduct(a2, b0) + u64(r2 < low);
  let r3 = a3 * b0 + carry;
  low = a0 * b1;
  r1 += low;
  carry = upperProduct(a0, b1) + u64(r1 < low);
  low = a1 * b1;
  let high = upperProduct(a1, b1);
  low += carry;
  high += u64(low < carry);
  r2 += low;
  high += u64(r2 < low);
  r3 += high + a2 * b1;
  low = a0 * b2;
  high = upperProduct(a0, b2);
  r2 += low;
  high += u64(r2 < low);
  r3 += high + a1 * b2 + a0 * b3;
  item.limb0 = r0;
  item.limb1 = r1;
  item.limb2 = r2;
  item.limb3 = r3;
}

/** Squares a word, modulo 2^256. */
export function square(item: Word): void {
  const x0 = item.limb0;
  const x1 = item.limb1;
  const x2 = item.limb2;
  // The products of two different limbs count twice.
  const low01 = x0 * x1;
  const high01 = upperProduct(x0, x1);
  const low02 = x0 * x2;
  const mixed2 = high01 + low02;
  const mixed3 = upperProduct(x0, x2) + u64(mixed2 < low02) + x0 * item.limb3 + x1 * x2;
  const twice1 = low01 << 1;
  const twice2 = (mixed2 << 1) | (low01 >> 63);
  const twice3 = (mixed3 << 1) | (mixed2 >> 63);
  const r1 = upperProduct(x0, x0) + twice1;
  const low11 = x1 * x1;
  const partial2 = low11 + twice2;
  const r2 = partial2 + u64(r1 < twice1);
  item.limb0 = x0 * x0;
  item.limb1 = r1;
  item.limb2 = r2;
  item.limb3 = upperProduct(x1, x1) + twice3 + u64(partial2 < low11) + u64(r2 < partial2);
}
