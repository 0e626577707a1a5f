/** How sample.mjs runs tests: one file after the other, of code with mutants in it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../vitest.config.ts";

const { MUTATION_FOLDER = "" } = process.env;

/** Files run in the order in which they are given. */
class InOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

export default defineConfig(async (env) => {
  const { test = {} } = await base(env);
  const setupFiles = [...(test.setupFiles ?? []), "test/mutation/sample-setup.ts"];
  const instrumented = JSON.parse(readFileSync(join(MUTATION_FOLDER, "instrumented.json"), "utf8"));
  return {
    root: join(import.meta.dirname, "../.."),
    plugins: [{ name: "mutants", enforce: "pre", transform: (_: string, id: string) => instrumented[id] }],
    test: {
      ...test,
      include: ["test/**/*.test.ts"],
      // Those start the built program, and read documents.
      exclude: ["test/{cli,e2e,viewer,testing,peers,projects}/**", "test/*.test.ts", "**/node_modules/**"],
      setupFiles,
      maxWorkers: 1,
      sequence: { sequencer: InOrder },
    },
  };
});
