// The output of the last call (EIP-211). It has its own memory, because the call's frame is gone.

import { reserve } from "./heap";
import { burn } from "./machine";

let block: usize = 0;
let capacity: usize = 0;
export let returnLength: u32 = 0;

/** @inline */
export function returnData(): usize {
  return block;
}

/** Ensures that the buffer has this many bytes, and returns its address. */
export function prepareReturnData(length: usize): usize {
  if (length > capacity) {
    capacity = max<usize>(max<usize>(length, 4096), capacity * 2);
    block = reserve(capacity);
  }
  return block;
}

/** Sets the length of the last output. */
export function setReturnLength(length: u32): void {
  returnLength = length;
}

/** Keeps an output. */
export function keepReturnData(source: usize, length: usize): void {
  const target = prepareReturnData(length);
  if (target != source) memory.copy(target, source, length);
  returnLength = <u32>length;
  burn(length);
}
