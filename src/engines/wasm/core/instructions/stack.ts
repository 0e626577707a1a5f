// Yellow paper appendix H.2, 50s: instructions that only move the stack pointer.

/** @inline */
export function runPop(_sp: usize): void {}
