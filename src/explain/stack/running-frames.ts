/** Lines of the active functions of one contract. */
import { functionAround, isSameRange, type SourceFunction } from "../source/source-file.ts";
import type { InternalCall } from "./internal-calls.ts";
import type { KnownFrame } from "./known-frame.ts";
import type { SolidityFrame } from "./stack-frame.ts";

/** The line of each internal call, the outermost first, then that of the failing place. */
export function framesDownTo(
  known: KnownFrame,
  active: readonly InternalCall[],
  place: SolidityFrame,
): readonly SolidityFrame[] {
  const calls = callsAround(known, active, place);
  const lines: SolidityFrame[] = [];
  /** The last call. */
  let entered: InternalCall | undefined;
  for (const call of calls) {
    const line = known.at(call.site, call.isApproximate);
    // Jumps outside of functions are the compiler's own.
    if (line.function !== undefined) lines.push(...modifiedFunction(known, lines.at(-1), entered, line), line);
    entered = call;
  }
  const isInCalled = functionAround(place.range) === calls.at(-1)?.called;
  const last = isInCalled && calls.at(-1)?.isCertain === false ? { ...place, isApproximate: true } : place;
  return [...lines, ...modifiedFunction(known, lines.at(-1), entered, last), last];
}

/**
 * The calls down to the function of the failing place. Calls below it that are inlined or not certain are dropped, since they may
 * have ended. If no active function contains the place, the calls that lead to it are taken from the source, if there is one way.
 */
function callsAround(
  known: KnownFrame,
  calls: readonly InternalCall[],
  { range }: SolidityFrame,
): readonly InternalCall[] {
  const definition = functionAround(range);
  if (definition === undefined) return calls;
  const graph = known.contract.calls();
  const functionBelow = (length: number): SourceFunction | undefined =>
    length === 0 ? known.outermost : calls[length - 1]?.called;
  let length = calls.length;
  while (length > 0 && mayHaveEnded(calls[length - 1]) && !contains(known, functionBelow(length), definition)) length--;
  if (contains(known, functionBelow(length), definition)) return calls.slice(0, length);
  for (length = calls.length; length > 0 && mayHaveEnded(calls[length - 1]); length--) {
    const around = functionBelow(length);
    if (around !== undefined && graph.reachedFrom(around).has(definition)) break;
  }
  const around = functionBelow(length);
  const [way, ...others] = around === undefined ? [] : graph.waysBetween(around, definition);
  if (around === undefined || way === undefined || others.length > 0) return calls;
  const inlined = way.flatMap(({ call, callee }): InternalCall[] => {
    if (callee.kind === "modifier") return [];
    return [{ site: call.range, called: callee, isApproximate: false, isInlined: true, isCertain: true }];
  });
  return [...calls.slice(0, length), ...inlined];
}

/** True for a call that was inlined, so that no jump shows its end, or of which the function is not certain. */
function mayHaveEnded(call: InternalCall | undefined): boolean {
  return call !== undefined && (call.isInlined || !call.isCertain);
}

/** True for a function and for its modifiers. */
function contains(known: KnownFrame, around: SourceFunction | undefined, definition: SourceFunction): boolean {
  if (around === undefined) return false;
  const graph = known.contract.calls();
  return (
    around === definition || around.modifiers.some((modifier) => graph.calleesOf(around, modifier).includes(definition))
  );
}

/** The line of the modified function, above a line in its modifier; none if it stands there already. */
function modifiedFunction(
  known: KnownFrame,
  last: SolidityFrame | undefined,
  entered: InternalCall | undefined,
  line: SolidityFrame,
): SolidityFrame[] {
  const modifier = functionAround(line.range);
  if (modifier?.kind !== "modifier" || functionAround(last?.range) === modifier) return [];
  // An approximate line in a constructor may be in either, unless a jump led into the modifier.
  const { isInlined = true } = known.execution.activation(known.last) ?? {};
  if (line.isApproximate && known.isCreation && isInlined) return [];
  const isThere = last?.range !== undefined && entered !== undefined && isSameRange(last.range, entered.called.range);
  if (isThere) return [];
  return [entered === undefined ? known.start() : known.at(entered.called.range, !entered.isCertain)];
}
