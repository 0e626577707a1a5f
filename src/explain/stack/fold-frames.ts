/** Removes lines of a stack trace that add nothing: those of which the next line is a part. */
import { holds, isSameRange } from "../source/source-file.ts";
import type { SolidityFrame } from "./stack-frame.ts";

/** The lines of one call frame that remain; the last one always does. */
export function foldFrames(frames: readonly SolidityFrame[]): readonly SolidityFrame[] {
  const last = frames.at(-1);
  return frames.filter((frame, index) => {
    const next = frames[index + 1];
    if (next?.range === undefined || frame.range === undefined) return true;
    // The range of a constructor may be that of the whole contract.
    if (frame.function === "constructor" && next.function !== "constructor") return true;
    // The same line twice is a function that called itself, except at the end, where it is a routine of the compiler.
    if (isSameRange(frame.range, next.range) && next !== last) return true;
    return !holds(frame.range, next.range);
  });
}
