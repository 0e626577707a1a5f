// Yellow paper appendix H.2, 0s: stop and arithmetic operations.
//
// An instruction is a function of the stack. Its result replaces its deepest operand, and the loop then moves the stack.

import { DIVIDEND, DIVISOR, divide, QUOTIENT } from "../words/division";
import { multiply, square, upperProduct } from "../words/product";
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

export function runMul(stack: Stack): void {
  multiply(stack.second, stack.top);
}

/** `right = left / right`, or the remainder; zero if the divisor is zero. */
function quotientOf(left: Word, right: Word, wantsRemainder: bool): void {
  if (right.isZero) return;
  DIVIDEND.low.set(left);
  DIVIDEND.high.setZero();
  DIVISOR.low.set(right);
  divide(4);
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
  divide(5);
  modulus.set(DIVIDEND.low);
}

/** DIVIDEND becomes the product of two words. */
function setProduct(left: Word, right: Word): void {
  DIVIDEND.low.setZero();
  DIVIDEND.high.setZero();
  for (let place: i32 = 0; place < 4; place++) {
    const factor = left.limbAt((<usize>place) << 3);
    if (factor == 0) continue;
    let carry: u64 = 0;
    for (let index: i32 = 0; index < 4; index++) {
      const limb = right.limbAt((<usize>index) << 3);
      const product = factor * limb + carry;
      const total = product + DIVIDEND.limb(place + index);
      DIVIDEND.setLimb(place + index, total);
      carry = upperProduct(factor, limb) + u64(product < carry) + u64(total < product);
    }
    DIVIDEND.setLimb(place + 4, carry);
  }
}

export function runMulmod(stack: Stack): void {
  const modulus = stack.third;
  if (modulus.isZero) return;
  setProduct(stack.top, stack.second);
  DIVISOR.low.set(modulus);
  divide(8);
  modulus.set(DIVIDEND.low);
}

const POWER: Word = changetype<Word>(memory.data(32, 16));

/** Offset of the limb that has a bit. @inline */
function limbOf(bit: u32): usize {
  return (<usize>(bit >> 6)) << 3;
}

/** @inline */
function hasBit(word: Word, bit: u32): bool {
  return ((word.limbAt(limbOf(bit)) >> (bit & 63)) & 1) != 0;
}

/** By squares and products, from the exponent's highest bit on. */
export function runExp(stack: Stack): void {
  const base = stack.top;
  const exponent = stack.second;
  const bits = exponent.bitLength();
  if (bits == 0) return exponent.setSmall(1);
  POWER.set(base);
  for (let bit = <i32>bits - 2; bit >= 0; bit--) {
    square(POWER);
    if (hasBit(exponent, bit)) multiply(POWER, base);
  }
  exponent.set(POWER);
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
