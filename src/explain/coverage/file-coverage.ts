/** The coverage of one source file, as plain values. */

export interface LineCoverage {
  readonly line: number;
  readonly times: number;
}

/** A function or modifier, and how often it was entered. */
export interface FunctionCoverage {
  /** For example `Vault.withdraw`. */
  readonly name: string;
  readonly line: number;
  readonly times: number;
}

/** One of the two outcomes of an `if`, a `? :`, a `require` or an `assert`. */
export interface BranchCoverage {
  readonly line: number;
  /** Index of the branch in its file. */
  readonly branch: number;
  /** 0 if the condition is true, 1 if it is false: a `require` then fails. */
  readonly arm: number;
  readonly times: number;
}

/** Lines are numbered from 1 and in ascending order. */
export interface FileCoverage {
  readonly path: string;
  readonly lines: readonly LineCoverage[];
  readonly functions: readonly FunctionCoverage[];
  readonly branches: readonly BranchCoverage[];
}
