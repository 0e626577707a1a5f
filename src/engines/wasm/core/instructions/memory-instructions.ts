// Yellow paper appendix H.2: instructions that read, write, hash (20s) and log (a0s) memory, and EXP, whose price
// depends on its exponent (0s).

import { fees } from "../machine/fees";
import { keccak, keccakOfPair } from "../machine/keccak";
import { burn, frame } from "../machine/machine";
import { memorySize, memoryStart } from "../machine/memory";
import { price } from "../machine/price";
import { REFUSED_STATIC } from "../machine/refusals";
import { addLog } from "../trace/logs";
import { Stack } from "../words/stack";
import { Word } from "../words/word";

const HASH_WORD: u64 = 6;
const COPY_WORD: u64 = 3;
const LOG_BYTE: u64 = 8;

/** Address in memory of the offset in a word. The region must be active. @inline */
function placeOf(offset: Word): usize {
  return memoryStart + <usize>offset.lowest32;
}

/** @inline */
function priceOfBytes(offset: Word, bytes: u64): void {
  price.useBytes(offset.saturated, bytes);
  price.addMemory();
}

export function priceMload(stack: Stack): i32 {
  priceOfBytes(stack.top, 32);
  return 0;
}

/** @inline */
export function runMload(stack: Stack): void {
  stack.top.read(placeOf(stack.top));
}

export function priceMstore(stack: Stack): i32 {
  priceOfBytes(stack.top, 32);
  return 0;
}

/** @inline */
export function runMstore(stack: Stack): void {
  stack.second.write(placeOf(stack.top));
}

export function priceMstore8(stack: Stack): i32 {
  priceOfBytes(stack.top, 1);
  return 0;
}

export function runMstore8(stack: Stack): void {
  store<u8>(placeOf(stack.top), <u8>stack.second.limb0);
}

export function priceMcopy(stack: Stack): i32 {
  price.addPerWord(stack.third, COPY_WORD);
  price.useRegion(stack.top, stack.third);
  price.useRegion(stack.second, stack.third);
  price.addMemory();
  return 0;
}

export function runMcopy(stack: Stack): void {
  const length = <usize>stack.third.saturated;
  if (length == 0) return;
  memory.copy(placeOf(stack.top), placeOf(stack.second), length);
  burn(length);
}

export function runMsize(stack: Stack): void {
  stack.pushed.setSmall(memorySize);
}

export function priceKeccak256(stack: Stack): i32 {
  price.addPerWord(stack.second, HASH_WORD);
  price.useRegion(stack.top, stack.second);
  price.addMemory();
  return 0;
}

export function runKeccak256(stack: Stack): void {
  const length = <usize>stack.second.saturated;
  if (length == 64) return keccakOfPair(stack.second, placeOf(stack.top));
  keccak(stack.second, length == 0 ? 0 : placeOf(stack.top), length);
  // A permutation takes some 400 nanoseconds: one for each 136 bytes, and one more.
  burn(length * 24 + 3200);
}

export function priceExp(stack: Stack): i32 {
  price.add(<u64>stack.second.byteLength() * fees.expByte);
  return 0;
}

function priceLog(stack: Stack): i32 {
  const bytes = stack.second.saturated;
  // The memory price of more than 2^37 bytes exceeds all gas, so the price per byte is not needed then.
  if (bytes < 0x2000000000) price.add(bytes * LOG_BYTE);
  price.useRegion(stack.top, stack.second);
  price.addMemory();
  return frame.isStatic ? REFUSED_STATIC : 0;
}

function log(stack: Stack, topics: usize): void {
  const length = <usize>stack.second.saturated;
  addLog(frame.address, stack.below(2), topics, length == 0 ? 0 : placeOf(stack.top), length);
}

export function priceLog0(stack: Stack): i32 {
  return priceLog(stack);
}
export function runLog0(stack: Stack): void {
  log(stack, 0);
}
export function priceLog1(stack: Stack): i32 {
  return priceLog(stack);
}
export function runLog1(stack: Stack): void {
  log(stack, 1);
}
export function priceLog2(stack: Stack): i32 {
  return priceLog(stack);
}
export function runLog2(stack: Stack): void {
  log(stack, 2);
}
export function priceLog3(stack: Stack): i32 {
  return priceLog(stack);
}
export function runLog3(stack: Stack): void {
  log(stack, 3);
}
export function priceLog4(stack: Stack): i32 {
  return priceLog(stack);
}
export function runLog4(stack: Stack): void {
  log(stack, 4);
}
