// The EVM's memory and stacks (yellow paper §9.1) of all open frames. A frame's memory begins at the end of its
// caller's, so that call data need not be copied.

import { doubled, moved } from "./heap";
import { burn, gas, setGas } from "./machine";
import { saturated } from "./words";

/** Most bytes of memory with a finite price: 2^32 words cost 2^55 gas. */
const MOST_BYTES: u64 = 1 << 37;
/** A price above any gas limit. */
export const UNPAYABLE: u64 = u64.MAX_VALUE;

let segment: usize = 0;
let capacity: usize = 0;
/** Address of the running frame's memory, and its active size in bytes. */
export let memoryStart: usize = 0;
export let memorySize: u32 = 0;

/** The price of the current instruction in gas, and the size of memory after it is paid. */
export let price: u64 = 0;
export let wantedSize: u64 = 0;
/** True if a region of memory ends beyond 2^64. */
export let isMemoryOverflow: bool = false;

/** Reserves this many bytes from the beginning of the segment on. */
export function prepareMemory(bytes: usize): void {
  if (capacity == 0) growSegment(65536);
  if (bytes > capacity) growSegment(bytes);
}

function growSegment(bytes: usize): void {
  const size = doubled(capacity, bytes);
  const larger = moved(segment, capacity, size);
  capacity = size;
  memoryStart = memoryStart - segment + larger;
  segment = larger;
}

/** Switches to a frame's memory. @inline */
export function enterMemory(offset: u32, size: u32): void {
  memoryStart = segment + offset;
  memorySize = size;
}

/** Address of a byte of the segment. @inline */
export function inMemory(offset: u32): usize {
  return segment + offset;
}

/** Offset in the segment of the running frame's memory. @inline */
export function memoryOffset(): u32 {
  return <u32>(memoryStart - segment);
}

/** @inline */
export function beginPrice(amount: u64): void {
  price = amount;
  wantedSize = 0;
  isMemoryOverflow = false;
}

/** Makes the price higher than any gas limit. */
export function setUnpayable(): void {
  price = UNPAYABLE;
}

/** @inline */
export function addPrice(amount: u64): void {
  const total = price + amount;
  price = total < price ? UNPAYABLE : total;
}

/** Notes that an instruction uses a region; its offset and length are words. */
export function useRegion(offset: usize, length: usize): void {
  const bytes = saturated(length);
  if (bytes != 0) useBytes(saturated(offset), bytes);
}

/** Notes that an instruction uses this many bytes, at least one, from an offset on. @inline */
export function useBytes(offset: u64, bytes: u64): void {
  const end = offset + bytes;
  if (end < offset || end > u64.MAX_VALUE - 32) isMemoryOverflow = true;
  wantedSize = max<u64>(wantedSize, end < offset ? u64.MAX_VALUE : end);
}

/** Adds the price of memory beyond the active part (yellow paper (326)). @inline */
export function priceMemory(): void {
  if (wantedSize > <u64>memorySize) priceGrowth();
}

function priceGrowth(): void {
  if (wantedSize > MOST_BYTES) {
    price = UNPAYABLE;
    return;
  }
  const words = (wantedSize + 31) >> 5;
  addPrice(memoryGas(words) - memoryGas(<u64>memorySize >> 5));
}

/** @inline */
function memoryGas(words: u64): u64 {
  return words * 3 + (words * words) / 512;
}

/** Adds a price per word of this many bytes. @inline */
export function pricePerWord(length: usize, perWord: u64): void {
  const bytes = saturated(length);
  // Longer regions cannot be paid for, or the instruction fails.
  if (bytes <= MOST_BYTES) addPrice(((bytes + 31) >> 5) * perWord);
}

/** Charges the price and grows memory; false, with nothing changed, if there is too little gas. @inline */
export function pay(): bool {
  if (price > <u64>gas) return false;
  setGas(gas - <i64>price);
  if (wantedSize > <u64>memorySize) growMemory(wantedSize);
  return true;
}

function growMemory(size: u64): void {
  const rounded = (size + 31) & ~31;
  const end = <u64>(memoryStart - segment) + rounded;
  // Addresses have 32 bits; memory that cannot be reserved ends the execution.
  if (end > <u64>capacity) growSegment(end > 0xfffffff0 ? 0xfffffff0 : <usize>end);
  memory.fill(memoryStart + memorySize, 0, <usize>rounded - memorySize);
  burn(<usize>rounded - memorySize);
  memorySize = <u32>rounded;
}

/** Copies bytes into memory, padded with zeros if the source is too short. The region must be active. */
export function copyPadded(target: usize, source: usize, sourceLength: usize, first: u64, length: usize): void {
  let available: usize = 0;
  if (first < <u64>sourceLength) {
    available = min<usize>(sourceLength - <usize>first, length);
    memory.copy(target, source + <usize>first, available);
  }
  if (available < length) memory.fill(target + available, 0, length - available);
  burn(length);
}

// ---- Stacks.

const STACK_BYTES: usize = 1024 * 32;

let stackSegment: usize = 0;
let stackCapacity: usize = 0;

/** Reserves a whole stack from an offset on. Addresses on stacks become invalid. */
export function prepareStack(offset: u32): void {
  // One more item, which instructions may write before the overflow is detected.
  const needed = <usize>offset + STACK_BYTES + 64;
  if (needed <= stackCapacity) return;
  const larger = max<usize>(needed, stackCapacity * 2);
  stackSegment = moved(stackSegment, stackCapacity, larger);
  stackCapacity = larger;
}

/** @inline */
export function onStack(offset: u32): usize {
  return stackSegment + offset;
}

/** @inline */
export function stackOffset(pointer: usize): u32 {
  return <u32>(pointer - stackSegment);
}
