import { defineConfig } from "vitest/config";

const slow = process.env.HINDCAST_SLOW === "1";

export default defineConfig({
  test: {
    // Slow tests (process kills, long properties, fuzzing) have their own suffix and their own script.
    include: slow ? ["test/**/*.slow.ts"] : ["test/**/*.test.ts"],
    testTimeout: slow ? 600_000 : 20_000,
    hookTimeout: 60_000,
    pool: "forks",
  },
});
