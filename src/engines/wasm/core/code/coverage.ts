// Counts of how often code ran, for coverage. A core that counts has a COUNT record at the beginning of each block of the
// fast manner, and before each instruction of the precise one; others have none.
//
// Counters that are not zero form a list, which the host reads and empties when a transaction ends.

import { COUNT_NEXT, COUNT_TIMES } from "../machine/layout";

/** What a counter counts: a block, one instruction, or how often a block was left before an instruction of it. */
export const WHOLE_BLOCK: u32 = 0;
export const ONE_INSTRUCTION: u32 = 1;
export const LEFT_BEFORE: u32 = 2;

/** Set once, before any code is decoded. */
export let isCounting: bool = false;
export function startCounting(): void {
  isCounting = true;
}

/** The first counter that is not zero; 0 where there is none. */
export let counted: usize = 0;

/** The host has read all counters, and set them to zero. */
export function forgetCounted(): void {
  counted = 0;
}

/** Counts once more. */
// @ts-ignore: decorator
@inline
export function countOnce(counter: usize): void {
  const times = load<u32>(counter, COUNT_TIMES);
  store<u32>(counter, times + 1, COUNT_TIMES);
  if (times != 0) return;
  store<u32>(counter, <u32>counted, COUNT_NEXT);
  counted = counter;
}
