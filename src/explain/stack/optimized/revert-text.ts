/** The text of a revert as a source has it: a literal in either quotes, or the name of a constant. */
import type { SourceFile } from "../../source/source-file.ts";
import type { KnownFrame } from "../known-frame.ts";
import type { FailureReason } from "../stack-frame.ts";

const CONSTANT = /\bconstant\b[^;={}]*?(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*;/g;
/** Names of the constants of a file, by their text. */
const constantsOfFiles = new WeakMap<SourceFile, ReadonlyMap<string, readonly string[]>>();

/** The literals that a text may be written as. */
export function literalsOf(text: string): readonly string[] {
  const escaped = escapedText(text);
  return [`"${escaped}"`, `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`];
}

/** Matches what stands for the text of a revert in the sources of its code; undefined for a failure without a text. */
export function revertText({ found }: KnownFrame, reason: FailureReason): RegExp | undefined {
  if (reason.kind !== "revert" || reason.text === undefined || reason.text === "") return undefined;
  const escaped = escapedText(reason.text);
  const names = new Set(found.code.files.flatMap((file) => constantsOf(file).get(escaped) ?? []));
  const literals = literalsOf(reason.text).map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp([...literals, ...Array.from(names, (name) => `\\b${name}\\b`)].join("|"));
}

function escapedText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function constantsOf(file: SourceFile): ReadonlyMap<string, readonly string[]> {
  const known = constantsOfFiles.get(file);
  if (known !== undefined) return known;
  const constants = new Map<string, readonly string[]>();
  for (const [, name = "", double, single = ""] of file.textOf(0, file.length).matchAll(CONSTANT)) {
    const text = double ?? single.replaceAll("\\'", "'");
    constants.set(text, [...(constants.get(text) ?? []), name]);
  }
  constantsOfFiles.set(file, constants);
  return constants;
}
