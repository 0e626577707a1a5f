// Yellow paper appendix H.2, 0s: stop and arithmetic operations.
//
// An instruction is a function of the stack. Its result replaces its deepest operand, and the loop then moves the stack.

import { DIVIDEND, DIVISOR, Digits, divide, QUOTIENT } from "../words/division";
import { Stack } from "../words/stack";
import { Word } from "../words/word";

/** @inline */
export function runAdd(stack: Stack): void {
  const left = stack.top;
  const right = stack.second;
  const x0 = left.limb0;
  const s0 = x0 + right.limb0;
  const carry0 = u64(s0 < x0);
  const x1 = left.limb1;
  const p1 = x1 + right.limb1;
  const s1 = p1 + carry0;
  const carry1 = u64(p1 < x1) | u64(s1 < p1);
  const x2 = left.limb2;
  const p2 = x2 + right.limb2;
  const s2 = p2 + carry1;
  const carry2 = u64(p2 < x2) | u64(s2 < p2);
  const s3 = left.limb3 + right.limb3 + carry2;
  right.limb0 = s0;
  right.limb1 = s1;
  right.limb2 = s2;
  right.limb3 = s3;
}

/** @inline */
export function runSub(stack: Stack): void {
  stack.second.setDifference(stack.top, stack.second);
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
function multiply(item: Word, factor: Word): void {
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

export function runMul(stack: Stack): void {
  multiply(stack.second, stack.top);
}

/** `right = left / right`, or the remainder; zero if the divisor is zero. */
function quotientOf(left: Word, right: Word, wantsRemainder: bool): void {
  if (right.isZero) return;
  DIVIDEND.low.set(left);
  DIVIDEND.high.setZero();
  DIVISOR.low.set(right);
  divide(8);
  right.set(wantsRemainder ? DIVIDEND.low : QUOTIENT.low);
}

export function runDiv(stack: Stack): void {
  quotientOf(stack.top, stack.second, false);
}

export function runMod(stack: Stack): void {
  quotientOf(stack.top, stack.second, true);
}

function negate(item: Word): void {
  let carry: u64 = 1;
  for (let offset: usize = 0; offset < 32; offset += 8) {
    const value = ~item.limbAt(offset) + carry;
    carry = u64(carry != 0 && value == 0);
    item.setLimbAt(offset, value);
  }
}

/** Divides by two's complement; the remainder has the sign of the dividend. */
function signedQuotient(left: Word, right: Word, wantsRemainder: bool): void {
  if (right.isZero) return;
  const isLeftNegative = left.isNegative;
  const isRightNegative = right.isNegative;
  if (isLeftNegative) negate(left);
  if (isRightNegative) negate(right);
  quotientOf(left, right, wantsRemainder);
  if (wantsRemainder ? isLeftNegative : isLeftNegative != isRightNegative) negate(right);
}

export function runSdiv(stack: Stack): void {
  signedQuotient(stack.top, stack.second, false);
}

export function runSmod(stack: Stack): void {
  signedQuotient(stack.top, stack.second, true);
}

export function runAddmod(stack: Stack): void {
  const modulus = stack.third;
  if (modulus.isZero) return;
  const carry = DIVIDEND.low.setSum(stack.top, stack.second);
  DIVIDEND.high.setSmall(u64(carry));
  DIVISOR.low.set(modulus);
  divide(9);
  modulus.set(DIVIDEND.low);
}

export function runMulmod(stack: Stack): void {
  const modulus = stack.third;
  if (modulus.isZero) return;
  DIVIDEND.low.setZero();
  DIVIDEND.high.setZero();
  const left = changetype<Digits>(stack.top);
  const right = changetype<Digits>(stack.second);
  for (let place = 0; place < 8; place++) {
    const factor = left.digit(place);
    if (factor == 0) continue;
    let carry: u64 = 0;
    for (let index = 0; index < 8; index++) {
      const total = factor * right.digit(index) + DIVIDEND.digit(place + index) + carry;
      DIVIDEND.setDigit(place + index, total);
      carry = total >> 32;
    }
    DIVIDEND.setDigit(place + 8, carry);
  }
  DIVISOR.low.set(modulus);
  divide(16);
  modulus.set(DIVIDEND.low);
}

const POWER: Word = changetype<Word>(memory.data(32, 16));
const EXPONENT: Word = changetype<Word>(memory.data(32, 16));
const SQUARE: Word = changetype<Word>(memory.data(32, 16));

/** Offset of the limb that has a bit. @inline */
function limbOf(bit: u32): usize {
  return (<usize>(bit >> 6)) << 3;
}

/** @inline */
function hasBit(word: Word, bit: u32): bool {
  return ((word.limbAt(limbOf(bit)) >> (bit & 63)) & 1) != 0;
}

export function runExp(stack: Stack): void {
  const base = stack.top;
  EXPONENT.set(stack.second);
  POWER.setSmall(1);
  for (let bit = <i32>(EXPONENT.byteLength() << 3) - 1; bit >= 0; bit--) {
    SQUARE.set(POWER);
    multiply(POWER, SQUARE);
    if (hasBit(EXPONENT, bit)) multiply(POWER, base);
  }
  stack.second.set(POWER);
}

export function runSignextend(stack: Stack): void {
  const item = stack.second;
  if (!stack.top.isSmall || stack.top.limb0 >= 31) return;
  const bit = <u32>stack.top.limb0 * 8 + 7;
  const at = limbOf(bit);
  const limb = item.limbAt(at);
  const inLimb = <u64>(bit & 63);
  const isNegative = ((limb >> inLimb) & 1) != 0;
  const mask: u64 = inLimb == 63 ? ~0 : ((<u64>1) << (inLimb + 1)) - 1;
  item.setLimbAt(at, isNegative ? limb | ~mask : limb & mask);
  for (let next = at + 8; next < 32; next += 8) item.setLimbAt(next, isNegative ? ~0 : 0);
}
