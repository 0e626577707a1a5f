/** The statement that failed, found by the source alone: the only one that can run and revert with the data. */
import { equalBytes } from "../../../primitives/bytes/bytes.ts";
import { type SourceFunction, type SourceRange, sourceText } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";
import type { FailureReason } from "../stack-frame.ts";
import { isAssembly, revertsWith } from "./assembly-revert.ts";
import { innermostStatements } from "./likely-statement.ts";
import { revertText } from "./revert-text.ts";

const REVERT = /\brevert\b/;

/**
 * Undefined if several statements of the functions that the call may run revert with the reason's text or custom error,
 * if none does, or if assembly may revert with any data.
 */
export function onlyStatement(known: KnownFrame, reason: FailureReason): SourceRange | undefined {
  const isReason = patternOf(known, reason);
  const { outermost, frame } = known;
  if (isReason === undefined || outermost === undefined || known.isCreation) return undefined;
  const found: SourceRange[] = [];
  for (const range of [...known.contract.calls().reachedFrom(outermost)].flatMap(revertsOf)) {
    if (isAssembly(range)) {
      const places = passesOn(known) ? undefined : revertsWith(range, frame.output);
      if (places === undefined) return undefined;
      found.push(...places);
    } else if (isReason(sourceText(range))) found.push(range);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** True if a call returned the data with which the frame reverted. */
function passesOn({ execution, frame }: KnownFrame): boolean {
  return [...execution.children.values()].some(({ output }) => equalBytes(output, frame.output));
}

function revertsOf(definition: SourceFunction): readonly SourceRange[] {
  return innermostStatements(definition).filter((statement) => {
    const text = sourceText(statement);
    return REVERT.test(text) || text.includes("require");
  });
}

function patternOf(known: KnownFrame, reason: FailureReason): ((text: string) => boolean) | undefined {
  if (reason.kind === "customError" && reason.error !== undefined) {
    const { name } = reason.error.item;
    const called = new RegExp(`\\b${name}\\s*\\(`);
    return (text) => called.test(text);
  }
  const sought = revertText(known, reason);
  return sought && ((text) => sought.test(text));
}
