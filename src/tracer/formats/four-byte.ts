/**
 * geth's `4byteTracer`: counts calls by function selector and length of the call data (eth/tracers/native/4byte.go).
 */

import { isCreation } from "../../evm/frames.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { Recording } from "../recording.ts";

/** Calls that had one selector and one length of data. */
export interface FourByteCount {
  /** 4 bytes */
  readonly selector: Bytes;
  /** Bytes of call data after the selector. */
  readonly dataLength: number;
  readonly count: number;
}

/** Counts in order of first appearance. Creations and calls of precompiles are not counted. */
export function* fourByteTrace(recording: Recording): Steps<FourByteCount[]> {
  const counts = new Map<string, FourByteCount>();
  for (const { kind, input, isPrecompile } of recording.frames) {
    yield;
    if (input.length < 4 || isPrecompile || isCreation(kind)) continue;
    const selector = input.slice(0, 4);
    const dataLength = input.length - 4;
    const key = `${bytesKey(selector)}${dataLength}`;
    counts.set(key, { selector, dataLength, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
