import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Files of the modes that have their own. */
const INCLUDED: Readonly<Record<string, string[]>> = {
  check: ["test/*.check.ts", "test/wording.test.ts"],
  explorer: ["test/explorer/*.explorer.ts"],
  browser: ["test/browser/*.browser.ts"],
  peers: ["test/{peers,projects}/*.peers.ts"],
  campaign: ["test/campaign/*.campaign.ts"],
};
/** Milliseconds after which a test counts as one that never ends. */
const HANG_MS = 600_000;
/** Files that default tests run as well, there with fewer cases. */
const SWEEPS = ["test/**/*.property.test.ts", "test/**/*.sweep.test.ts"];
/** False while files are watched, and where changed modules are tested (test/mutation): Vite follows changes. */
const isRunOnce = process.argv[2] === "run";
const SOURCES = fileURLToPath(new URL("src/", import.meta.url));

/** Finds a module of src/ where test/support/compiled-modules.ts put it. Modules of pages are for browsers, and stay. */
const compiledModules = {
  name: "compiled-modules",
  enforce: "pre",
  resolveId(specifier: string, importer = ""): string | undefined {
    if (!specifier.endsWith(".ts")) return undefined;
    const file = specifier.startsWith("file:") ? fileURLToPath(specifier) : resolve(dirname(importer), specifier);
    const path = relative(SOURCES, file).replaceAll(sep, "/");
    if (path.startsWith("..") || /^(?:viewer|playground)\//.test(path) || !existsSync(file)) return undefined;
    return fileURLToPath(new URL(`build/${path.replace(/ts$/, "js")}`, import.meta.url)).replaceAll(sep, "/");
  },
} as const;

// Slow tests (process kills, long properties, fuzzing) have their own suffix and run with `--mode slow`, and with them all
// properties, in full and with a new seed, and all sweeps, with every engine, hardfork and case.
export default defineConfig(({ mode }) => {
  const slow = mode === "slow" || mode === "campaign" || process.env.HINDCAST_SLOW === "1";
  return {
    plugins: isRunOnce ? [compiledModules] : [],
    test: {
      include: INCLUDED[mode] ?? (slow ? ["test/**/*.slow.ts", ...SWEEPS] : ["test/**/*.test.ts"]),
      globalSetup: [
        "test/support/core.ts",
        "test/support/built-files.ts",
        "test/support/temporary-folder.ts",
        ...(isRunOnce ? ["test/support/compiled-modules.ts"] : []),
        ...(mode === "explorer" || mode === "browser" ? ["test/support/explorer-packages.ts"] : []),
      ],
      server: { deps: { external: [/\/build\/.*\.js$/] } },
      setupFiles: ["test/support/environment.ts", "test/support/seed.ts"],
      // The same inputs every time, so that a change is blamed for what it broke and for nothing else. Slow tests look further.
      env: {
        HINDCAST_SEED: process.env.HINDCAST_SEED ?? (slow ? "random" : "20260401"),
        PROPERTY_RUNS: slow ? "all" : "fortieth",
      },
      passWithNoTests: slow,
      // Time limits end what hangs, and nothing else: a busy machine may need a minute for what usually takes a second.
      testTimeout: mode === "test" ? HANG_MS : 6 * HANG_MS,
      hookTimeout: HANG_MS,
      teardownTimeout: HANG_MS,
      expect: { poll: { timeout: HANG_MS / 2 } },
      pool: "forks",
      execArgv: [
        // Short lives, much garbage: less of it is collected.
        "--max-semi-space-size=64",
        // Most code runs a few times only. Optimising what is merely warm took a fifth of the processor's time; the simple
        // machine code that V8 can write without looking at what ran takes less than it saves.
        ...(slow ? [] : ["--interrupt-budget=800000", "--always-sparkplug"]),
      ],
      // Many tests wait for processes, sockets and intervals; in slow ones the processor is what is measured. Vitest takes
      // a share of more than 100% for 100%.
      maxWorkers: mode === "test" ? Math.ceil(1.5 * availableParallelism()) : "100%",
      // No room keeps state in a module, so that test files can share a process: half of the time went into loading.
      isolate: slow,
    },
  };
});
