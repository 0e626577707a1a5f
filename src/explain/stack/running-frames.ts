/** Lines of the active functions of one contract. */
import { isSameRange, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import type { InternalCall } from "./internal-calls.ts";
import type { KnownFrame } from "./known-frame.ts";
import type { SolidityFrame } from "./stack-frame.ts";

/** The line of each internal call, the outermost first, then that of the failing place. */
export function framesDownTo(
  known: KnownFrame,
  calls: readonly InternalCall[],
  place: SolidityFrame,
): readonly SolidityFrame[] {
  const lines: SolidityFrame[] = [];
  /** The first instruction of the function called last. */
  let entered: SourceRange | undefined;
  for (const { site, entry } of calls) {
    const line = known.at(site.range);
    // Jumps outside of functions are the compiler's own.
    if (line.function !== undefined) lines.push(...modifiedFunction(known, lines.at(-1), entered, line), line);
    if (functionAt(entry.range) !== undefined) entered = entry.range;
  }
  return [...lines, ...modifiedFunction(known, lines.at(-1), entered, place), place];
}

/**
 * The line of the function for a modifier, which has a line of its own below it. An approximate line may be in either.
 */
function modifiedFunction(
  known: KnownFrame,
  last: SolidityFrame | undefined,
  entered: SourceRange | undefined,
  line: SolidityFrame,
): SolidityFrame[] {
  const modifier = functionAt(line.range);
  if (modifier?.kind !== "modifier" || line.isApproximate || functionAt(last?.range) === modifier) return [];
  const isThere = last?.range !== undefined && entered !== undefined && isSameRange(last.range, entered);
  if (isThere) return [];
  return [entered === undefined ? known.start() : known.at(entered)];
}

function functionAt(range: SourceRange | undefined): SourceFunction | undefined {
  return range?.file.functionAt(range.start, range.end);
}
