/** Coverage in JSON. */
import type { CoverageReport } from "../../../explain/coverage/coverage.ts";
import type { FileCoverage } from "../../../explain/coverage/file-coverage.ts";
import { arrayOf, INTEGER, named, object, TEXT } from "../../openrpc/json-schema.ts";

export const coverageSchema = named("Coverage", () =>
  object({
    files: arrayOf(
      object({
        path: TEXT,
        lines: arrayOf(object({ line: INTEGER, times: INTEGER })),
        functions: arrayOf(object({ name: TEXT, line: INTEGER, times: INTEGER })),
        branches: arrayOf(object({ line: INTEGER, branch: INTEGER, arm: INTEGER, times: INTEGER })),
      }),
    ),
    lcov: TEXT,
  }),
);

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
