// Yellow paper appendix H.2, 0s: stop and arithmetic operations.
//
// An instruction is a function of the stack pointer, which points after the top item. Operands are read below it. The
// result replaces the deepest operand, and the loop moves the pointer.

import { DIVIDEND, DIVISOR, digit, divide, QUOTIENT, setDigit } from "../machine/division";
import { byteLength, copyWord, difference, isZero, setSmall, setZero, upperBits } from "../machine/words";

/** @inline */
export function runAdd(sp: usize): void {
  const left = sp - 32;
  const right = sp - 64;
  const x0 = load<u64>(left);
  const s0 = x0 + load<u64>(right);
  const carry0 = u64(s0 < x0);
  const x1 = load<u64>(left, 8);
  const p1 = x1 + load<u64>(right, 8);
  const s1 = p1 + carry0;
  const carry1 = u64(p1 < x1) | u64(s1 < p1);
  const x2 = load<u64>(left, 16);
  const p2 = x2 + load<u64>(right, 16);
  const s2 = p2 + carry1;
  const carry2 = u64(p2 < x2) | u64(s2 < p2);
  const s3 = load<u64>(left, 24) + load<u64>(right, 24) + carry2;
  store<u64>(right, s0);
  store<u64>(right, s1, 8);
  store<u64>(right, s2, 16);
  store<u64>(right, s3, 24);
}

/** @inline */
export function runSub(sp: usize): void {
  difference(sp - 64, sp - 32, sp - 64);
}

