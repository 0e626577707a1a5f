/** Functions with the same code, which the optimizer merges. The source map then has the ranges of one of them. */
import { holds, type SourceFunction, type SourceRange, sourceText } from "../source/source-file.ts";

/** True if two functions have bodies, with the same text. */
export function hasSameBody(left: SourceFunction, right: SourceFunction): boolean {
  const [first, second] = [left.body, right.body];
  if (first === undefined || second === undefined || first.end - first.start !== second.end - second.start)
    return false;
  return sourceText(first) === sourceText(second);
}

/**
 * The range in a function that runs for one in the function whose ranges the code has; the whole function if the two are
 * not written in the same way.
 */
export function rangeInCalled(mappedAs: SourceFunction, called: SourceFunction, range: SourceRange): SourceRange {
  if (!holds(mappedAs.range, range)) return range;
  if (!hasSameBody(mappedAs, called) || !mappedAs.body || !called.body || !holds(mappedAs.body, range))
    return called.range;
  const distance = called.body.start - mappedAs.body.start;
  return { file: called.body.file, start: range.start + distance, end: range.end + distance };
}
