/** All kinds of work over ranges. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { JobKind } from "./job-kind.ts";
import { traceFilterKind } from "./trace-filter-kind.ts";
import { traceKind } from "./trace-kind.ts";

/** In the order of the help. */
export const JOB_KINDS: readonly JobKind[] = [traceKind, traceFilterKind];

/**
 * The kind of a run.
 *
 * @throws {UnsupportedError} `JOBS_FAILED` for one of a later program
 */
export function kindNamed(name: string): JobKind {
  const kind = JOB_KINDS.find((each) => each.name === name);
  if (kind !== undefined) return kind;
  throw new UnsupportedError({
    code: "JOBS_FAILED",
    what: `This node does not know jobs of the kind ${name}.`,
    fix: "Start the working nodes with the version of Hindcast that the command has.",
  });
}
