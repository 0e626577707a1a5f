/** What an engine tells of how often code ran, for coverage. No step is recorded for it. */
import type { Bytes } from "../primitives/bytes/bytes.ts";

/** How often a part of a code ran. */
export interface CodeRun {
  /** From the instruction at this place on, in bytes. */
  readonly start: number;
  /** Behind the last one; instructions that begin before it count. */
  readonly end: number;
  /** Negative where a run was counted as a whole and was left before its end. */
  readonly times: number;
}

export interface CoverageSink {
  /**
   * Takes what ran of one code in one transaction. The count of an instruction is the sum over the runs that hold it.
   * Instructions that failed count, too.
   *
   * @param code - deployed code, or init code with its arguments
   */
  count(code: Bytes, runs: readonly CodeRun[]): void;
}
