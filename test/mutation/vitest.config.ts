/** The tests that mutants are run against: MUTATION_TESTS, patterns between commas. */
import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

export default defineConfig(async (env) => {
  const { test } = await base(env);
  const include = (process.env.MUTATION_TESTS ?? "").split(",");
  // Stryker runs tests in threads, which take no flags of V8, and ends by itself those that a mutant keeps from ending.
  return { test: { ...test, include, execArgv: [], testTimeout: 120_000 } };
});
