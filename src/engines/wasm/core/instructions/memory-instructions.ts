// Yellow paper appendix H.2: instructions that read, write, hash (20s) and log (a0s) memory, and EXP, whose price
// depends on its exponent (0s).

import { keccak, keccakOfPair } from "../machine/keccak";
import { FEE_EXP_BYTE } from "../machine/layout";
import { burn, fee, frame } from "../machine/machine";
import { memorySize, memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { REFUSED_STATIC } from "../machine/refusals";
import { byteLength, reverse, saturated, setSmall } from "../machine/words";
import { addLog } from "../trace/logs";

const HASH_WORD: u64 = 6;
const COPY_WORD: u64 = 3;
const LOG_BYTE: u64 = 8;

/** Address in memory of the offset in a word. The region must be active. @inline */
function placeOf(offset: usize): usize {
  return memoryStart + <usize>load<u32>(offset);
}

/** @inline */
function priceOfBytes(offset: usize, bytes: u64): void {
  price.useBytes(saturated(offset), bytes);
  price.addMemory();
}

export function priceMload(sp: usize): i32 {
  priceOfBytes(sp - 32, 32);
  return 0;
}

/** @inline */
export function runMload(sp: usize): void {
  reverse(sp - 32, placeOf(sp - 32));
}

export function priceMstore(sp: usize): i32 {
  priceOfBytes(sp - 32, 32);
  return 0;
}

/** @inline */
export function runMstore(sp: usize): void {
  reverse(placeOf(sp - 32), sp - 64);
}

export function priceMstore8(sp: usize): i32 {
  priceOfBytes(sp - 32, 1);
  return 0;
}

export function runMstore8(sp: usize): void {
  store<u8>(placeOf(sp - 32), load<u8>(sp - 64));
}

export function priceMcopy(sp: usize): i32 {
  price.addPerWord(sp - 96, COPY_WORD);
  price.useRegion(sp - 32, sp - 96);
  price.useRegion(sp - 64, sp - 96);
  price.addMemory();
  return 0;
}

export function runMcopy(sp: usize): void {
  const length = <usize>saturated(sp - 96);
  if (length == 0) return;
  memory.copy(placeOf(sp - 32), placeOf(sp - 64), length);
  burn(length);
}

export function runMsize(sp: usize): void {
  setSmall(sp, memorySize);
}

export function priceKeccak256(sp: usize): i32 {
  price.addPerWord(sp - 64, HASH_WORD);
  price.useRegion(sp - 32, sp - 64);
  price.addMemory();
  return 0;
}

export function runKeccak256(sp: usize): void {
  const length = <usize>saturated(sp - 64);
  if (length == 64) return keccakOfPair(sp - 64, placeOf(sp - 32));
  keccak(sp - 64, length == 0 ? 0 : placeOf(sp - 32), length);
  // A permutation takes some 400 nanoseconds: one for each 136 bytes, and one more.
  burn(length * 24 + 3200);
}

export function priceExp(sp: usize): i32 {
  price.add(<u64>byteLength(sp - 64) * fee(FEE_EXP_BYTE));
  return 0;
}

function priceLog(sp: usize): i32 {
  const bytes = saturated(sp - 64);
  // The memory price of more than 2^37 bytes exceeds all gas, so the price per byte is not needed then.
  if (bytes < 0x2000000000) price.add(bytes * LOG_BYTE);
  price.useRegion(sp - 32, sp - 64);
  price.addMemory();
  return frame.isStatic ? REFUSED_STATIC : 0;
}

function log(sp: usize, topics: usize): void {
  const length = <usize>saturated(sp - 64);
  addLog(frame.address, sp - 64, topics, length == 0 ? 0 : placeOf(sp - 32), length);
}

export function priceLog0(sp: usize): i32 {
  return priceLog(sp);
}
export function runLog0(sp: usize): void {
  log(sp, 0);
}
export function priceLog1(sp: usize): i32 {
  return priceLog(sp);
}
export function runLog1(sp: usize): void {
  log(sp, 1);
}
export function priceLog2(sp: usize): i32 {
  return priceLog(sp);
}
export function runLog2(sp: usize): void {
  log(sp, 2);
}
export function priceLog3(sp: usize): i32 {
  return priceLog(sp);
}
export function runLog3(sp: usize): void {
  log(sp, 3);
}
export function priceLog4(sp: usize): i32 {
  return priceLog(sp);
}
export function runLog4(sp: usize): void {
  log(sp, 4);
}
