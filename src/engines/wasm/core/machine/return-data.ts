// The output of the last call (EIP-211). It has its own memory, because the call's frame is gone.

import { ByteBuffer } from "./byte-buffer";
import { burn } from "./machine";

const returned: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** @inline */
export function returnData(): usize {
  return returned.at;
}

/** @inline */
export function returnLength(): u32 {
  return returned.length;
}

/** Ensures that the buffer has this many bytes, and returns its address. */
export function prepareReturnData(length: usize): usize {
  returned.clear();
  returned.makeRoom(length);
  return returned.at;
}

/** Sets the length of the last output. */
export function setReturnLength(length: u32): void {
  returned.length = length;
}

/** Keeps an output. */
export function keepReturnData(source: usize, length: usize): void {
  const target = prepareReturnData(length);
  if (target != source) memory.copy(target, source, length);
  returned.length = <u32>length;
  burn(length);
}
