// Allocator for the linear memory after the compiler's data. Blocks only grow, each time to twice their size.
//
// A block that grows moves to the end of the memory, so its contents are addressed by offsets. The old place is not
// reused. That is acceptable, because instances that become large are dropped soon.

import { TRAP_MEMORY } from "./layout";

let top: usize = (__heap_base + 15) & ~15;

/** Bytes of memory that an execution may have; the host sets it. */
export let memoryLimit: u32 = 0;
/** The reason why the core trapped on purpose; 0 if it did not. */
export let trapReason: i32 = 0;

export function setMemoryLimit(bytes: u32): void {
  memoryLimit = bytes;
}

/** Allocates zeroed bytes at a multiple of 16. Ends the execution if the memory limit is exceeded. */
export function reserve(bytes: usize): usize {
  const start = top;
  const end = <u64>start + ((<u64>bytes + 15) & ~15);
  if (end > <u64>memoryLimit) fail();
  const available = <u64>memory.size() << 16;
  if (end > available) {
    // More than needed now, because each growth takes some microseconds.
    const wanted = end + (end >> 2);
    const least = <i32>((end - available + 0xffff) >> 16);
    const generous = <i32>((min<u64>(wanted, <u64>memoryLimit) - available + 0xffff) >> 16);
    if (memory.grow(generous) < 0 && memory.grow(least) < 0) fail();
  }
  top = <usize>end;
  return start;
}

function fail(): void {
  trapReason = TRAP_MEMORY;
  unreachable();
}

/** Moves a block of `used` bytes to a new place of `needed` bytes. */
export function moved(block: usize, used: usize, needed: usize): usize {
  const target = reserve(needed);
  memory.copy(target, block, used);
  return target;
}
