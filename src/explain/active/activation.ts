/** Runs of functions in a call frame: those that jumps called, and those that the optimizer has inlined. */
import type { CallEdge, CallGraph, Way } from "../source/functions/call-graph.ts";
import { holds, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import { hasSameBody, rangeInCalled } from "./equal-functions.ts";

/** A function that is active, or the part of a call frame outside of functions. */
export interface Activation {
  /** Undefined for the outermost of a call frame. */
  readonly caller: Activation | undefined;
  /** Undefined outside of functions. */
  readonly definition: SourceFunction | undefined;
  /** Range of the call in the caller; undefined if nothing calls it. */
  readonly site: SourceRange | undefined;
  /** False if the caller may have another call of the function that was executed instead. */
  readonly isSiteCertain: boolean;
  /** False if another function may run instead, or if it is not known by which calls it was reached. */
  readonly isCertain: boolean;
  /** True if no jump called it. */
  readonly isInlined: boolean;
  /** The function that the source map gives for its code, if the optimizer has merged the two. */
  readonly mappedAs: SourceFunction | undefined;
  /**
   * True after the jump to its first instruction. Before it, code of the outermost function decodes the arguments. Always
   * false for a function that is inlined.
   */
  readonly hasBegun: boolean;
}

/** One that has not ended. */
export interface OpenActivation extends Activation {
  mappedAs: SourceFunction | undefined;
  hasBegun: boolean;
  /** Range of the last instruction that was its own. */
  last: SourceRange | undefined;
}

/** A run that begins. */
export function begun(
  definition: SourceFunction | undefined,
  caller: Activation | undefined,
  how: Pick<Activation, "isCertain" | "isInlined"> & Partial<Activation>,
): OpenActivation {
  return {
    caller,
    definition,
    site: undefined,
    isSiteCertain: true,
    mappedAs: undefined,
    hasBegun: !how.isInlined,
    last: undefined,
    ...how,
  };
}

/** The last of the runs that are inlined in one another, of which there is always one. */
export function innermostOf(stack: readonly OpenActivation[]): OpenActivation {
  return stack.at(-1) as OpenActivation;
}

/** True for the function whose ranges its code has, too. */
export function isOf({ definition, mappedAs }: Activation, claimed: SourceFunction): boolean {
  return definition === claimed || mappedAs === claimed;
}

/** The run of a function that a modifier belongs to: the modifier jumps to the rest of it. */
export function runningOf(modifier: OpenActivation, modified: SourceFunction): OpenActivation | undefined {
  for (let active = modifier.caller; active !== undefined; active = active.caller) {
    if (active.definition === modified) return active as OpenActivation;
  }
  return undefined;
}

/**
 * The function that a modifier belongs to, if the modifier has ended: a function has code that runs, and is called by that
 * one and not by the modifier.
 */
export function modifiedBy(
  graph: CallGraph,
  modifier: OpenActivation,
  running: SourceFunction,
): OpenActivation | undefined {
  if (modifier.definition?.kind !== "modifier" || graph.reachedFrom(modifier.definition).has(running)) return undefined;
  let active = modifier.caller;
  while (active?.definition?.kind === "modifier") active = active.caller;
  const isCaller = active?.definition !== undefined && graph.reachedFrom(active.definition).has(running);
  return isCaller ? (active as OpenActivation) : undefined;
}

/** A range of the code in the function that runs. */
export function rangeOf({ mappedAs, definition }: Activation, range: SourceRange | undefined): SourceRange | undefined {
  return range && mappedAs && definition ? rangeInCalled(mappedAs, definition, range) : range;
}

/** Functions with the same body, among which may be the function itself. */
export function equalTo(definition: SourceFunction, among: Iterable<SourceFunction>): readonly SourceFunction[] {
  return [...among].filter(
    (each) => each === definition || (each.kind === definition.kind && hasSameBody(each, definition)),
  );
}

/**
 * The shortest of the ways from one function to another. Of several calls of the same function it takes the one that was
 * being executed, as far as the last range of the caller shows.
 */
export function likelyWay(ways: readonly Way[], last: SourceRange | undefined): Way {
  const isNear = (way: Way): boolean => {
    const range = way[0]?.call.range;
    return range !== undefined && last !== undefined && (holds(range, last) || holds(last, range));
  };
  const sorted = ways.toSorted((left, right) => left.length - right.length);
  return sorted.find(isNear) ?? sorted[0] ?? [];
}

/** The range of a call in its caller. A modifier is not called at a place of its own, but by the whole function. */
export function siteOf(
  graph: CallGraph,
  { definition, last }: OpenActivation,
  { call, callee }: CallEdge,
): Pick<Activation, "site" | "isSiteCertain"> {
  if (definition !== undefined && callee.kind === "modifier") return { site: definition.range, isSiteCertain: true };
  const calls = definition === undefined ? [] : graph.callsOf(definition).filter((edge) => edge.callee === callee);
  const isHere = last !== undefined && (holds(call.range, last) || holds(last, call.range));
  return { site: call.range, isSiteCertain: calls.length === 1 || isHere };
}
