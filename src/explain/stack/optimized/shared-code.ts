/** Lines of code that the optimizer shares between functions, of which the source map names only one. */
import { Op } from "../../../evm/opcodes.ts";
import { hasSameBody } from "../../active/equal-functions.ts";
import { isSameRange, type SourceFunction, type SourceRange } from "../../source/source-file.ts";
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
 * A place in the functions that are active. The optimizer shares equal code between functions, and the source map has
 * the range of one of them, which may not be active. The place is then that of the jump before the shared code, or a
 * whole function.
 *
 * @param at - index of the operation, and the functions active then; default: the end of the frame
 */
export function ownPlace(known: KnownFrame, found: SolidityFrame, at: ActiveOperation = endOf(known)): SolidityFrame {
  const definition = functionOf(found.range);
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
  const range = decidedAt(known, mayRun, at.index);
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
 * True in a block that several functions share, and if a jump led into code of a function of which nothing ran before.
 * Code of modifiers has no jump before it.
 */
function isShared({ execution }: KnownFrame, definition: SourceFunction, at: number): boolean {
  if (execution.at(at)?.range !== undefined && !execution.isOwn(at)) return true;
  let index = at;
  while (index >= 0 && !isJump(execution.opcode(index))) index--;
  const isEntered = functionOf(execution.at(index + 1)?.range) === definition;
  return isEntered && execution.lastRange(index, (range) => functionOf(range) === definition) === undefined;
}

/** The range of the last jump in one of the functions that run, if it was no call of another. */
function decidedAt(
  { execution }: KnownFrame,
  mayRun: (definition: SourceFunction) => boolean,
  at: number,
): SourceRange | undefined {
  for (let index = at; index >= 0; index--) {
    const instruction = execution.at(index);
    if (instruction === undefined || !isJump(instruction.opcode) || instruction.jump === "outOf") continue;
    const definition = functionOf(instruction.range);
    if (definition === undefined || !mayRun(definition)) continue;
    const target = functionOf(execution.at(index + 1)?.range);
    const isCall = instruction.jump === "into" && target !== undefined && target !== definition;
    return isCall ? undefined : instruction.range;
  }
  return undefined;
}

function isJump(opcode: number | undefined): boolean {
  return opcode === JUMP || opcode === JUMPI;
}

function functionOf(range: SourceRange | undefined): SourceFunction | undefined {
  return range?.file.functionAt(range.start, range.end);
}
