// Yellow paper appendix H.2, 10s: comparison and bitwise logic operations (EIP-145: shifts; EIP-7939: CLZ).

import { isBelow, isEqual, isSignedBelow, isZero, saturated, setSmall, setZero, upperBits } from "../machine/words";

/** @inline */
export function runLt(sp: usize): void {
  setSmall(sp - 64, u64(isBelow(sp - 32, sp - 64)));
}

/** @inline */
export function runGt(sp: usize): void {
  setSmall(sp - 64, u64(isBelow(sp - 64, sp - 32)));
}

/** @inline */
export function runSlt(sp: usize): void {
  setSmall(sp - 64, u64(isSignedBelow(sp - 32, sp - 64)));
}

/** @inline */
export function runSgt(sp: usize): void {
  setSmall(sp - 64, u64(isSignedBelow(sp - 64, sp - 32)));
}

/** @inline */
export function runEq(sp: usize): void {
  setSmall(sp - 64, u64(isEqual(sp - 32, sp - 64)));
}

/** @inline */
export function runIszero(sp: usize): void {
  setSmall(sp - 32, u64(isZero(sp - 32)));
}

/** @inline */
export function runAnd(sp: usize): void {
  v128.store(sp - 64, v128.and(v128.load(sp - 64), v128.load(sp - 32)));
  v128.store(sp - 48, v128.and(v128.load(sp - 48), v128.load(sp - 16)));
}

/** @inline */
export function runOr(sp: usize): void {
  v128.store(sp - 64, v128.or(v128.load(sp - 64), v128.load(sp - 32)));
  v128.store(sp - 48, v128.or(v128.load(sp - 48), v128.load(sp - 16)));
}

/** @inline */
export function runXor(sp: usize): void {
  v128.store(sp - 64, v128.xor(v128.load(sp - 64), v128.load(sp - 32)));
  v128.store(sp - 48, v128.xor(v128.load(sp - 48), v128.load(sp - 16)));
}

/** @inline */
export function runNot(sp: usize): void {
  v128.store(sp - 32, v128.not(v128.load(sp - 32)));
  v128.store(sp - 16, v128.not(v128.load(sp - 16)));
}

/** @inline */
export function runByte(sp: usize): void {
  const index = saturated(sp - 32);
  setSmall(sp - 64, index > 31 ? 0 : <u64>load<u8>(sp - 33 - <usize>index));
}

/** Shifts a word left by less than 256 bits. */
export function shiftLeft(item: usize, bits: u64): void {
  const inLane = bits & 63;
  const back = (64 - inLane) & 63;
  const mask: u64 = inLane == 0 ? 0 : ~0;
  const x0 = load<u64>(item);
  const x1 = load<u64>(item, 8);
  const x2 = load<u64>(item, 16);
  const x3 = load<u64>(item, 24);
  const y0 = x0 << inLane;
  const y1 = (x1 << inLane) | ((x0 >> back) & mask);
  const y2 = (x2 << inLane) | ((x1 >> back) & mask);
  const y3 = (x3 << inLane) | ((x2 >> back) & mask);
  switch (<u32>(bits >> 6)) {
    case 0:
      store<u64>(item, y0);
      store<u64>(item, y1, 8);
      store<u64>(item, y2, 16);
      store<u64>(item, y3, 24);
      break;
    case 1:
      store<u64>(item, 0);
      store<u64>(item, y0, 8);
      store<u64>(item, y1, 16);
      store<u64>(item, y2, 24);
      break;
    case 2:
      store<u64>(item, 0);
      store<u64>(item, 0, 8);
      store<u64>(item, y0, 16);
      store<u64>(item, y1, 24);
      break;
    default:
      store<u64>(item, 0);
      store<u64>(item, 0, 8);
      store<u64>(item, 0, 16);
      store<u64>(item, y0, 24);
  }
}

/** Shifts a word right by less than 256 bits; zeros come in. */
export function shiftRight(item: usize, bits: u64): void {
  const inLane = bits & 63;
  const back = (64 - inLane) & 63;
  const mask: u64 = inLane == 0 ? 0 : ~0;
  const x0 = load<u64>(item);
  const x1 = load<u64>(item, 8);
  const x2 = load<u64>(item, 16);
  const x3 = load<u64>(item, 24);
  const y0 = (x0 >> inLane) | ((x1 << back) & mask);
  const y1 = (x1 >> inLane) | ((x2 << back) & mask);
  const y2 = (x2 >> inLane) | ((x3 << back) & mask);
  const y3 = x3 >> inLane;
  switch (<u32>(bits >> 6)) {
    case 0:
      store<u64>(item, y0);
      store<u64>(item, y1, 8);
      store<u64>(item, y2, 16);
      store<u64>(item, y3, 24);
      break;
    case 1:
      store<u64>(item, y1);
      store<u64>(item, y2, 8);
      store<u64>(item, y3, 16);
      store<u64>(item, 0, 24);
      break;
    case 2:
      store<u64>(item, y2);
      store<u64>(item, y3, 8);
      store<u64>(item, 0, 16);
      store<u64>(item, 0, 24);
      break;
    default:
      store<u64>(item, y3);
      store<u64>(item, 0, 8);
      store<u64>(item, 0, 16);
      store<u64>(item, 0, 24);
  }
}

/** @inline */
function isBeyondWord(count: usize): bool {
  return upperBits(count) != 0 || load<u64>(count) > 255;
}

export function runShl(sp: usize): void {
  if (isBeyondWord(sp - 32)) setZero(sp - 64);
  else shiftLeft(sp - 64, load<u64>(sp - 32));
}

export function runShr(sp: usize): void {
  if (isBeyondWord(sp - 32)) setZero(sp - 64);
  else shiftRight(sp - 64, load<u64>(sp - 32));
}

function invert(item: usize): void {
  v128.store(item, v128.not(v128.load(item)));
  v128.store(item, v128.not(v128.load(item, 16)), 16);
}

export function runSar(sp: usize): void {
  const item = sp - 64;
  const isNegative = load<i64>(item, 24) < 0;
  // The shifted complement of a negative number has zeros where the number has ones.
  if (isNegative) invert(item);
  if (isBeyondWord(sp - 32)) setZero(item);
  else shiftRight(item, load<u64>(sp - 32));
  if (isNegative) invert(item);
}

export function runClz(sp: usize): void {
  const item = sp - 32;
  let zeros: u64 = 0;
  for (let lane: usize = 24; ; lane -= 8) {
    const count = clz<u64>(load<u64>(item + lane));
    zeros += count;
    if (count < 64 || lane == 0) break;
  }
  setSmall(item, zeros);
}
