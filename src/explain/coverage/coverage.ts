/**
 * Coverage of contracts without instrumentation: the engine counts how often their code runs, and source maps tell which
 * lines that is. Bytecode and gas are those of production.
 */
import type { CoverageSink } from "../../evm/coverage-sink.ts";
import type { BuildStore } from "../source/build-store.ts";
import { CoverageCounts, type CoverageSnapshot, countedBetween } from "./coverage-counts.ts";
import { type IstanbulFile, istanbulCoverage, lcovText } from "./coverage-files.ts";
import { coverageOf } from "./coverage-report.ts";
import type { FileCoverage } from "./file-coverage.ts";

/** Lines, functions and branches, by file. */
export class CoverageReport {
  readonly files: readonly FileCoverage[];

  constructor(files: readonly FileCoverage[]) {
    this.files = files;
  }

  /** A tracefile of lcov's. */
  toLcov(): string {
    return lcovText(this.files);
  }

  /** What istanbul-lib-coverage makes a map of. */
  toIstanbul(): Readonly<Record<string, IstanbulFile>> {
    return istanbulCoverage(this.files);
  }
}

export class Coverage {
  readonly #builds: BuildStore;
  readonly #setSink: (sink: CoverageSink | undefined) => void;
  #counts = new CoverageCounts();
  #isRunning = false;

  /** @param setSink - has the engine tell of what runs from now on, or no more */
  constructor(builds: BuildStore, setSink: (sink: CoverageSink | undefined) => void) {
    this.#builds = builds;
    this.#setSink = setSink;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Counts mined transactions, calls, and estimates that fail, from now on. What was counted before is forgotten. */
  start(): void {
    this.#counts = new CoverageCounts();
    this.#setSink(this.#counts);
    this.#isRunning = true;
  }

  /** Counts no more; {@link report} still gives what was counted. */
  stop(): void {
    this.#setSink(undefined);
    this.#isRunning = false;
  }

  /** What has been counted by now, for {@link since}. */
  snapshot(): CoverageSnapshot {
    return this.#counts.snapshot();
  }

  /**
   * Coverage from {@link start} on.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   */
  report(): Promise<CoverageReport> {
    return this.#report(this.#counts.snapshot());
  }

  /**
   * Coverage from a snapshot on.
   *
   * @throws {InvalidParamsError} as {@link report}
   */
  since(snapshot: CoverageSnapshot): Promise<CoverageReport> {
    return this.#report(countedBetween(snapshot, this.#counts.snapshot()));
  }

  async #report(counted: CoverageSnapshot): Promise<CoverageReport> {
    return new CoverageReport(coverageOf(counted, await this.#builds.contracts()));
  }
}
