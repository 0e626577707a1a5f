/**
 * Functions with the same code. The optimizer keeps one of them, with its ranges; the call data or the call in the source
 * tells which one was called.
 */
import type { FoundContract } from "../source/contract-finder.ts";
import { holds, isSameRange, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import type { MappedInstruction } from "../source/source-map.ts";
import { calleesOf, calls, reachedFrom } from "./place/called-functions.ts";

/** The code of a contract that runs. */
export interface RunningCode {
  readonly found: FoundContract;
  /** The function that the call data selects; undefined for none, and for creations. */
  readonly selected: SourceFunction | undefined;
}

/** Operations that ran in the code of a function for another one with the same code. */
export interface Twin {
  /** The function that has the ranges of the code. */
  readonly kept: SourceFunction;
  /** The function that was called. */
  readonly called: SourceFunction;
  /** Indexes of the first operation, and of the first one after them. */
  readonly from: number;
  to: number;
}

/** Functions with the body of one that may run, which cannot run themselves: their ranges are that one's. */
export function equalFunctions(running: RunningCode): Twin[] {
  const { found, selected } = running;
  if (selected === undefined) return [];
  const reached = reachedFrom(running, selected);
  const others = found.code.files.flatMap(({ functions }) => functions).filter((each) => !reached.has(each));
  return others.flatMap((kept) => {
    const [called, ...more] = [...reached].filter((each) => each.kind === kept.kind && hasSameBody(each, kept));
    return called === undefined || more.length > 0 ? [] : [{ kept, called, from: 0, to: Number.POSITIVE_INFINITY }];
  });
}

/**
 * The function that a jump into another one calls by its source; undefined if it is that one, or not known.
 *
 * @param isOutermost - true if no function of the source is active yet
 */
export function calledInstead(
  running: RunningCode,
  site: MappedInstruction,
  kept: SourceFunction,
  isOutermost: boolean,
): SourceFunction | undefined {
  const callees = isOutermost ? selectedFunction(running, site, kept) : namedFunctions(running, site);
  if (callees.length === 0 || callees.some((callee) => calls(running, callee, kept))) return undefined;
  return callees.find((callee) => hasSameBody(callee, kept)) ?? callees[0];
}

/** The function that the call data selects, for a jump to the beginning of a function. */
function selectedFunction(
  { selected }: RunningCode,
  { range }: MappedInstruction,
  kept: SourceFunction,
): SourceFunction[] {
  if (selected === undefined || kept.kind !== "function") return [];
  const caller = range?.file.functionAt(range.start, range.end);
  const isDispatch = range === undefined || caller === undefined || isSameRange(range, caller.range);
  return isDispatch ? [selected] : [];
}

/** The functions that a call in the source may mean. */
function namedFunctions(running: RunningCode, { range }: MappedInstruction): readonly SourceFunction[] {
  const call = range?.file
    .functionAt(range.start, range.end)
    ?.code.calls.find((each) => isSameRange(each.range, range));
  return call === undefined ? [] : calleesOf(running, call);
}

/** The range in the called function for one in the other; the whole function if the two are not written in the same way. */
export function rangeInCalled({ kept, called }: Twin, range: SourceRange): SourceRange {
  if (!holds(kept.range, range)) return range;
  if (!hasSameBody(kept, called) || !kept.body || !called.body || !holds(kept.body, range)) return called.range;
  const distance = called.body.start - kept.body.start;
  return { file: called.body.file, start: range.start + distance, end: range.end + distance };
}

/** True if two functions have bodies, with the same text. */
export function hasSameBody(left: SourceFunction, right: SourceFunction): boolean {
  const [first, second] = [left.body, right.body];
  if (first === undefined || second === undefined || first.end - first.start !== second.end - second.start)
    return false;
  return textOf(first) === textOf(second);
}

function textOf({ file, start, end }: SourceRange): string {
  return file.textOf(start, end);
}
