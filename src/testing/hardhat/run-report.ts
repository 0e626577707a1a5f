/** Coverage and gas of all connections of a run, reported when the process ends. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Coverage } from "../../explain/coverage/coverage.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { GasReport } from "../gas-report.ts";

/** True for the usual file or the terminal, or the path of a file. */
export interface ReportOptions {
  readonly coverage: boolean | string;
  readonly gasReport: boolean | string;
}

/** One for each run of Hardhat. */
export class RunReport {
  readonly #options: ReportOptions;
  readonly #gas = new GasReport();
  /** Counts for all nodes. */
  #coverage: Coverage | undefined;
  #isAwaited = false;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /**
   * Adds the node of a connection.
   *
   * @param root - folder of the project, to which the paths of the options are relative
   */
  add(node: HindcastNode, root: string): void {
    const { coverage, gasReport } = this.#options;
    if (gasReport !== false) this.#gas.listen(node);
    if (coverage !== false) {
      if (this.#coverage === undefined) node.coverage.start();
      else node.coverage.startWith(this.#coverage);
      this.#coverage ??= node.coverage;
    }
    if (this.#isAwaited || (coverage === false && gasReport === false)) return;
    this.#isAwaited = true;
    // Tests seldom close their connections, and no hook of Hardhat's shows the end of a run.
    process.once("beforeExit", () => void this.#write(root).catch(complain));
  }

  async #write(root: string): Promise<void> {
    const { coverage, gasReport } = this.#options;
    if (gasReport !== false) await this.#gas.print(gasReport === true ? true : resolve(root, gasReport));
    if (coverage === false || this.#coverage === undefined) return;
    const path = resolve(root, coverage === true ? "lcov.info" : coverage);
    const report = await this.#coverage.report();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith(".json") ? JSON.stringify(report.toIstanbul(), undefined, 2) : report.toLcov());
  }
}

/** A report that was asked for and is missing must not look like a run without errors. */
function complain(error: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`The report of hindcast was not written: ${error instanceof Error ? error.message : error}\n`);
}
