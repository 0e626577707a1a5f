#!/usr/bin/env node
// Runs the benchmarks: `npm run bench [-- NAME...]`. Prints a table and, with --json, one JSON object.
//
// Each file *.bench.mjs exports `name` and `rows()`, which gives `{ label: summary }`. A summary may have a `note`, which
// is all that one without runs has, and a `unit` to be shown in, "µs" or "ms". Numbers of different machines, or
// of different moments of a shared one, do not compare: look at ratios within a run.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
execFileSync(process.execPath, [fileURLToPath(new URL("../.ci/build-if-needed.mjs", import.meta.url)), "--whole"], {
  stdio: "inherit",
});

const words = process.argv.slice(2);
const asJson = words.includes("--json");
const wanted = words.filter((word) => !word.startsWith("--"));
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".bench.mjs"))
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
  .sort();

// Not at once: a bench that waits for a process of its own first removes the folder it made.
process.once("SIGINT", () => process.exit(130));

const results = {};
let hasFailed = false;
for (const file of files) {
  const { name, rows } = await import(new URL(file, import.meta.url).href);
  if (!asJson) console.log(`\n${name}`);
  try {
    results[name] = await rows();
  } catch (error) {
    // The others are measured all the same.
    console.error(`${name}: ${error?.stack ?? error}`);
    hasFailed = true;
    continue;
  }
  if (asJson) continue;
  for (const [label, row] of Object.entries(results[name])) console.log(`  ${label.padEnd(44)} ${lineOf(row)}`);
}
const machine = `${availableParallelism()} cores, Node ${process.version}`;
if (asJson) console.log(JSON.stringify({ machine, results }));
else console.log(`\n${machine}`);
process.exit(hasFailed ? 1 : 0);

function lineOf({ runs, medianMs, p95Ms, minMs, note, unit = "ms" }) {
  const show = (ms) => (unit === "µs" ? (ms * 1000).toFixed(1) : Math.round(ms * 1000) / 1000);
  if (runs === 0) return note;
  const figures = `median ${show(medianMs)} ${unit}, p95 ${show(p95Ms)}, min ${show(minMs)} (${runs} runs)`;
  return note === undefined ? figures : `${figures}; ${note}`;
}
