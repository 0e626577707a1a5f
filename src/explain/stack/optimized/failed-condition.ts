/**
 * Failures in code that the optimizer shares between conditions of one contract. It keeps the range of one of them, or
 * none; the jump into that code shows which condition failed.
 */
import { Op } from "../../../evm/opcodes.ts";
import { holds, type SourceFunction, type SourceRange } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";

/** A `revert`, in a statement of its own or with its condition. */
const REVERT = /\brevert\b|\brequire\s*\(/;

/**
 * Index of the last JUMPI, whether it jumped or not; undefined if a JUMP or a call ran after it, or if there is none.
 */
export function lastCondition({ execution, last }: KnownFrame): number | undefined {
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
    const definition = range?.file.functionAt(range.start, range.end);
    if (range === undefined || definition === undefined) continue;
    return revertingBranch(definition, range);
  }
  return undefined;
}

/** The `require` that called the compiler's own function for it, in which the frame ended. */
export function calledCondition({ execution: { routine } }: KnownFrame): SourceRange | undefined {
  const definition = routine?.file.functionAt(routine.start, routine.end);
  return routine && definition ? revertingBranch(definition, routine) : undefined;
}

/**
 * The `if` or `require` around a range, if it has a JUMPI of its own that did not cause the failure: none of its code
 * ran before an index, or another condition was evaluated last. The range then belongs to shared code.
 */
export function undecidedBranch(
  { execution, found }: KnownFrame,
  range: SourceRange,
  before: number,
  condition: SourceRange | undefined,
): SourceRange | undefined {
  const definition = range.file.functionAt(range.start, range.end);
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
  return branch !== undefined && REVERT.test(branch.file.textOf(branch.start, branch.end)) ? branch : undefined;
}

/** The innermost `if`, `? :`, `require` or `assert` that holds a range. */
function branchAround({ code }: SourceFunction, range: SourceRange): SourceRange | undefined {
  const around = code.branches.map((branch) => branch.range).filter((branch) => holds(branch, range));
  return around.reduce<SourceRange | undefined>(
    (inner, branch) => (inner === undefined || holds(inner, branch) ? branch : inner),
    undefined,
  );
}