/** The upper half of a product of 64-bit numbers. @inline */
function upperProduct(x: u64, y: u64): u64 {
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
function multiplySmall(item: usize, factor: u64): void {
  const x0 = load<u64>(item);
  const x1 = load<u64>(item, 8);
  const x2 = load<u64>(item, 16);
  store<u64>(item, factor * x0);
  const carry0 = upperProduct(factor, x0);
  const p1 = factor * x1;
  const r1 = p1 + carry0;
  store<u64>(item, r1, 8);
  const carry1 = upperProduct(factor, x1) + u64(r1 < p1);
  const p2 = factor * x2;
  const r2 = p2 + carry1;
  store<u64>(item, r2, 16);
  const carry2 = upperProduct(factor, x2) + u64(r2 < p2);
  store<u64>(item, factor * load<u64>(item, 24) + carry2, 24);
}

/** Multiplies a word by another, modulo 2^256. */
function multiply(item: usize, factor: usize): void {
  if (upperBits(factor) == 0) return multiplySmall(item, load<u64>(factor));
  if (upperBits(item) == 0) {
    const small = load<u64>(item);
    copyWord(item, factor);
    return multiplySmall(item, small);
  }
  const a0 = load<u64>(factor);
  const a1 = load<u64>(factor, 8);
  const a2 = load<u64>(factor, 16);
  const a3 = load<u64>(factor, 24);
  const b0 = load<u64>(item);
  const b1 = load<u64>(item, 8);
  const b2 = load<u64>(item, 16);
  const b3 = load<u64>(item, 24);
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
  store<u64>(item, r0);
  store<u64>(item, r1, 8);
  store<u64>(item, r2, 16);
  store<u64>(item, r3, 24);
}

export function runMul(sp: usize): void {
  multiply(sp - 64, sp - 32);
}

/** `right = left / right`, or the remainder; zero if the divisor is zero. */
function quotientOf(left: usize, right: usize, wantsRemainder: bool): void {
  if (isZero(right)) return;
  copyWord(DIVIDEND, left);
  setZero(DIVIDEND + 32);
  copyWord(DIVISOR, right);
  divide(8);
  copyWord(right, wantsRemainder ? DIVIDEND : QUOTIENT);
}

export function runDiv(sp: usize): void {
  quotientOf(sp - 32, sp - 64, false);
}

export function runMod(sp: usize): void {
  quotientOf(sp - 32, sp - 64, true);
}

function negate(item: usize): void {
  let carry: u64 = 1;
  for (let lane: usize = 0; lane < 32; lane += 8) {
    const value = ~load<u64>(item + lane) + carry;
    carry = u64(carry != 0 && value == 0);
    store<u64>(item + lane, value);
  }
}

/** Divides by two's complement; the remainder has the sign of the dividend. */
function signedQuotient(left: usize, right: usize, wantsRemainder: bool): void {
  if (isZero(right)) return;
  const isLeftNegative = load<i64>(left, 24) < 0;
  const isRightNegative = load<i64>(right, 24) < 0;
  if (isLeftNegative) negate(left);
  if (isRightNegative) negate(right);
  quotientOf(left, right, wantsRemainder);
  if (wantsRemainder ? isLeftNegative : isLeftNegative != isRightNegative) negate(right);
}

export function runSdiv(sp: usize): void {
  signedQuotient(sp - 32, sp - 64, false);
}

export function runSmod(sp: usize): void {
  signedQuotient(sp - 32, sp - 64, true);
}

export function runAddmod(sp: usize): void {
  const modulus = sp - 96;
  if (isZero(modulus)) return;
  let carry: u64 = 0;
  for (let lane: usize = 0; lane < 32; lane += 8) {
    const x = load<u64>(sp - 32 + lane);
    const partial = x + load<u64>(sp - 64 + lane);
    const total = partial + carry;
    carry = u64(partial < x) | u64(total < partial);
    store<u64>(DIVIDEND + lane, total);
  }
  setSmall(DIVIDEND + 32, carry);
  copyWord(DIVISOR, modulus);
  divide(9);
  copyWord(modulus, DIVIDEND);
}

export function runMulmod(sp: usize): void {
  const modulus = sp - 96;
  if (isZero(modulus)) return;
  setZero(DIVIDEND);
  setZero(DIVIDEND + 32);
  for (let place = 0; place < 8; place++) {
    const factor = digit(sp - 32, place);
    if (factor == 0) continue;
    let carry: u64 = 0;
    for (let index = 0; index < 8; index++) {
      const total = factor * digit(sp - 64, index) + digit(DIVIDEND, place + index) + carry;
      setDigit(DIVIDEND, place + index, total);
      carry = total >> 32;
    }
    setDigit(DIVIDEND, place + 8, carry);
  }
  copyWord(DIVISOR, modulus);
  divide(16);
  copyWord(modulus, DIVIDEND);
}

const POWER = memory.data(32, 16);
const EXPONENT = memory.data(32, 16);
const SQUARE = memory.data(32, 16);

/** @inline */
function hasBit(word: usize, bit: i32): bool {
  return ((load<u64>(word + ((<usize>(bit >> 6)) << 3)) >> (bit & 63)) & 1) != 0;
}

export function runExp(sp: usize): void {
  const base = sp - 32;
  copyWord(EXPONENT, sp - 64);
  setSmall(POWER, 1);
  for (let bit = <i32>(byteLength(EXPONENT) << 3) - 1; bit >= 0; bit--) {
    copyWord(SQUARE, POWER);
    multiply(POWER, SQUARE);
    if (hasBit(EXPONENT, bit)) multiply(POWER, base);
  }
  copyWord(sp - 64, POWER);
}

export function runSignextend(sp: usize): void {
  const item = sp - 64;
  if (upperBits(sp - 32) != 0 || load<u64>(sp - 32) >= 31) return;
  const bit = <u32>load<u64>(sp - 32) * 8 + 7;
  const lane = item + ((<usize>(bit >> 6)) << 3);
  const inLane = <u64>(bit & 63);
  const isNegative = ((load<u64>(lane) >> inLane) & 1) != 0;
  const mask: u64 = inLane == 63 ? ~0 : ((<u64>1) << (inLane + 1)) - 1;
  store<u64>(lane, isNegative ? load<u64>(lane) | ~mask : load<u64>(lane) & mask);
  for (let next = lane + 8; next < item + 32; next += 8) store<u64>(next, isNegative ? ~0 : 0);
}
