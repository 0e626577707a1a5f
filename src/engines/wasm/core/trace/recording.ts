// The parts of the running transaction that are recorded for the host.

import { TRACE_DATA, TRACE_OUTERMOST_DATA, TRACE_STEPS, TRACE_WATCHED_DATA } from "../machine/layout";

/** Flags for the kinds of data that the transaction records. */
let tracing: u32 = 0;
/** Number of steps that the transaction has recorded. */
export let stepTotal: u32 = 0;

/** Begins the recording of a transaction. */
export function beginRecording(kinds: u32): void {
  tracing = kinds;
  stepTotal = 0;
}

/** Sets the frames of which input and output are recorded from here on. */
export function wantData(bits: u32): void {
  tracing = (tracing & ~(TRACE_DATA | TRACE_OUTERMOST_DATA | TRACE_WATCHED_DATA)) | bits;
}

/** True if any of these kinds is recorded. @inline */
export function wants(kinds: u32): bool {
  return (tracing & kinds) != 0;
}

/** Counts a recorded step. */
export function countStep(): void {
  stepTotal++;
}

/** Number of recorded steps; 0 if none are recorded. @inline */
export function stepNumber(): u32 {
  return wants(TRACE_STEPS) ? stepTotal : 0;
}
