// Counts how often code runs, for coverage. If counting is on, a COUNT record precedes each block of the fast manner
// and each instruction of the precise one. Otherwise code has no COUNT records.
//
// Counters above zero form a list. The host reads it and resets the counters when a transaction ends.

import { COUNT_NEXT, COUNT_TIMES } from "../machine/layout";

/**
 * The kinds of counters: for a block, for one instruction, and for exits from a block before one of its instructions.
 */
export const WHOLE_BLOCK: u32 = 0;
export const ONE_INSTRUCTION: u32 = 1;
export const LEFT_BEFORE: u32 = 2;

/** True if coverage is counted. It is set once, before any code is decoded. */
export let isCounting: bool = false;
export function startCounting(): void {
  isCounting = true;
}

/** The first counter above zero; 0 if there is none. */
export let counted: usize = 0;

/** Empties the list. The host calls it after it has read and reset all counters. */
export function forgetCounted(): void {
  counted = 0;
}

/** Increases a counter by one. @inline */
export function countOnce(counter: usize): void {
  const times = load<u32>(counter, COUNT_TIMES);
  store<u32>(counter, times + 1, COUNT_TIMES);
  if (times != 0) return;
  store<u32>(counter, <u32>counted, COUNT_NEXT);
  counted = counter;
}
