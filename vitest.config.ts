import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type InlineConfig, type TestSpecification } from "vitest/node";

/** Files of the modes that have their own. */
const INCLUDED: Readonly<Record<string, string[]>> = {
  check: ["test/*.check.ts"],
  explorer: ["test/explorer/*.explorer.ts"],
  browser: ["test/browser/*.browser.ts"],
  peers: ["test/{peers,projects}/*.peers.ts"],
  shared: ["test/shared/*.shared.ts"],
  campaign: ["test/campaign/*.campaign.ts"],
  // The core where data folders have journals: the store, the chain, the node, clients, and the command.
  journals: [
    "test/{store,chain}/**/*.test.ts",
    "test/node/{*,sharing/*}.test.ts",
    "test/store/backends/*.journals.ts",
    "test/fork/{persistence,true-roots}.test.ts",
    "test/services/control/*.test.ts",
    "test/e2e/{cli.sweep,clients,ethers,viem}.test.ts",
  ],
};
/** Where no native addon is loaded: tests of LevelDB itself, of both databases, and of what compiles a program. */
const NEED_ADDONS = [
  "test/chain/amsterdam-crossing.test.ts",
  "test/node/version.test.ts",
  "test/store/backends/{damaged-table,level-backend,native-addon.sweep}.test.ts",
  "test/store/{data-folder,folder-lock}.test.ts",
];
/** Milliseconds after which a test counts as one that never ends. */
const HANG_MS = 600_000;
/** Files that default tests run as well, there with fewer cases. */
const SWEEPS = ["test/**/*.property.test.ts", "test/**/*.sweep.test.ts"];
/** The longest files of each mode: begun late, one of them goes on for minutes while nothing else is left to do. */
const LONGEST = [
  "engines/differential/differential",
  "node/memory",
  "e2e/attacks",
  "engines/wasm/precompiles/precompile-set",
  "engines/differential/whole/compare-whole",
  "chain/kill",
  "rpc/fuzz",
  "node/sharing/following",
  "e2e/kill",
  "miner/empty-blocks",
  "explorer/everybody",
  "explorer/site",
  "explorer/kinds",
  "explorer/lasting",
  "explorer/elsewhere",
  "shared/random-faults",
  "browser/conformance",
  "browser/kills",
].map((name) => `/test/${name}.`);

/**
 * Begins with files that have a process each, and among them with {@link LONGEST}. Those that share processes come in a row: a
 * process ends where the next file is not for it.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.includes(name));
      return (index < 0 ? LONGEST.length : index) + (project.config.isolate ? 0 : LONGEST.length + 1);
    };
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right));
  }
}
/** Files of default tests of which the slow suite runs a part, and no other test (test/support/slow-suite.ts). */
const withSlowTests = (): string[] => {
  const names = readdirSync("test", { recursive: true, encoding: "utf8" }).map(
    (name) => `test/${name.replaceAll(sep, "/")}`,
  );
  return names.filter((name) => name.endsWith(".test.ts") && readFileSync(name, "utf8").includes("slow-suite.ts"));
};
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

/** Files whose slow tests measure a process, so that it must be theirs alone, or kill, fill or overload it. */
const ALONE = [
  "test/**/*.slow.ts",
  "test/primitives/platform/{give-back,task-threads}.test.ts",
  "test/rpc/methods/debug/debug-script-threads.sweep.test.ts",
  "test/services/control/snapshots.test.ts",
  "test/store/backends/memory/packed-table.property.test.ts",
];

/** V8's limit of the heap before it first collects all garbage: it begins with some MiB, and marks all modules each time. */
const LARGE_HEAP = "--initial-old-space-size=1000";
/**
 * For processes that run many files with many cases. Much of that code becomes warm, and is not run for long: V8 optimises
 * it later than by default, and has the simple machine code until then.
 */
const MANY_FILES = [LARGE_HEAP, "--interrupt-budget=300000", "--always-sparkplug"];

// Slow tests (process kills, long properties, fuzzing) have their own suffix and run with `--mode slow`, and with them all
// properties, in full and with a new seed, and all sweeps, with every engine, hardfork and case.
export default defineConfig(({ mode }) => {
  const slow = mode === "slow" || mode === "campaign" || process.env.HINDCAST_SLOW === "1";
  const exclude = [...configDefaults.exclude, ...(mode === "journals" ? NEED_ADDONS : [])];
  const slowFiles = slow ? ["test/**/*.slow.ts", ...SWEEPS, ...withSlowTests()] : [];
  const perFile = optionsOfFiles(mode, slow);
  return {
    plugins: isRunOnce ? [compiledModules] : [],
    test: {
      ...perFile,
      exclude,
      include: INCLUDED[mode] ?? (slow ? slowFiles : ["test/**/*.test.ts"]),
      globalSetup: [
        "test/support/core.ts",
        isRunOnce ? "test/support/compiled-modules.ts" : "test/support/built-files.ts",
        "test/support/temporary-folder.ts",
        ...(mode === "explorer" || mode === "browser" ? ["test/support/explorer-packages.ts"] : []),
      ],
      passWithNoTests: slow,
      sequence: { sequencer: LongestFirst },
      teardownTimeout: HANG_MS,
      // No room keeps state in a module, so that test files can share a process: half of the time went into loading.
      isolate: slow,
      // In slow runs, too, loading took a quarter and more of the time of files of properties and sweeps.
      ...(mode === "slow" && {
        projects: [
          { name: "alone", include: ALONE, exclude, isolate: true },
          {
            ...{ name: "together", include: slowFiles, exclude: [...exclude, ...ALONE], isolate: false },
            execArgv: [...(perFile.execArgv ?? []), ...MANY_FILES],
          },
        ].map((files) => ({ mode, plugins: isRunOnce ? [compiledModules] : [], test: { ...perFile, ...files } })),
      }),
    },
  };
});

/** The options that a project does not take from those around it. */
function optionsOfFiles(mode: string, slow: boolean): InlineConfig {
  return {
    server: { deps: { external: [/\/build\/.*\.js$/] } },
    setupFiles: ["test/support/environment.ts", "test/support/seed.ts"],
    // The same inputs every time, so that a change is blamed for what it broke and for nothing else. Slow tests look further.
    env: {
      HINDCAST_SEED: process.env.HINDCAST_SEED ?? (slow ? "random" : "20260401"),
      PROPERTY_RUNS: slow ? "all" : "fortieth",
      // Also for the processes that tests start.
      ...(mode === "journals" ? { NODE_OPTIONS: "--no-addons" } : {}),
    },
    // Biome refuses those that are left by mistake.
    allowOnly: slow,
    // Time limits end what hangs, and nothing else: a busy machine may need a minute for what usually takes a second.
    testTimeout: mode === "test" ? HANG_MS : 6 * HANG_MS,
    hookTimeout: HANG_MS,
    // Milliseconds between looks: with the default of 50, tests that poll wait longer than what they wait for takes.
    expect: { poll: { timeout: HANG_MS / 2, interval: 10 } },
    pool: "forks",
    execArgv: [
      ...(mode === "journals" ? ["--no-addons"] : []),
      // Short lives, much garbage: less of it is collected.
      "--max-semi-space-size=64",
      ...(slow ? [] : [LARGE_HEAP]),
      // Most code runs a few times only. Optimising what is merely warm took a fifth of the processor's time; the simple
      // machine code that V8 can write without looking at what ran takes less than it saves.
      ...(slow ? [] : ["--interrupt-budget=800000", "--always-sparkplug"]),
    ],
    // One more process would load and compile everything once more, which takes longer than what tests wait for.
    maxWorkers: "100%",
  };
}
