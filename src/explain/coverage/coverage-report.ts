/** Computes which lines, functions and branches of the source ran, and how often. */
import type { BuiltCode } from "../source/build.ts";
import type { ContractFinder } from "../source/contract-finder.ts";
import type { SourceFile } from "../source/source-file.ts";
import { type CoverageSnapshot, timesOf } from "./coverage-counts.ts";
import { FileCounts } from "./file-counts.ts";
import type { FileCoverage } from "./file-coverage.ts";

/** The coverage of all source files in the builds, by path. */
export function coverageOf(counted: CoverageSnapshot, contracts: ContractFinder): readonly FileCoverage[] {
  const files = new Map<SourceFile, FileCounts>();
  const countsOf = (file: SourceFile): FileCounts => {
    const counts = files.get(file) ?? new FileCounts(file);
    files.set(file, counts);
    return counts;
  };
  for (const { creation, runtime } of contracts.all) {
    for (const code of [creation, runtime]) if (code !== undefined) noteMapped(code, countsOf);
  }
  for (const code of counted.values()) {
    const found = contracts.findRuntime(code.code) ?? contracts.findCreation(code.code);
    if (found !== undefined) addTimes(found.code, timesOf(code), countsOf);
  }
  return merged([...files.values()].map((counts) => counts.coverage()));
}

type CountsOf = (file: SourceFile) => FileCounts;

function noteMapped({ instructions, files }: BuiltCode, countsOf: CountsOf): void {
  for (const file of files) countsOf(file);
  for (const { range } of instructions.values()) if (range !== undefined) countsOf(range.file).note(range);
}

function addTimes({ instructions }: BuiltCode, times: Float64Array, countsOf: CountsOf): void {
  const touched = new Set<FileCounts>();
  for (const { pc, range } of instructions.values()) {
    if (range === undefined) continue;
    const counts = countsOf(range.file);
    counts.add(range, times[pc] ?? 0);
    touched.add(counts);
  }
  for (const counts of touched) counts.endCode();
}

/** Adds up the counts of files that are in several builds. */
export function merged(files: readonly FileCoverage[]): readonly FileCoverage[] {
  const byPath = new Map<string, FileCoverage>();
  for (const file of files) {
    const known = byPath.get(file.path);
    byPath.set(file.path, known === undefined ? file : mergedFile(known, file));
  }
  return [...byPath.values()]
    .filter(({ lines, functions }) => lines.length + functions.length > 0)
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

function mergedFile(left: FileCoverage, right: FileCoverage): FileCoverage {
  return {
    path: left.path,
    lines: sums([...left.lines, ...right.lines], ({ line }) => `${line}`),
    functions: sums([...left.functions, ...right.functions], ({ name, line }) => `${line}:${name}`),
    branches: sums([...left.branches, ...right.branches], ({ branch, arm }) => `${branch}:${arm}`),
  };
}

function sums<Row extends { readonly line: number; readonly times: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const known = byKey.get(keyOf(row));
    byKey.set(keyOf(row), known === undefined ? row : { ...known, times: known.times + row.times });
  }
  return [...byKey.values()].sort((left, right) => left.line - right.line);
}
