/**
 * The statement that failed, where the source map gives only the function. A panic by division needs a `/` or `%`, a revert a
 * `require` or `revert`, and so on; if one statement of the function has such a text, or of the functions that it calls, it is
 * the one.
 */
import { fromUtf8 } from "../../../primitives/platform/encodings.ts";
import {
  functionAround,
  holds,
  isSameRange,
  type SourceFunction,
  type SourceRange,
  sourceText,
} from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";
import type { FailureReason, SolidityFrame } from "../stack-frame.ts";
import { revertText } from "./revert-text.ts";

/** Lines of a stack trace, the outermost first. */
export type LinesDown = readonly [SolidityFrame, ...SolidityFrame[]];

/** Texts in statements that can panic, by the code of the panic. */
const PANICS: ReadonlyMap<bigint, RegExp> = new Map([
  [0x01n, /\bassert\s*\(/],
  [0x11n, /[-+*]/],
  [0x12n, /[/%]/],
  [0x21n, /\b\w+\s*\(/],
  [0x31n, /\.pop\s*\(/],
  [0x32n, /\[/],
  [0x41n, /\bnew\b|\.push\b/],
  [0x51n, /\b(?!function\b)\w+\s*\(/],
]);
const REVERT = /\brevert\b|\brequire\s*\(|\babi\.decode\b|\[[^\]]*:[^\]]*\]/;
/** An assignment, or another change of storage. */
const WRITE = /(?<![=!<>])=(?!=)|\+\+|--|\bdelete\b|\bemit\b|\.(?:push|pop)\b/;
const INVALID = /\binvalid\b/;
/** A string literal. */
const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** False if the text of the statement shows that it cannot fail for the reason: it has no operation that can, or other data. */
export function canFail({ range }: SolidityFrame, reason: FailureReason): boolean {
  if (range === undefined) return true;
  const pattern = reason.kind === "panic" ? PANICS.get(reason.code) : undefined;
  if (pattern !== undefined) return pattern.test(sourceText(range));
  const definition = functionAround(range);
  const statement = definition?.code.statements.findLast((each) => holds(each, range));
  const text = statement === undefined ? "" : sourceText(statement);
  if (reason.kind === "revert" && reason.text !== undefined) {
    const literals = /\brequire\b|\brevert\b/.test(text) ? [...text.matchAll(LITERAL)].map(([literal]) => literal) : [];
    return literals.length === 0 || literals.some((literal) => literal.slice(1, -1) === reason.text);
  }
  if (reason.kind !== "customError" || reason.error === undefined) return true;
  const { name } = reason.error.item;
  const errors = [...text.matchAll(/\brevert\s+([\w.]+)\s*\(/g)].map(([, error = ""]) => error.split(".").at(-1));
  return errors.length === 0 || errors.includes(name);
}

/**
 * Narrows a statement or a `? :` of several lines to the expression that can panic with the code of the reason, if
 * there is exactly one.
 */
export function panickingExpression(place: SolidityFrame, reason: FailureReason): SolidityFrame {
  const { range } = place;
  const code = functionAround(range)?.code;
  if (range === undefined || code === undefined || reason.kind !== "panic") return place;
  const wholes = [...code.statements, ...code.branches.map((branch) => branch.range)];
  if (!wholes.some((each) => isSameRange(each, range))) return place;
  return { ...place, range: narrowed(range, PANICS.get(reason.code)) };
}

/** The statements that revert, with the text of the reason if it has one, in the function of a place. */
export function revertsIn(known: KnownFrame, { range }: SolidityFrame, reason: FailureReason): readonly SourceRange[] {
  const definition = functionAround(range);
  return definition === undefined
    ? []
    : innermostStatements(definition).filter((each) => hasRevert(known, each, reason));
}

/** True for a range in a statement that reverts, with the text of the reason if it has one. */
export function mayRevert(known: KnownFrame, range: SourceRange, reason: FailureReason): boolean {
  const { statements = [] } = functionAround(range)?.code ?? {};
  const statement = statements.findLast((each) => holds(each, range));
  return statement !== undefined && hasRevert(known, statement, reason);
}

function hasRevert(known: KnownFrame, statement: SourceRange, reason: FailureReason): boolean {
  const text = sourceText(statement);
  return REVERT.test(text) && revertText(known, reason)?.test(text) !== false;
}

/**
 * The lines from an approximate place down to the only statement that can fail for the reason. It is in the function
 * itself, or in a function or modifier that the source of the place calls.
 */
export function likelyStatement(known: KnownFrame, place: SolidityFrame, reason: FailureReason): LinesDown {
  const { range } = place;
  const definition = functionAround(range);
  const pattern = patternOf(reason);
  const initial = pattern && onlyInitialValue(known, place, pattern);
  if (initial !== undefined) return [known.at(initial, true)];
  if (range === undefined || definition === undefined) return [place];
  const isWhole = isSameRange(range, definition.range);
  if (!isWhole && canFail(place, reason)) {
    const isOwn = pattern === undefined || pattern.test(sourceText(range));
    const way = isOwn ? undefined : linesDownTo(known, definition, pattern, range);
    return way ?? [{ ...place, range: narrowed(range, pattern) }];
  }
  const statements = innermostStatements(definition);
  const able = pattern === undefined ? [] : statements.filter((each) => pattern.test(sourceText(each)));
  const [only, ...others] = able.length > 0 ? able : statements;
  const way =
    able.length > 0 || pattern === undefined ? undefined : linesDownTo(known, definition, pattern, definition.range);
  if (way !== undefined) return way;
  return [only === undefined || others.length > 0 ? place : { ...place, range: narrowed(only, pattern) }];
}

/**
 * The only initial value of a state variable that can fail, if the place is a whole constructor or contract, and if no
 * constructor can fail in that way.
 */
function onlyInitialValue(known: KnownFrame, { range }: SolidityFrame, pattern: RegExp): SourceRange | undefined {
  const { lineage } = known.contract;
  const wholes = lineage.flatMap((contract) => [contract, ...contract.functions.filter(isConstructor)]);
  if (!known.isCreation || range === undefined || !wholes.some((each) => isSameRange(each.range, range)))
    return undefined;
  const graph = known.contract.calls();
  const run = lineage
    .flatMap(({ functions }) => functions.filter(isConstructor))
    .flatMap((each) => [...graph.reachedFrom(each)]);
  if (run.some((each) => innermostStatements(each).some((statement) => pattern.test(sourceText(statement)))))
    return undefined;
  const [only, ...others] = lineage
    .flatMap((contract) => contract.initialValues)
    .filter((each) => pattern.test(sourceText(each)));
  return others.length === 0 ? only : undefined;
}

function isConstructor({ kind }: SourceFunction): boolean {
  return kind === "constructor";
}

/**
 * The lines from a function down to the only statement outside of a branch that can fail for the reason.
 * No code of the branch ran before the operation with the index `jump`, after which the frame failed.
 */
export function likelyStatementOutside(
  known: KnownFrame,
  {
    definition,
    branch,
    jump,
  }: { readonly definition: SourceFunction; readonly branch: SourceRange; readonly jump: number },
  reason: FailureReason,
): LinesDown | undefined {
  const pattern = patternOf(reason);
  return pattern && linesDownTo(known, definition, pattern, definition.range, { branch, jump });
}

/**
 * The lines of the calls within a range, and of the only statement below them whose text matches; undefined if none or several
 * match.
 *
 * @param without - a branch that is left out, and the index of the last operation that counts
 */
function linesDownTo(
  known: KnownFrame,
  caller: SourceFunction,
  pattern: RegExp,
  within: SourceRange,
  without?: { readonly branch: SourceRange; readonly jump: number },
): LinesDown | undefined {
  const search = (
    definition: SourceFunction,
    inside: SourceRange,
    seen: ReadonlySet<SourceFunction>,
  ): SourceRange[][] => {
    const isWanted = (each: SourceRange): boolean => without === undefined || !holds(without.branch, each);
    const own = innermostStatements(definition).filter(
      (each) => holds(inside, each) && isWanted(each) && pattern.test(sourceText(each)),
    );
    if (own.length > 0) return own.map((each) => [narrowed(each, pattern)]);
    // The compiler maps code of a modifier, unless it moved the function elsewhere with it.
    const modifiers = isMapped(known, definition, without?.jump) ? [] : definition.modifiers;
    const calls = [...definition.code.calls, ...modifiers].filter(({ range }) => holds(inside, range));
    return calls.flatMap((call) =>
      known.contract
        .calls()
        .calleesOf(definition, call)
        .filter((callee) => !seen.has(callee))
        .flatMap((callee) => search(callee, callee.range, new Set([...seen, callee])))
        .map((rest) => [call.range, ...rest]),
    );
  };
  const [only, ...others] = search(caller, within, new Set([caller]));
  if (only === undefined || others.length > 0) return undefined;
  const [first, ...rest] = only.map((range) => known.at(range, true));
  return first && [first, ...rest];
}

/** True if an instruction that ran up to an index has a range in the function. */
function isMapped({ execution, last }: KnownFrame, definition: SourceFunction, until = last): boolean {
  return execution.lastRange(until, (other) => functionAround(other) === definition) !== undefined;
}

function patternOf(reason: FailureReason): RegExp | undefined {
  if (reason.kind === "panic") return PANICS.get(reason.code);
  if (reason.kind === "revert") return REVERT;
  if (reason.kind === "halt" && reason.cause === "staticStateChange") return WRITE;
  return reason.kind === "invalidOpcode" ? INVALID : undefined;
}

/** Statements that contain no other. */
export function innermostStatements({ code: { statements } }: SourceFunction): readonly SourceRange[] {
  return statements.filter((outer) => !statements.some((inner) => inner !== outer && isInside(inner, outer)));
}

function isInside(inner: SourceRange, outer: SourceRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end && !isSameRange(inner, outer);
}

/** Narrows a statement of several lines to the matching text, if exactly one place in it matches. */
function narrowed(statement: SourceRange, pattern: RegExp | undefined): SourceRange {
  const text = sourceText(statement);
  if (pattern === undefined || !text.includes("\n")) return statement;
  const [found, ...others] = text.matchAll(new RegExp(pattern, "g"));
  if (found === undefined || others.length > 0) return statement;
  const start = statement.start + fromUtf8(text.slice(0, found.index)).length;
  return { ...statement, start, end: start + fromUtf8(found[0]).length };
}
