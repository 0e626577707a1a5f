/** The result of `hindcast_coverageReport`. */
import { arrayOf, INTEGER, type JsonSchema, object, TEXT } from "../json-schema.ts";

/** Schemas by name. */
export const COVERAGE: Readonly<Record<string, JsonSchema>> = {
  Coverage: object({
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
};
