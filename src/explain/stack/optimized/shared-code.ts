/**
 * Code that the optimizer stores once for several functions. The source map has the range of one of them, which need not be one
 * that runs. An example: `a()` and `b()` both end with `counter += 1`. The instructions of that statement may be those of `b()`
 * while `a()` runs.
 */
import { Op } from "../../../evm/opcodes.ts";
import { hasSameBody } from "../../active/equal-functions.ts";
import { functionAround, isSameRange, type SourceFunction, type SourceRange } from "../../source/source-file.ts";
import type { InternalCall } from "../internal-calls.ts";
import type { KnownFrame } from "../known-frame.ts";
import type { SolidityFrame } from "../stack-frame.ts";
import { isAssembly } from "./assembly-revert.ts";

const { JUMP, JUMPI } = Op;

/** An operation of a frame, with the functions that were active then. */
interface ActiveOperation {
  readonly index: number;
  readonly calls: readonly InternalCall[];
}

/**
 * The place itself if it is in a function that is active or that an active one may have called. Otherwise the place of the last
 * jump in such a function, before the shared code; without one the place, as approximate, or the function that begins the frame.
 *
 * @param at - index of the operation, and the functions active then; default: the end of the frame
 */
export function placeInActive(
  known: KnownFrame,
  found: SolidityFrame,
  at: ActiveOperation = endOf(known),
): SolidityFrame {
  const definition = functionAround(found.range);
  const { outermost } = known;
  const graph = known.contract.calls();
  const running = [outermost, ...at.calls.map(({ called }) => called)];
  if (definition === undefined || found.range === undefined) return found;
  const isRunning = running.some((each) => each && (each === definition || isModifiedBy(known, each, definition)));
  // A creation runs constructors of bases and initial values, too, which no call in the source names.
  const mayRun = (other: SourceFunction): boolean =>
    known.isCreation || outermost === undefined || running.some((each) => each && graph.reachedFrom(each).has(other));
  if (isRunning || (mayRun(definition) && !isShared(known, definition, at.index))) {
    const isCertain = !isBroad(found.range, definition) && (isRunning || !hasRunningEqual(known, definition, mayRun));
    return isCertain ? found : { ...found, isApproximate: true };
  }
  const range = lastJumpOf(known, mayRun, at.index);
  if (range !== undefined) return known.at(range, true);
  return mayRun(definition) && !known.isCreation ? { ...found, isApproximate: true } : known.start(true);
}

function endOf({ last, internal }: KnownFrame): ActiveOperation {
  return { index: last, calls: internal.calls };
}

function isModifiedBy({ contract }: KnownFrame, modified: SourceFunction, definition: SourceFunction): boolean {
  return modified.modifiers.some((call) => contract.calls().calleesOf(modified, call).includes(definition));
}

/** True if another function with the same body may run, so that the optimizer may have merged the two. */
function hasRunningEqual(
  { found }: KnownFrame,
  definition: SourceFunction,
  mayRun: (other: SourceFunction) => boolean,
): boolean {
  const functions = found.code.files.flatMap((file) => file.functions);
  return functions.some((other) => other !== definition && hasSameBody(other, definition) && mayRun(other));
}

/** The range of a whole function with a body, which Yul's optimizer gives to code that it moves, or of an assembly block. */
function isBroad(range: SourceRange, definition: SourceFunction): boolean {
  return (definition.kind !== "getter" && isSameRange(range, definition.range)) || isAssembly(range);
}

/**
 * True if the operation is of code that several functions share: by its block, or because a jump led into the function although
 * nothing of it had run before. Code of modifiers has no jump before it.
 */
function isShared({ execution }: KnownFrame, definition: SourceFunction, at: number): boolean {
  if (execution.at(at)?.range !== undefined && !execution.isOwn(at)) return true;
  let index = at;
  while (index >= 0 && !isJump(execution.opcode(index))) index--;
  const isEntered = functionAround(execution.at(index + 1)?.range) === definition;
  return isEntered && execution.lastRange(index, (other) => functionAround(other) === definition) === undefined;
}

/** The range of the last jump in one of the functions that may run; undefined if that was a call of another function. */
function lastJumpOf(
  { execution }: KnownFrame,
  mayRun: (definition: SourceFunction) => boolean,
  at: number,
): SourceRange | undefined {
  for (let index = at; index >= 0; index--) {
    const instruction = execution.at(index);
    if (instruction === undefined || !isJump(instruction.opcode) || instruction.jump === "outOf") continue;
    const definition = functionAround(instruction.range);
    if (definition === undefined || !mayRun(definition)) continue;
    const target = functionAround(execution.at(index + 1)?.range);
    const isCall = instruction.jump === "into" && target !== undefined && target !== definition;
    return isCall ? undefined : instruction.range;
  }
  return undefined;
}

function isJump(opcode: number | undefined): boolean {
  return opcode === JUMP || opcode === JUMPI;
}
