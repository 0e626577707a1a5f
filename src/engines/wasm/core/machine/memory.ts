// The EVM's memory and stacks (yellow paper §9.1) of all open frames. A frame's memory begins at the end of its
// caller's, so that call data need not be copied.

import { STACK_BYTES, Stack } from "../words/stack";
import { doubled, moved } from "./heap";
import { burn } from "./machine";

let segment: usize = 0;
let capacity: usize = 0;
/** Address of the running frame's memory, and its active size in bytes. */
export let memoryStart: usize = 0;
export let memorySize: u32 = 0;

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

/** Grows the running frame's memory to a size in bytes, rounded up to words. */
export function growMemory(size: u64): void {
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
export function onStack(offset: u32): Stack {
  return changetype<Stack>(stackSegment + offset);
}

/** @inline */
export function stackOffset(stack: Stack): u32 {
  return <u32>(changetype<usize>(stack) - stackSegment);
}
