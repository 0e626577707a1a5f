/**
 * The condition that failed, where the `revert` of several conditions is stored once. The source map has the range of one of
 * them, or none, but the conditional jump (JUMPI) into the shared code has its own.
 */
import { Op } from "../../../evm/opcodes.ts";
import { functionAround, holds, type SourceFunction, type SourceRange, sourceText } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";

/** A `revert`, in a statement of its own or with its condition. */
const REVERT = /\brevert\b|\brequire\s*\(/;

/**
 * Index of the last JUMPI, whether it jumped or not; undefined if a JUMP or a call ran after it, or if there is none.
 */
export function lastConditionalJump({ execution, last }: KnownFrame): number | undefined {
  for (let index = last; index >= 0; index--) {
    const opcode = execution.opcode(index);
    if (opcode === Op.JUMPI) return index;
    if (opcode === Op.JUMP || execution.children.has(index)) return undefined;
  }
  return undefined;
}

/**
 * The `if` or `require` whose condition was evaluated just before a JUMPI, if it can revert. Undefined if the optimizer
 * dropped the ranges of its instructions.
 */
export function conditionAt({ execution }: KnownFrame, jump: number): SourceRange | undefined {
  for (let index = jump; index >= 0; index--) {
    const { opcode, range } = execution.at(index) ?? {};
    if (index < jump && (opcode === Op.JUMPI || opcode === Op.JUMP)) return undefined;
    const definition = functionAround(range);
    if (range === undefined || definition === undefined) continue;
    return revertingBranch(definition, range);
  }
  return undefined;
}

/** The `require` that called the function of the compiler in which the frame ended. By way of Yul each `require` does. */
export function requireOfRoutine({ execution: { routine } }: KnownFrame): SourceRange | undefined {
  const definition = functionAround(routine);
  return routine && definition ? revertingBranch(definition, routine) : undefined;
}

/**
 * The `if` or `require` around the range of a `revert`, if it is not the one that failed: none of its code ran before the
 * failure, or another condition was evaluated last. Then the `revert` is shared, and the range is that of another place.
 *
 * @param before - index of the last conditional jump
 * @param condition - the one that was evaluated there, if it is known
 */
export function branchWithoutFailure(
  { execution, found }: KnownFrame,
  range: SourceRange,
  before: number,
  condition: SourceRange | undefined,
): SourceRange | undefined {
  const definition = functionAround(range);
  const branch = definition && branchAround(definition, range);
  if (branch === undefined) return undefined;
  const wasReached = execution.lastRange(before, (other) => holds(branch, other)) !== undefined;
  if (wasReached && (condition === undefined || holds(branch, condition))) return undefined;
  const hasJump = [...found.code.instructions.values()].some(
    (each) => each.opcode === Op.JUMPI && each.range !== undefined && holds(branch, each.range),
  );
  return hasJump ? branch : undefined;
}

function revertingBranch(definition: SourceFunction, range: SourceRange): SourceRange | undefined {
  const branch = branchAround(definition, range);
  return branch !== undefined && REVERT.test(sourceText(branch)) ? branch : undefined;
}

/** The innermost `if`, `? :`, `require` or `assert` that holds a range. */
function branchAround({ code }: SourceFunction, range: SourceRange): SourceRange | undefined {
  const around = code.branches.map((branch) => branch.range).filter((branch) => holds(branch, range));
  return around.reduce<SourceRange | undefined>(
    (inner, branch) => (inner === undefined || holds(inner, branch) ? branch : inner),
    undefined,
  );
}
