// Changes the code of a room, one place at a time, and looks whether a test notices. Started by run.mjs.
const { MUTATION_FILES = "", MUTATION_REPORT = "mutation.json", MUTATION_NO_STATIC = "" } = process.env;

export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.ts" },
  mutate: MUTATION_FILES.split(","),
  // What no test of a room reads.
  ignorePatterns: ["dist", "bench", "docs", "test/conformance/stack-traces/compilers", "campaign-*", "mutation-*"],
  coverageAnalysis: "perTest",
  ignoreStatic: MUTATION_NO_STATIC !== "",
  concurrency: 1,
  reporters: ["json"],
  jsonReporter: { fileName: MUTATION_REPORT },
  checkers: [],
  allowConsoleColors: false,
  // Sources are transformed, not checked, when tests run.
  disableTypeChecks: false,
};
