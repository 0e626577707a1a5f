#!/usr/bin/env node
// Mutation tests of a room: `npm run mutation -- txpool [state/trie …] [--tests PATTERN,PATTERN] [--sample N] [--seed N] [--no-static]`.
//
// Each place in the room's code is changed (Stryker's mutators), and the tests that execute it are run: those in the
// folder of the room's name under test/, or those named by --tests. Prints the score and each mutant that no test
// killed, with its line and what was put there; whether it is a gap, equivalent, or of speed only is for a reader to say.
// --sample N changes only N random places of ten lines each, for rooms that would take hours; the seed is printed.
// --no-static leaves out constants of modules: each of their mutants needs a new process and all tests.
// Ends with 1 where less than 95 % are killed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const WANTED_PERCENT = 95;
const LINES_OF_A_PLACE = 10;

const text = { type: "string" };
const { values, positionals: rooms } = parseArgs({
  allowPositionals: true,
  options: { tests: text, sample: text, seed: text, "no-static": { type: "boolean", default: false } },
});
if (rooms.length === 0) {
  console.error("Name a room, a folder of one, or a file: npm run mutation -- txpool");
  process.exit(2);
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const isFile = (room) => room.endsWith(".ts");
const whole = rooms.map((room) => (isFile(room) ? `src/${room}` : `src/${room}/**/*.ts`));
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const files = values.sample === undefined ? whole : samplePlaces(Number(values.sample));
const tests = rooms.map((room) => `test/${isFile(room) ? room.replace(/\/[^/]*$/, "") : room}/**/*.test.ts`);
const report = join(mkdtempSync(join(tmpdir(), "hindcast-mutation-")), "mutation.json");
const { status } = spawnSync(
  process.execPath,
  ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", "test/mutation/stryker.config.mjs"],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      MUTATION_FILES: files.join(","),
      MUTATION_TESTS: values.tests ?? [...new Set(tests)].join(","),
      MUTATION_REPORT: report,
      MUTATION_NO_STATIC: values["no-static"] ? "1" : "",
    },
  },
);
if (status !== 0) process.exit(status ?? 1);

const counts = {};
const survivors = [];
for (const [file, { mutants, source }] of Object.entries(JSON.parse(readFileSync(report, "utf8")).files)) {
  for (const { status, location, replacement, mutatorName } of mutants) {
    counts[status] = (counts[status] ?? 0) + 1;
    if (status !== "Survived" && status !== "NoCoverage") continue;
    const line = source.split("\n")[location.start.line - 1]?.trim();
    const how = status === "NoCoverage" ? "no test runs it" : mutatorName;
    survivors.push(`${file}:${location.start.line}:${location.start.column} (${how}) ${line}\n    → ${replacement}`);
  }
}
const killed = (counts.Killed ?? 0) + (counts.Timeout ?? 0);
const percent = (100 * killed) / Math.max(1, killed + survivors.length);
for (const survivor of survivors) console.log(survivor);
console.log(
  `${killed} of ${killed + survivors.length} mutants killed: ${percent.toFixed(1)} % (${JSON.stringify(counts)})`,
);
if (values.sample !== undefined) console.log(`${files.length} places, seed ${seed}`);
process.exitCode = percent < WANTED_PERCENT ? 1 : 0;

/** Random places of the rooms' code, in Stryker's form; every line of a room is as likely as every other. */
function samplePlaces(count) {
  const lines = rooms.flatMap((room) => {
    const paths = isFile(room) ? [room] : sourcesIn(room);
    return paths.flatMap((path) => {
      const { length } = readFileSync(join(root, "src", path), "utf8").split("\n");
      return Array.from({ length }, (_, index) => ({ path, line: index + 1 }));
    });
  });
  let state = seed;
  const random = (below) => {
    // A linear congruential generator (Numerical Recipes): even enough for picking lines.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const picked = Array.from({ length: count }, () => lines[random(lines.length)]);
  return picked.map(({ path, line }) => `src/${path}:${line}-${line + LINES_OF_A_PLACE}`);
}

function sourcesIn(room) {
  return readdirSync(join(root, "src", room), { recursive: true })
    .filter((name) => name.endsWith(".ts") && !name.includes("wasm/core/"))
    .sort()
    .map((name) => `${room}/${name}`);
}
