// Yellow paper appendix H.2, 50s: instructions that only move the stack.

import { Stack } from "../words/stack";

/** @inline */
export function runPop(_stack: Stack): void {}
