/**
 * Coverage of contracts without instrumentation. The engine counts how often each instruction runs, and source maps
 * assign the counts to lines. The bytecode and its gas are the same as in production.
 */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { CoverageSink } from "../../evm/coverage-sink.ts";
import { requireShape, shape } from "../../primitives/validation/shape.ts";
import type { BuildStore } from "../source/build-store.ts";
import { CoverageCounts, type CoverageSnapshot, countedBetween } from "./coverage-counts.ts";
import { type IstanbulFile, istanbulCoverage, lcovText } from "./coverage-files.ts";
import { coverageOf } from "./coverage-report.ts";
import { type CoveredFiles, choiceOf } from "./covered-files.ts";
import type { FileCoverage } from "./file-coverage.ts";

/** Lines, functions and branches, by file. */
export class CoverageReport {
  readonly files: readonly FileCoverage[];

  /** @internal */
  constructor(files: readonly FileCoverage[]) {
    this.files = files;
  }

  /** Formats the report as an lcov tracefile. */
  toLcov(): string {
    return lcovText(this.files);
  }

  /** Formats the report as the object that `createCoverageMap` of istanbul-lib-coverage accepts. */
  toIstanbul(): Readonly<Record<string, IstanbulFile>> {
    return istanbulCoverage(this.files);
  }
}

/** `node.coverage`: counts which code of a node runs, from {@link start} on. */
export class Coverage {
  readonly #builds: BuildStore;
  readonly #setSink: (sink: CoverageSink | undefined) => void;
  #counts: CoverageCounts | undefined;
  #isRunning = false;

  /**
   * @param setSink - sets where the engine reports its counts; undefined turns counting off
   *
   * @internal
   */
  constructor(builds: BuildStore, setSink: (sink: CoverageSink | undefined) => void) {
    this.#builds = builds;
    this.#setSink = setSink;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Number of different blocks of code that have run since {@link start}: it grows when code runs for the first time. */
  get blocks(): number {
    return this.#counts?.blocks ?? 0;
  }

  /** Starts to count mined transactions, calls and failing estimates. Discards earlier counts. */
  start(): void {
    this.#counts = new CoverageCounts();
    this.#setSink(this.#counts);
    this.#isRunning = true;
  }

  /**
   * Starts to count together with another node's coverage: both report the sum. Discards earlier counts of this one.
   *
   * @throws {UnsupportedError} `COVERAGE_NOT_STARTED` before the other's first {@link start}
   */
  startWith(other: Coverage): void {
    const counts = other.#started();
    this.#counts = counts;
    this.#setSink(counts);
    this.#isRunning = true;
  }

  /** Stops counting. {@link report} still returns the counts so far. */
  stop(): void {
    this.#setSink(undefined);
    this.#isRunning = false;
  }

  /**
   * The counts so far, for {@link since}.
   *
   * @throws {UnsupportedError} `COVERAGE_NOT_STARTED` before the first {@link start}
   */
  snapshot(): CoverageSnapshot {
    return this.#started().snapshot();
  }

  /**
   * Reports the coverage since {@link start}.
   *
   * @param files - by default those of the project, without packages
   * @throws {UnsupportedError} `COVERAGE_NOT_STARTED` before the first {@link start}
   * @throws {InvalidParamsError} `FILE_NOT_READABLE` for build files, `INVALID_PARAMS`
   */
  async report(files: CoveredFiles = {}): Promise<CoverageReport> {
    return this.#report(this.snapshot(), files);
  }

  /**
   * Reports the coverage since a snapshot.
   *
   * @param files - as in {@link report}
   * @throws {UnsupportedError} `COVERAGE_NOT_STARTED` before the first {@link start}
   * @throws {InvalidParamsError} as {@link report}; `INVALID_PARAMS` for another value
   */
  async since(snapshot: CoverageSnapshot, files: CoveredFiles = {}): Promise<CoverageReport> {
    const isSnapshot = shape("a snapshot, as coverage.snapshot() returns it", (value) => value instanceof Map);
    requireShape(isSnapshot, snapshot, "snapshot");
    return this.#report(countedBetween(snapshot, this.snapshot()), files);
  }

  #started(): CoverageCounts {
    if (this.#counts !== undefined) return this.#counts;
    throw new UnsupportedError({
      code: "COVERAGE_NOT_STARTED",
      what: "Coverage has not been started, so that nothing was counted.",
    });
  }

  async #report(counted: CoverageSnapshot, files: CoveredFiles): Promise<CoverageReport> {
    const isWanted = choiceOf(files);
    const codes = [...counted.values()].flatMap(({ code: bytes }) => [
      { bytes, isCreation: false },
      { bytes, isCreation: true },
    ]);
    return new CoverageReport(coverageOf(counted, await this.#builds.contractsWhere(isWanted, codes), isWanted));
  }
}
