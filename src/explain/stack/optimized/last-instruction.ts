/**
 * Failures in a contract's own code: the line of its last instruction, and the reason.
 *
 * Without the optimizer the source map has that line. The optimizer makes it name another, in these ways:
 *
 * - Equal code is stored once, with the source range of one of its places, perhaps of a function that does not run
 *   (`shared-code.ts`), or of another `require` (`shared-end.ts`, `failed-condition.ts`).
 * - Moved or inlined code gets the range of the whole function, or none (`likely-statement.ts`, `only-statement.ts`).
 * - Statements after a `revert` are removed, and their range goes to the `revert` (`dead-code.ts`).
 *
 * So the line of the source map is taken if it is in a function that runs and can fail for the reason. Otherwise the sources say
 * which line can, and the frame says that it is approximate.
 */
import { Op } from "../../../evm/opcodes.ts";
import type { AbiRegistry } from "../../abi/registry.ts";
import { functionAround, holds, isSameRange, sourceText } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";
import { reasonOf } from "../reason-of.ts";
import { framesDownTo } from "../running-frames.ts";
import type { FailureReason, SolidityFrame, SolidityStack } from "../stack-frame.ts";
import { revertOf } from "./assembly-revert.ts";
import { reachablePlace } from "./dead-code.ts";
import { branchWithoutFailure, conditionAt, lastConditionalJump, requireOfRoutine } from "./failed-condition.ts";
import {
  canFail,
  type LinesDown,
  likelyStatement,
  likelyStatementOutside,
  mayRevert,
  panickingExpression,
  revertsIn,
} from "./likely-statement.ts";
import { onlyStatement } from "./only-statement.ts";
import { literalsOf } from "./revert-text.ts";
import { placeInActive } from "./shared-code.ts";
import { sharedEnd } from "./shared-end.ts";

const { REVERT, INVALID, EXTCODESIZE } = Op;
/** Most instructions between the EXTCODESIZE and the revert. */
const MOST_CHECK_STEPS = 12;

/** The failure of a frame, if no call inside the frame caused it. */
export function failureAtEnd(known: KnownFrame, abi: AbiRegistry): SolidityStack {
  const { frame, internal } = known;
  const reason = calledWithoutCode(known) ?? reasonOf(frame, abi);
  if (reason.kind === "codeTooLarge") return { frames: [known.start()], reason };
  const hasEntered = known.isCreation || internal.hasEntered;
  const hasPlace = reason.kind === "noCode" || reason.kind === "panic" || reason.kind === "customError";
  if (!hasEntered && !hasPlace && !isUnplacedRevert(known)) {
    const start = placeInActive(known, beforeEntry(known));
    return { frames: possiblePlace(known, start, reason), reason };
  }
  const given = atRevertInAssembly(
    known,
    hasPlace ? (lastInFunction(known) ?? known.start(true)) : failingPlace(known),
  );
  const found = placeInActive(known, beforeSharedEnd(known, given, reason));
  const [first, ...rest] = possiblePlace(known, found, reason);
  const frames = withoutHelper(framesDownTo(known, internal.calls, first));
  // If the code of a called function is shared, its call is known by the jump, and its function is not.
  const isTwice = rest.length > 0 && isSameLine(frames.at(-2), first);
  return { frames: [...(isTwice ? frames.slice(0, -1) : frames), ...rest], reason };
}

/** Narrows an assembly block to the `revert` in it that has the data of the frame. */
function atRevertInAssembly({ frame }: KnownFrame, given: SolidityFrame): SolidityFrame {
  const range = given.range && revertOf(given.range, frame.output);
  return range === undefined ? given : { ...given, range };
}

/**
 * Corrects the place of a frame that ended in code which several jumps lead to, such as the `revert` of several `require`s: the
 * instructions before that code have ranges of their own, which say which `require` it was.
 */
function beforeSharedEnd(known: KnownFrame, given: SolidityFrame, reason: FailureReason): SolidityFrame {
  const end = given.isApproximate ? undefined : sharedEnd(known);
  if (end === undefined) return given;
  const { before } = end;
  if (reason.kind === "panic") {
    const own = known.execution.routine ?? known.internal.calls.at(-1)?.site ?? before;
    const isCertain = own !== undefined && given.range !== undefined && isSameRange(own, given.range);
    return isCertain ? given : { ...given, isApproximate: true };
  }
  if (reason.kind !== "revert" && reason.kind !== "customError") return given;
  if (before !== undefined && mayRevert(known, before, reason)) return known.at(before);
  const isOnly = before !== undefined && revertsIn(known, given, reason).length <= 1;
  return isOnly ? given : { ...given, isApproximate: true };
}

/**
 * Removes the last line if it is a whole function and the line above it is a call in the same function. The compiler
 * writes functions of its own, for `require` and others, and gives them the range of the function that uses them.
 */
function withoutHelper(frames: readonly SolidityFrame[]): readonly SolidityFrame[] {
  const [call, helper] = [frames.at(-2), frames.at(-1)];
  if (!helper?.isApproximate || helper.range === undefined || call?.range === undefined) return frames;
  const caller = functionAround(call.range);
  const isHelper = caller !== undefined && isSameRange(caller.range, helper.range) && !isSameLine(call, helper);
  return isHelper ? [...frames.slice(0, -2), { ...call, isApproximate: true }] : frames;
}

function isSameLine(left: SolidityFrame | undefined, right: SolidityFrame): boolean {
  return left?.range !== undefined && right.range !== undefined && isSameRange(left.range, right.range);
}

