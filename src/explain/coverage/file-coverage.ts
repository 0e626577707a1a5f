/** The coverage of one source as values. */

export interface LineCoverage {
  readonly line: number;
  readonly times: number;
}

export interface FunctionCoverage {
  /** `Vault.withdraw`. */
  readonly name: string;
  readonly line: number;
  readonly times: number;
}

/** One of the two ways on from an `if` or a `? :`. */
export interface BranchCoverage {
  readonly line: number;
  /** Number of the branch in its file. */
  readonly branch: number;
  /** 0 where the condition holds, 1 where it does not. */
  readonly arm: number;
  readonly times: number;
}

export interface FileCoverage {
  readonly path: string;
  readonly lines: readonly LineCoverage[];
  readonly functions: readonly FunctionCoverage[];
  readonly branches: readonly BranchCoverage[];
}
