// Whether a suite's result is what it should be, given the list of cases that do not pass yet.

/**
 * @param {readonly string[]} failures names of the cases that failed
 * @param {readonly string[]} notYet names of the cases that are known not to pass
 * @returns {{ok: boolean, unexpected: string[], repaired: string[], known: number}} `unexpected` fail without being
 *   listed, `repaired` are listed without failing: either makes the run fail, so that the list only shrinks
 */
export function judge(failures, notYet) {
  const failed = new Set(failures);
  const listed = new Set(notYet);
  const unexpected = [...failed].filter((name) => !listed.has(name));
  const repaired = [...listed].filter((name) => !failed.has(name));
  return {
    ok: unexpected.length === 0 && repaired.length === 0,
    unexpected,
    repaired,
    known: failed.size - unexpected.length,
  };
}

/**
 * Reads what a suite's script prints: a `FAIL name: difference` line per failing case, at the end `N passed, M failed`.
 *
 * @returns {{passed: number, failed: number, failures: string[]} | undefined} undefined without the last line
 */
export function readResult(output) {
  const lines = output.split("\n");
  const failures = lines.map((line) => /^FAIL (\S+): /.exec(line)?.[1]).filter((name) => name !== undefined);
  const counts = lines.map((line) => /^(\d+) passed, (\d+) failed$/.exec(line)).findLast((match) => match !== null);
  if (counts === undefined) return undefined;
  return { passed: Number(counts[1]), failed: Number(counts[2]), failures };
}
