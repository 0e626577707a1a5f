/** Receives from an engine how often code ran, for coverage. The engine records no steps for this. */
import type { Bytes } from "../primitives/bytes/bytes.ts";

/** The number of times that one range of a code ran. */
export interface CodeRun {
  /** Byte offset of the first instruction. */
  readonly start: number;
  /** End in bytes, exclusive: instructions that begin before it are counted. */
  readonly end: number;
  /** Negative for a correction: a range was counted as a whole, but execution left it before its end. */
  readonly times: number;
}

/** Receives counts. `explain/coverage/` implements it. Passed to an engine with a session; without one, nothing is counted. */
export interface CoverageSink {
  /**
   * Receives the counts of one code in one transaction. The count of an instruction is the sum over all ranges that
   * contain it. Instructions that failed are counted, too.
   *
   * @param code - deployed code, or init code with its arguments
   */
  count(code: Bytes, runs: readonly CodeRun[]): void;
}
