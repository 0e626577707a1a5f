/** Lines of lcov tracefiles, and where two of them differ, with the reasons that are known. */

/** Counts by line, by path from the folder `contracts` on. */
export type CountedLines = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface LineDifference {
  /** `path:line`. */
  readonly at: string;
  readonly text: string;
  /** Counts; undefined where a tool does not count the line. */
  readonly ours: number | undefined;
  readonly theirs: number | undefined;
}

/** The counts of an lcov tracefile. */
export function readLcov(text: string): CountedLines {
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const row of text.split("\n")) {
    const [, path] = /^SF:.*?(contracts\/.*)$/.exec(row) ?? [];
    if (path !== undefined) {
      lines = new Map();
      files.set(path, lines);
    }
    const [, line, times] = /^DA:(\d+),(\d+)/.exec(row) ?? [];
    if (line !== undefined) lines.set(Number(line), Number(times));
  }
  return files;
}

/**
 * Compares the lines that one of two reports counts, in files that both have.
 *
 * @param isSame - compares two counts of a line
 * @param textOf - the text of a line
 */
export function compareLines(
  ours: CountedLines,
  theirs: CountedLines,
  isSame: (left: number | undefined, right: number | undefined) => boolean,
  textOf: (path: string, line: number) => string,
): { readonly counted: number; readonly differences: readonly LineDifference[] } {
  let counted = 0;
  const differences: LineDifference[] = [];
  for (const [path, own] of ours) {
    const other = theirs.get(path);
    if (other === undefined) throw new Error(`The other report lacks ${path}`);
    for (const line of new Set([...own.keys(), ...other.keys()])) {
      counted++;
      const [mine, its] = [own.get(line), other.get(line)];
      if (!isSame(mine, its)) {
        differences.push({ at: `${path}:${line}`, text: textOf(path, line), ours: mine, theirs: its });
      }
    }
  }
  return { counted, differences };
}
