/** Coverage in JSON. */
import type { CoverageReport } from "../../../explain/coverage/coverage.ts";
import type { FileCoverage } from "../../../explain/coverage/file-coverage.ts";

/** The answer of `hindcast_coverageReport`. */
export interface CoverageJson {
  readonly files: readonly FileCoverage[];
  /** A tracefile of lcov's. */
  readonly lcov: string;
}

/** The same counts twice: by line, and as a file that editors and CI services read. */
export function encodeCoverage(report: CoverageReport): CoverageJson {
  return { files: report.files, lcov: report.toLcov() };
}
