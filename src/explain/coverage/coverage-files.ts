/** Writes coverage in the formats of other tools: lcov tracefiles, and JSON for the reporters of istanbul. */
import type { FileCoverage } from "./file-coverage.ts";

/**
 * Formats coverage as an lcov tracefile.
 *
 * @see https://manpages.debian.org/testing/lcov/geninfo.1.en.html#FILES
 */
export function lcovText(files: readonly FileCoverage[]): string {
  return files.map(lcovOf).join("");
}

function lcovOf({ path, lines, functions, branches }: FileCoverage): string {
  const ran = (rows: readonly { readonly times: number }[]): number => rows.filter(({ times }) => times > 0).length;
  const rows = [
    "TN:",
    `SF:${path}`,
    ...functions.map(({ name, line }) => `FN:${line},${name}`),
    ...functions.map(({ name, times }) => `FNDA:${times},${name}`),
    `FNF:${functions.length}`,
    `FNH:${ran(functions)}`,
    ...branches.map(({ line, branch, arm, times }) => `BRDA:${line},${branch},${arm},${times}`),
    `BRF:${branches.length}`,
    `BRH:${ran(branches)}`,
    ...lines.map(({ line, times }) => `DA:${line},${times}`),
    `LF:${lines.length}`,
    `LH:${ran(lines)}`,
    "end_of_record",
  ];
  return `${rows.join("\n")}\n`;
}

interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

/** The coverage of one file in istanbul's format. Each line is a statement. */
export interface IstanbulFile {
  readonly path: string;
  readonly statementMap: Readonly<Record<string, Location>>;
  readonly s: Readonly<Record<string, number>>;
  readonly fnMap: Readonly<
    Record<string, { readonly name: string; readonly line: number; readonly loc: Location; readonly decl: Location }>
  >;
  readonly f: Readonly<Record<string, number>>;
  readonly branchMap: Readonly<
    Record<
      string,
      { readonly type: string; readonly line: number; readonly loc: Location; readonly locations: readonly Location[] }
    >
  >;
  readonly b: Readonly<Record<string, readonly number[]>>;
}

/** Formats coverage as the object, by path, that `createCoverageMap` of istanbul-lib-coverage accepts. */
export function istanbulCoverage(files: readonly FileCoverage[]): Readonly<Record<string, IstanbulFile>> {
  return Object.fromEntries(files.map((file) => [file.path, istanbulFile(file)]));
}

function istanbulFile({ path, lines, functions, branches }: FileCoverage): IstanbulFile {
  const arms = branches.filter(({ arm }) => arm === 0);
  const timesOf = (number: number): readonly number[] =>
    branches.filter(({ branch }) => branch === number).map(({ times }) => times);
  return {
    path,
    statementMap: numbered(lines, ({ line }) => locationOf(line)),
    s: numbered(lines, ({ times }) => times),
    fnMap: numbered(functions, ({ name, line }) => ({ name, line, loc: locationOf(line), decl: locationOf(line) })),
    f: numbered(functions, ({ times }) => times),
    branchMap: numbered(arms, ({ line }) => {
      const loc = locationOf(line);
      return { type: "if", line, loc, locations: [loc, loc] };
    }),
    b: numbered(arms, ({ branch }) => timesOf(branch)),
  };
}

function numbered<Row, Value>(rows: readonly Row[], pick: (row: Row) => Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(rows.map((row, index) => [String(index), pick(row)]));
}

function locationOf(line: number): Location {
  return { start: { line, column: 0 }, end: { line, column: 0 } };
}
