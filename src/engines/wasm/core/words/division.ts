// Long division in base 2^64: Knuth, The Art of Computer Programming, volume 2, algorithm 4.3.1 D. A digit of the quotient
// is estimated by a product with the reciprocal of the divisor's highest limb: Möller and Granlund, Improved Division by
// Invariant Integers, 2011, algorithm 4. WebAssembly divides no number above 64 bits.

import { upperProduct } from "./product";
import { Word } from "./word";

/** A number of 64-bit limbs, the least significant first. */
@unmanaged
export class Limbs {
  /** The lowest 256 bits. */
  @inline get low(): Word {
    return changetype<Word>(this);
  }

  /** The 256 bits above them. */
  @inline get high(): Word {
    return changetype<Word>(changetype<usize>(this) + offsetof<Word>());
  }

  @inline limb(index: i32): u64 {
    return load<u64>(changetype<usize>(this) + ((<usize>index) << 3));
  }

  @inline setLimb(index: i32, value: u64): void {
    store<u64>(changetype<usize>(this) + ((<usize>index) << 3), value);
  }
}

export const DIVIDEND: Limbs = changetype<Limbs>(memory.data(80, 16));
export const DIVISOR: Limbs = changetype<Limbs>(memory.data(32, 16));
export const QUOTIENT: Limbs = changetype<Limbs>(memory.data(64, 16));

/** Divides DIVIDEND, of the given limbs, by DIVISOR: QUOTIENT gets the quotient and DIVIDEND keeps the remainder. */
export function divide(limbs: i32): void {
  let count = limbs;
  let size = 4;
  while (count > 0 && DIVIDEND.limb(count - 1) == 0) count--;
  while (DIVISOR.limb(size - 1) == 0) size--;
  QUOTIENT.low.setZero();
  QUOTIENT.high.setZero();
  if (count < size) return;
  if (count == 1) return divideSmall();
  const bits = clz<u64>(DIVISOR.limb(size - 1));
  DIVIDEND.setLimb(count, 0);
  shiftLeft(DIVIDEND, count + 1, bits);
  shiftLeft(DIVISOR, size, bits);
  if (size == 1) divideByLimb(count);
  else divideByMany(count, size);
  shiftRight(size, bits);
}

function divideSmall(): void {
  const dividend = DIVIDEND.limb(0);
  const quotient = dividend / DIVISOR.limb(0);
  QUOTIENT.setLimb(0, quotient);
  DIVIDEND.setLimb(0, dividend - quotient * DIVISOR.limb(0));
}

/** Shifts a number left by less than a limb. What leaves the highest limb is lost. */
function shiftLeft(number: Limbs, count: i32, bits: u64): void {
  if (bits == 0) return;
  for (let index = count - 1; index > 0; index--) {
    number.setLimb(index, (number.limb(index) << bits) | (number.limb(index - 1) >> (64 - bits)));
  }
  number.setLimb(0, number.limb(0) << bits);
}

/** Shifts the remainder, of so many limbs, back. */
function shiftRight(count: i32, bits: u64): void {
  if (bits == 0) return;
  for (let index = 0; index < count; index++) {
    const above = index + 1 < count ? DIVIDEND.limb(index + 1) << (64 - bits) : 0;
    DIVIDEND.setLimb(index, (DIVIDEND.limb(index) >> bits) | above);
  }
}

/** `(2^128 - 1) / divisor - 2^64`, for a divisor whose highest bit is set, by two steps in base 2^32. */
function reciprocalOf(divisor: u64): u64 {
  const upper = digitBelow(~divisor, divisor);
  const rest = ((~divisor << 32) | 0xffffffff) - upper * divisor;
  return (upper << 32) | digitBelow(rest, divisor);
}

