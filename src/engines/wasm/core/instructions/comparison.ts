// Yellow paper appendix H.2, 10s: comparison and bitwise logic operations (EIP-145: shifts; EIP-7939: CLZ).

import { Stack } from "../words/stack";
import { Word } from "../words/word";

/** @inline */
export function runLt(stack: Stack): void {
  stack.second.setSmall(u64(stack.top.isBelow(stack.second)));
}

/** @inline */
export function runGt(stack: Stack): void {
  stack.second.setSmall(u64(stack.second.isBelow(stack.top)));
}

/** @inline */
export function runSlt(stack: Stack): void {
  stack.second.setSmall(u64(stack.top.isSignedBelow(stack.second)));
}

/** @inline */
export function runSgt(stack: Stack): void {
  stack.second.setSmall(u64(stack.second.isSignedBelow(stack.top)));
}

/** @inline */
export function runEq(stack: Stack): void {
  stack.second.setSmall(u64(stack.top.isEqual(stack.second)));
}

/** @inline */
export function runIszero(stack: Stack): void {
  stack.top.setSmall(u64(stack.top.isZero));
}

/** @inline */
function invert(item: Word): void {
  item.setLower(v128.not(item.lower));
  item.setUpper(v128.not(item.upper));
}

/** @inline */
export function runAnd(stack: Stack): void {
  const item = stack.second;
  item.setLower(v128.and(item.lower, stack.top.lower));
  item.setUpper(v128.and(item.upper, stack.top.upper));
}

/** @inline */
export function runOr(stack: Stack): void {
  const item = stack.second;
  item.setLower(v128.or(item.lower, stack.top.lower));
  item.setUpper(v128.or(item.upper, stack.top.upper));
}

/** @inline */
export function runXor(stack: Stack): void {
  const item = stack.second;
  item.setLower(v128.xor(item.lower, stack.top.lower));
  item.setUpper(v128.xor(item.upper, stack.top.upper));
}

/** @inline */
export function runNot(stack: Stack): void {
  invert(stack.top);
}

/** @inline */
export function runByte(stack: Stack): void {
  const index = stack.top.saturated;
  stack.second.setSmall(index > 31 ? 0 : <u64>stack.second.byteAt(<usize>index));
}

/** Shifts a word left by less than 256 bits. */
export function shiftLeft(item: Word, bits: u64): void {
  const inLimb = bits & 63;
  const back = (64 - inLimb) & 63;
  const mask: u64 = inLimb == 0 ? 0 : ~0;
  const x0 = item.limb0;
  const x1 = item.limb1;
  const x2 = item.limb2;
  const x3 = item.limb3;
  const y0 = x0 << inLimb;
  const y1 = (x1 << inLimb) | ((x0 >> back) & mask);
  const y2 = (x2 << inLimb) | ((x1 >> back) & mask);
  const y3 = (x3 << inLimb) | ((x2 >> back) & mask);
  switch (<u32>(bits >> 6)) {
    case 0:
      item.limb0 = y0;
      item.limb1 = y1;
      item.limb2 = y2;
      item.limb3 = y3;
      break;
    case 1:
      item.limb0 = 0;
      item.limb1 = y0;
      item.limb2 = y1;
      item.limb3 = y2;
      break;
    case 2:
      item.limb0 = 0;
      item.limb1 = 0;
      item.limb2 = y0;
      item.limb3 = y1;
      break;
    default:
      item.limb0 = 0;
      item.limb1 = 0;
      item.limb2 = 0;
      item.limb3 = y0;
  }
}

/** Shifts a word right by less than 256 bits; zeros come in. */
export function shiftRight(item: Word, bits: u64): void {
  const inLimb = bits & 63;
  const back = (64 - inLimb) & 63;
  const mask: u64 = inLimb == 0 ? 0 : ~0;
  const x0 = item.limb0;
  const x1 = item.limb1;
  const x2 = item.limb2;
  const x3 = item.limb3;
  const y0 = (x0 >> inLimb) | ((x1 << back) & mask);
  const y1 = (x1 >> inLimb) | ((x2 << back) & mask);
  const y2 = (x2 >> inLimb) | ((x3 << back) & mask);
  const y3 = x3 >> inLimb;
  switch (<u32>(bits >> 6)) {
    case 0:
      item.limb0 = y0;
      item.limb1 = y1;
      item.limb2 = y2;
      item.limb3 = y3;
      break;
    case 1:
      item.limb0 = y1;
      item.limb1 = y2;
      item.limb2 = y3;
      item.limb3 = 0;
      break;
    case 2:
      item.limb0 = y2;
      item.limb1 = y3;
      item.limb2 = 0;
      item.limb3 = 0;
      break;
    default:
      item.limb0 = y3;
      item.limb1 = 0;
      item.limb2 = 0;
      item.limb3 = 0;
  }
}

/** @inline */
function isBeyondWord(count: Word): bool {
  return !count.isSmall || count.limb0 > 255;
}

export function runShl(stack: Stack): void {
  if (isBeyondWord(stack.top)) stack.second.setZero();
  else shiftLeft(stack.second, stack.top.limb0);
}

export function runShr(stack: Stack): void {
  if (isBeyondWord(stack.top)) stack.second.setZero();
  else shiftRight(stack.second, stack.top.limb0);
}

export function runSar(stack: Stack): void {
  const item = stack.second;
  const isNegative = item.isNegative;
  // The shifted complement of a negative number has zeros where the number has ones.
  if (isNegative) invert(item);
  if (isBeyondWord(stack.top)) item.setZero();
  else shiftRight(item, stack.top.limb0);
  if (isNegative) invert(item);
}

export function runClz(stack: Stack): void {
  const item = stack.top;
  let zeros: u64 = 0;
  for (let offset: usize = 24; ; offset -= 8) {
    const count = clz<u64>(item.limbAt(offset));
    zeros += count;
    if (count < 64 || offset == 0) break;
  }
  item.setSmall(zeros);
}
