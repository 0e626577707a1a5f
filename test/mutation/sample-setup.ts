/**
 * Limits how often a mutant is executed, so that endless loops end; and notes for sample.mjs which mutants a test file
 * executes. The switches in instrumented files count in `__stryker__`.
 */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

type Counts = Record<string, number>;

interface Stryker {
  hitCount?: number;
  hitLimit?: number;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Counts; perTest: Record<string, Counts> };
}

const { MUTATION_FOLDER = "", MUTATION_HIT_LIMIT = "", MUTATION_COVERAGE = "" } = process.env;
writeFileSync(join(MUTATION_FOLDER, "pid"), String(process.pid));
const global = globalThis as { __stryker__?: Stryker };
global.__stryker__ ??= {};
const stryker = global.__stryker__;
if (MUTATION_HIT_LIMIT !== "") {
  stryker.hitCount ??= 0;
  stryker.hitLimit = Number(MUTATION_HIT_LIMIT);
}

if (MUTATION_COVERAGE !== "") {
  stryker.mutantCoverage ??= { static: {}, perTest: {} };
  const { mutantCoverage } = stryker;
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  const began = performance.now();
  beforeAll(() => {
    stryker.currentTestId = file;
  });
  let failed = false;
  afterEach(({ task }) => {
    failed ||= task.result?.state === "fail";
  });
  afterAll(() => {
    stryker.currentTestId = undefined;
    const entry = {
      file,
      ms: performance.now() - began,
      failed,
      hits: mutantCoverage.perTest[file] ?? {},
      atLoad: Object.keys(mutantCoverage.static),
    };
    writeFileSync(join(MUTATION_COVERAGE, `${file.replaceAll("/", "-")}.json`), JSON.stringify(entry));
  });
}
