#!/usr/bin/env node
// Mutation tests of a whole room or file: `npm run mutation -- txpool [state/trie …] [--tests PATTERN,PATTERN] [--no-static]`.
//
// Each place in the room's code is changed (Stryker's mutators), and the tests that execute it are run: those in the
// folder of the room's name under test/, or those named by --tests. Prints the score and each mutant that no test
// killed, with its line and what was put there; whether it is a gap, equivalent, or of speed only is for a reader to say.
// Of rooms that would take hours, sample.mjs takes random places.
// --no-static leaves out constants of modules: each of their mutants needs a new process and all tests.
// Ends with 1 where less than 95 % are killed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const WANTED_PERCENT = 95;

const text = { type: "string" };
const { values, positionals: rooms } = parseArgs({
  allowPositionals: true,
  options: { tests: text, "no-static": { type: "boolean", default: false } },
});
if (rooms.length === 0) {
  console.error("Name a room, a folder of one, or a file: npm run mutation -- txpool");
  process.exit(2);
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const isFile = (room) => room.endsWith(".ts");
const files = rooms.map((room) => (isFile(room) ? `src/${room}` : `src/${room}/**/*.ts`));
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
process.exitCode = percent < WANTED_PERCENT ? 1 : 0;
