// Counts how often code runs, for coverage. If counting is on, a COUNT record precedes each block of the fast manner
// and each instruction of the precise one. Otherwise code has no COUNT records.
//
// Counters above zero form a list. The host reads it and resets the counters when a transaction ends.

import { Counter } from "./records";

/** True if coverage is counted. It is set once, before any code is decoded. */
export let isCounting: bool = false;

/** Switches counting on, before any code is decoded. */
export function startCounting(): void {
  isCounting = true;
}

/** The first counter above zero; null if there is none. */
export let counted: Counter | null = null;

/** Empties the list. The host calls it after it has read and reset all counters. */
export function forgetCounted(): void {
  counted = null;
}

/** Increases a counter by one. @inline */
export function countOnce(counter: Counter): void {
  if (counter.times++ != 0) return;
  counter.next = counted;
  counted = counter;
}
