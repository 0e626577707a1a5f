/** Coverage in JSON. */
import type { CoverageReport } from "../../../explain/coverage/coverage.ts";
import type { FileCoverage } from "../../../explain/coverage/file-coverage.ts";

export interface CoverageJson {
  readonly files: readonly FileCoverage[];
  /** A tracefile of lcov's. */
  readonly lcov: string;
}

export function encodeCoverage(report: CoverageReport): CoverageJson {
  return { files: report.files, lcov: report.toLcov() };
}
