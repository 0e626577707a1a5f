/** Statements that cannot run, because a `revert` without a condition stands before them. */
import { functionAround, holds, type SourceFunction, type SourceRange } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";
import type { SolidityFrame } from "../stack-frame.ts";

/**
 * The place itself if it can run. Otherwise the `revert` before it, below the line of the function if that `revert` is in one of
 * its modifiers. The optimizer removes statements after a `revert`, but the source map may give the `revert` their range.
 */
export function reachablePlace(known: KnownFrame, place: SolidityFrame): readonly SolidityFrame[] {
  const { range, isApproximate } = place;
  const { execution, last } = known;
  // A revert without a range, as some versions of solc 0.6 make, is shown at the nearest place, as EDR does.
  if (execution.at(last)?.range === undefined) return [place];
  const definition = functionAround(range);
  if (range === undefined || definition?.body === undefined || !holds(definition.body, range)) return [place];
  const before = revertOfModifiers(known, definition);
  if (before !== undefined) {
    // For an exact line, the jumps into the function have added the function's line already.
    const modified = isApproximate ? [known.atStartOf(definition, true)] : [];
    return [...modified, known.at(before, isApproximate)];
  }
  const { unconditionalRevert: own } = definition.code;
  return [own === undefined || range.start < own.end ? place : known.at(own, isApproximate)];
}

/** The `revert` of the first modifier that always reverts before the function's body. */
function revertOfModifiers({ contract }: KnownFrame, modified: SourceFunction): SourceRange | undefined {
  const called = modified.modifiers.map((call) => contract.calls().calleesOf(modified, call)[0]);
  return called.find((each) => each?.kind === "modifier" && each.code.unconditionalRevert !== undefined)?.code
    .unconditionalRevert;
}
