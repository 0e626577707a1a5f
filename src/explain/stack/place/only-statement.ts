/** The statement that failed, found by the source alone: the only one that can run and revert with the data. */
import type { SourceFunction, SourceRange } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";
import type { FailureReason } from "../stack-frame.ts";
import { innermost } from "./likely-statement.ts";

const ASSEMBLY = /^assembly\b/;
const REVERT = /\brevert\b/;

/**
 * Undefined if several statements of the functions that the call may run revert with the reason's text or custom error,
 * if none does, or if assembly may revert with any data.
 */
export function onlyStatement(known: KnownFrame, reason: FailureReason): SourceRange | undefined {
  const isReason = patternOf(reason);
  const { outermost } = known;
  if (isReason === undefined || outermost === undefined || known.isCreation) return undefined;
  const statements = [...known.contract.calls().reachedFrom(outermost)].flatMap(revertsOf);
  if (statements.some(({ isAssembly }) => isAssembly)) return undefined;
  const [only, ...others] = statements.filter(({ text }) => isReason(text));
  return others.length === 0 ? only?.range : undefined;
}

interface Reverting {
  readonly range: SourceRange;
  readonly text: string;
  readonly isAssembly: boolean;
}

function revertsOf(definition: SourceFunction): readonly Reverting[] {
  return innermost(definition)
    .map((range) => ({ range, text: range.file.textOf(range.start, range.end) }))
    .filter(({ text }) => REVERT.test(text) || text.includes("require"))
    .map((statement) => ({ ...statement, isAssembly: ASSEMBLY.test(statement.text) }));
}

function patternOf(reason: FailureReason): ((text: string) => boolean) | undefined {
  if (reason.kind === "customError" && reason.error !== undefined) {
    const { name } = reason.error.item;
    const called = new RegExp(`\\b${name}\\s*\\(`);
    return (text) => called.test(text);
  }
  if (reason.kind !== "revert" || reason.text === undefined || reason.text === "") return undefined;
  const literal = JSON.stringify(reason.text);
  return (text) => text.includes(literal);
}