/** `(number * 2^32 + 2^32 - 1) / divisor`, for a number below the divisor, whose highest bit is set. */
function digitBelow(number: u64, divisor: u64): u64 {
  const first = divisor >> 32;
  const second = divisor & 0xffffffff;
  let quotient = number / first;
  let rest = number - quotient * first;
  while (quotient > 0xffffffff || quotient * second > ((rest << 32) | 0xffffffff)) {
    quotient--;
    rest += first;
    if (rest > 0xffffffff) break;
  }
  return quotient;
}

/** `(high * 2^64 + low) / divisor`, for a high part below the divisor, whose reciprocal is given. @inline */
function digitOf(high: u64, low: u64, divisor: u64, reciprocal: u64): u64 {
  const product = reciprocal * high;
  const sum = product + low;
  let quotient = upperProduct(reciprocal, high) + high + u64(sum < product) + 1;
  let rest = low - quotient * divisor;
  if (rest > sum) {
    quotient--;
    rest += divisor;
  }
  return rest >= divisor ? quotient + 1 : quotient;
}

function divideByLimb(count: i32): void {
  const divisor = DIVISOR.limb(0);
  const reciprocal = reciprocalOf(divisor);
  let rest = DIVIDEND.limb(count);
  DIVIDEND.setLimb(count, 0);
  for (let index = count - 1; index >= 0; index--) {
    const low = DIVIDEND.limb(index);
    const quotient = digitOf(rest, low, divisor, reciprocal);
    rest = low - quotient * divisor;
    QUOTIENT.setLimb(index, quotient);
    DIVIDEND.setLimb(index, 0);
  }
  DIVIDEND.setLimb(0, rest);
}

function divideByMany(count: i32, size: i32): void {
  const first = DIVISOR.limb(size - 1);
  const second = DIVISOR.limb(size - 2);
  const reciprocal = reciprocalOf(first);
  for (let place = count - size; place >= 0; place--) {
    const high = DIVIDEND.limb(place + size);
    const middle = DIVIDEND.limb(place + size - 1);
    let quotient = ~(<u64>0);
    let rest = middle + first;
    let isEstimated = rest < first;
    if (high < first) {
      quotient = digitOf(high, middle, first, reciprocal);
      rest = middle - quotient * first;
      isEstimated = false;
    }
    const low = DIVIDEND.limb(place + size - 2);
    while (!isEstimated && isProductAbove(quotient, second, rest, low)) {
      quotient--;
      rest += first;
      isEstimated = rest < first;
    }
    if (subtractMultiple(place, size, quotient)) {
      quotient--;
      addDivisor(place, size);
    }
    QUOTIENT.setLimb(place, quotient);
  }
}

/** True if a product is above a number of two limbs. @inline */
function isProductAbove(left: u64, right: u64, high: u64, low: u64): bool {
  const upper = upperProduct(left, right);
  return upper > high || (upper == high && left * right > low);
}

/** Subtracts a multiple of DIVISOR from DIVIDEND at a place; true if that was one too many. */
function subtractMultiple(place: i32, size: i32, factor: u64): bool {
  let carry: u64 = 0;
  for (let index = 0; index < size; index++) {
    const limb = DIVISOR.limb(index);
    const product = factor * limb + carry;
    const left = DIVIDEND.limb(index + place);
    DIVIDEND.setLimb(index + place, left - product);
    carry = upperProduct(factor, limb) + u64(product < carry) + u64(left < product);
  }
  const left = DIVIDEND.limb(place + size);
  DIVIDEND.setLimb(place + size, left - carry);
  return left < carry;
}

function addDivisor(place: i32, size: i32): void {
  let carry: u64 = 0;
  for (let index = 0; index < size; index++) {
    const partial = DIVIDEND.limb(index + place) + carry;
    const total = partial + DIVISOR.limb(index);
    carry = u64(partial < carry) | u64(total < partial);
    DIVIDEND.setLimb(index + place, total);
  }
  DIVIDEND.setLimb(place + size, DIVIDEND.limb(place + size) + carry);
}