/** The lines from a place of the source map down to one that can run and that can fail for the reason. */
function possiblePlace(known: KnownFrame, found: SolidityFrame, reason: FailureReason): LinesDown {
  const only = onlyStatement(known, reason);
  if (only !== undefined) {
    return [known.at(found.range !== undefined && holds(only, found.range) ? found.range : only)];
  }
  const lines = fittingPlace(known, found, reason).flatMap((line) => reachablePlace(known, line));
  const [first = found, ...rest] = lines;
  return [first, ...rest];
}

/**
 * The place of the source map if it is exact and can fail for the reason; otherwise a likely one, with the calls that lead
 * to it.
 */
function fittingPlace(known: KnownFrame, found: SolidityFrame, reason: FailureReason): LinesDown {
  const shared = sharedRevert(known, found, reason);
  if (shared !== undefined) return shared;
  if (!found.isApproximate && canFail(found, reason)) return [panickingExpression(found, reason)];
  const only = onlyPlaceOf(known, reason);
  return only === undefined ? likelyStatement(known, { ...found, isApproximate: true }, reason) : [only];
}

/** The condition that failed, if the source map gives the place of another one for the `revert`; undefined if it is right. */
function sharedRevert(known: KnownFrame, found: SolidityFrame, reason: FailureReason): LinesDown | undefined {
  const { execution, last } = known;
  const { range } = found;
  if (reason.kind !== "revert" && reason.kind !== "customError") return undefined;
  const jump = lastConditionalJump(known);
  if (jump === undefined || range === undefined) return undefined;
  const definition = functionAround(range);
  const condition = conditionAt(known, jump) ?? requireOfRoutine(known);
  const branch = branchWithoutFailure(known, range, jump, condition);
  const given = execution.at(last)?.range;
  const isGiven = given !== undefined && isSameRange(given, range);
  const isKnown = isGiven && !(definition && isSameRange(definition.range, range)) && branch === undefined;
  if (isKnown) return undefined;
  if (condition !== undefined) return holds(condition, range) ? undefined : [known.at(condition, true)];
  if (branch === undefined || definition === undefined) return undefined;
  return likelyStatementOutside(known, { definition, branch, jump }, reason) ?? [{ ...found, isApproximate: true }];
}

/**
 * The only place in all functions of the build that has the text of a revert. Used where the source map has no range, as in
 * functions that were inlined.
 */
function onlyPlaceOf(known: KnownFrame, reason: FailureReason): SolidityFrame | undefined {
  if (reason.kind !== "revert" || reason.text === undefined || reason.text === "") return undefined;
  const literals = literalsOf(reason.text);
  const [place, ...others] = known.found.code.files.flatMap((file) =>
    literals.flatMap((literal) => file.placesInFunctions(literal)),
  );
  return place === undefined || others.length > 0 ? undefined : known.at(place, true);
}

/** True for a revert with data whose instruction has no range. */
function isUnplacedRevert({ execution, last, frame }: KnownFrame): boolean {
  return execution.opcode(last) === REVERT && execution.at(last)?.range === undefined && frame.output.length > 0;
}

/** The line of the last instruction, or of the nearest one before it that has a line. */
function failingPlace(known: KnownFrame): SolidityFrame {
  const { execution, last } = known;
  const range = execution.at(last)?.range;
  const opcode = execution.opcode(last);
  if (range === undefined || (opcode !== REVERT && opcode !== INVALID)) {
    const isUnmapped = opcode === REVERT && known.frame.output.length === 0;
    return lastInFunction(known, isUnmapped) ?? known.start(true);
  }
  const line = known.at(range);
  if (line.function !== undefined) return line;
  // The optimizer shares reverts between functions.
  const { definition } = known.execution.activation(last) ?? {};
  return definition === undefined ? known.start(true) : known.atStartOf(definition, true);
}

/** The last line that is in a function, by an instruction that no other function shares; by a shared one if there is no other. */
function lastInFunction(known: KnownFrame, isApproximate = false): SolidityFrame | undefined {
  const { execution, last } = known;
  for (let index = last; index >= 0; index--) {
    const { range } = execution.at(index) ?? {};
    if (range !== undefined && execution.isOwn(index)) return known.at(range, isApproximate);
  }
  const range = execution.lastRange(last, (other) => functionAround(other) !== undefined);
  return range && known.at(range, true);
}

/** The line for a frame that ended before the first jump into a function: a fallback function, or a check. */
function beforeEntry(known: KnownFrame): SolidityFrame {
  const { execution, last, calledFunction, specialFunction } = known;
  const range = execution.at(last)?.range;
  const definition = functionAround(range);
  if (calledFunction === undefined && specialFunction !== undefined) {
    if (definition === specialFunction) return known.at(range);
    const inside = execution.lastRange(last, (other) => holds(specialFunction.range, other));
    return inside === undefined ? known.start(true) : known.at(inside, true);
  }
  if (definition !== undefined) {
    return definition === known.outermost ? known.start(true) : known.atStartOf(definition, true);
  }
  const isRevert = execution.opcode(last) === REVERT;
  return (isRevert ? lastInFunction(known, true) : undefined) ?? known.start(true);
}

/** The check that a called address has code, which fails: EXTCODESIZE, and a revert a few instructions later. */
function calledWithoutCode({ execution, last, frame }: KnownFrame): FailureReason | undefined {
  if (frame.error !== "reverted" || frame.output.length > 0) return undefined;
  const index = execution.lastIndexOf(EXTCODESIZE);
  if (index < 0 || last - index > MOST_CHECK_STEPS || execution.word(index) !== 0n) return undefined;
  const range = execution.at(index)?.range;
  // If the source itself asks for the size, the failure is an ordinary one.
  const isOwn = range !== undefined && /\.code\b|extcodesize/.test(sourceText(range));
  return isOwn ? undefined : { kind: "noCode", address: undefined };
}
