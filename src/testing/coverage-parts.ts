/**
 * Coverage of the contracts of several test files, which may run at the same time in several processes or threads.
 *
 * Each test file writes a part of its own into a temporary folder of the run, and then the sum of all parts that are
 * there. Who writes the sum last has read all parts: after writing it looks whether there are more.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { CoverageReport } from "../explain/coverage/coverage.ts";
import { merged } from "../explain/coverage/coverage-report.ts";
import type { FileCoverage } from "../explain/coverage/file-coverage.ts";

/**
 * The part of one test file. The folder is found by the path of the sum and the process that all parts have in common,
 * so that parts need not know each other.
 */
export class CoverageParts {
  readonly #path: string;
  /** Folder of all runs that write to the path, and of this one. */
  readonly #runs: string;
  readonly #run: string;

  /**
   * @param path - of the sum: istanbul's JSON if it ends in `.json`, else an lcov tracefile
   * @param runProcess - id of the process that all parts of the run have in common
   */
  constructor(path: string, runProcess: number = commonProcess()) {
    this.#path = resolve(path);
    this.#runs = join(tmpdir(), `hindcast-coverage-${hashOf(this.#path)}`);
    this.#run = join(this.#runs, `${runProcess}`);
  }

  /**
   * Writes a part, and the sum.
   *
   * @param name - the same in each run; a part of that name is replaced
   */
  add(name: string, files: readonly FileCoverage[]): void {
    mkdirSync(this.#run, { recursive: true });
    mkdirSync(dirname(this.#path), { recursive: true });
    this.#forgetEndedRuns();
    writeWhole(join(this.#run, `${hashOf(name)}.json`), JSON.stringify(files));
    let written: readonly string[] = [];
    for (let parts = this.#parts(); parts.length > written.length; parts = this.#parts()) {
      writeWhole(this.#path, this.#sum(parts));
      written = parts;
    }
  }

  #parts(): readonly string[] {
    return readdirSync(this.#run).filter((name) => name.endsWith(".json"));
  }

  #sum(parts: readonly string[]): string {
    const files = parts.flatMap((name) => JSON.parse(readFileSync(join(this.#run, name), "utf8")) as FileCoverage[]);
    const report = new CoverageReport(merged(files));
    return this.#path.endsWith(".json") ? JSON.stringify(report.toIstanbul(), undefined, 2) : report.toLcov();
  }

  #forgetEndedRuns(): void {
    for (const name of readdirSync(this.#runs)) {
      const run = join(this.#runs, name);
      if (run !== this.#run && !isAlive(Number(name))) rmSync(run, { recursive: true, force: true });
    }
  }
}

/** Runners start a process for each file or worker (vitest's forks, Mocha's `--parallel`, node:test), or use threads. */
function commonProcess(): number {
  const isChild = process.connected === true || process.env.NODE_TEST_CONTEXT !== undefined;
  return isChild ? process.ppid : process.pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Other processes see the file as it was, or the whole new one. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
