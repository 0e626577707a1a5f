// Allocator for the linear memory after the compiler's data. Blocks only grow, each time to twice their size.
//
// The last block grows in its place. Any other one moves to the end of the memory, so contents are addressed by offsets.
// The old place is not reused. That is acceptable, because instances that become large are dropped soon.

import { TRAP_MEMORY } from "./layout";

let top: usize = (__heap_base + 15) & ~15;
/** The last block. */
let last: usize = 0;

/** Bytes of memory that an execution may have; the host sets it. */
export let memoryLimit: u32 = 0;
/** The reason why the core trapped on purpose; 0 if it did not. */
export let trapReason: i32 = 0;

/** Sets the most bytes of memory that an execution may have. */
export function setMemoryLimit(bytes: u32): void {
  memoryLimit = bytes;
}

/** Allocates zeroed bytes at a multiple of 16. Ends the execution if the memory limit is exceeded. */
export function reserve(bytes: usize): usize {
  const start = top;
  const end = <u64>start + ((<u64>bytes + 15) & ~15);
  if (end > <u64>memoryLimit) fail();
  const available = (<u64>memory.size()) << 16;
  if (end > available) {
    // More than needed now, because each growth takes some microseconds.
    const wanted = end + (end >> 2);
    const least = <i32>((end - available + 0xffff) >> 16);
    const generous = <i32>((min<u64>(wanted, <u64>memoryLimit) - available + 0xffff) >> 16);
    if (memory.grow(generous) < 0 && memory.grow(least) < 0) fail();
  }
  top = <usize>end;
  last = start;
  return start;
}

function fail(): void {
  trapReason = TRAP_MEMORY;
  unreachable();
}

/** Makes a block with `used` bytes larger, to `needed` bytes. Returns its place, which may be a new one. */
export function moved(block: usize, used: usize, needed: usize): usize {
  if (block != 0 && block == last) top = block;
  const target = reserve(needed);
  if (target != block) memory.copy(target, block, used);
  return target;
}

/** Twice a size, or `needed` if that is more or if the memory limit has no room for twice the size. */
export function doubled(size: usize, needed: usize): usize {
  const twice = max<u64>(<u64>size * 2, <u64>needed);
  return <u64>top + twice > <u64>memoryLimit ? needed : <usize>twice;
}
