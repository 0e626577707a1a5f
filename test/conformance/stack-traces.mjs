#!/usr/bin/env node
// Runs EDR's cases of Solidity stack traces against the built library.
//
//   node stack-traces.mjs --dir DIR [--only TEXT] [--jobs N]
//
//   --dir   folder that is searched for *.ndjson and *.ndjson.br files
//   --only  run the cases whose name contains TEXT
//   --jobs  processes to spread the compilers over; default: one per processor
//
// A case runs with each compiler that it is for, without optimizer, with it, and by way of Yul. The compilers are installed
// in stack-traces/compilers on first use.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCase } from "./stack-traces/case-runner.mjs";
import {
  compileCases,
  hasMode,
  MODES,
  openCompilers,
  sourcesKey,
  takesVersion,
  VERSIONS,
} from "./stack-traces/compilers.mjs";
import { readCases } from "./stack-traces/read-cases.mjs";
import { answerTasks, spreadTasks } from "./workers.mjs";

/** Runs the cases of a file with one compiler in one mode: their number, and a line for each that fails. */
async function runWith({ createNode, semver, only }, { casesPath, version, mode }) {
  const builds = compileCases(casesPath, version, mode);
  const failures = [];
  let passed = 0;
  for (const testCase of readCases(casesPath)) {
    const isFor = takesVersion(testCase, version, semver) && !(mode === "ir" && testCase.skipViaIR);
    if (!isFor || !testCase.name.includes(only)) continue;
    const build = builds[sourcesKey(testCase.sources)];
    const problem = await runCase(createNode, testCase, build, mode).catch((error) => `throws ${error.message}`);
    if (problem === undefined) passed++;
    else failures.push(`FAIL ${testCase.name}@${version}-${mode}: ${problem.slice(0, 400)}`);
  }
  return { name: `solc ${version} ${mode}`, passed, failures };
}

/** A worker process: is sent compilers one by one, sends back how the cases ran with each. */
function work({ only }) {
  const library = import(new URL("../../dist/bundle/index.js", import.meta.url).href);
  const semver = openCompilers()("semver");
  answerTasks(async (task) => await runWith({ createNode: (await library).createNode, semver, only }, task));
}

/** The newest compiler, by way of Yul, takes longest: it is the first. */
function* tasksOf(dir) {
  for (const name of readdirSync(dir).filter((file) => /\.ndjson(\.br)?$/.test(file))) {
    for (const mode of MODES.toReversed()) {
      for (const version of VERSIONS.toReversed()) {
        const message = { casesPath: join(dir, name), version, mode };
        if (hasMode(version, mode)) yield { label: `solc ${version} ${mode}`, message };
      }
    }
  }
}

/** Spreads the compilers over worker processes and prints what they find. */
async function conduct({ dir, only, jobs }) {
  // Before the workers, which would install them over each other.
  openCompilers();
  const counts = { passed: 0, failed: 0 };
  const tell = ({ name, passed, failures }) => {
    for (const line of failures) console.log(line);
    console.log(`${name}: ${passed} passed, ${failures.length} failed`);
    counts.passed += passed;
    counts.failed += failures.length;
  };
  const args = ["--worker", "--only", only];
  await spreadTasks({ script: fileURLToPath(import.meta.url), args, jobs, tasks: tasksOf(dir), onResult: tell });
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

const { values: options } = parseArgs({
  options: {
    dir: { type: "string" },
    only: { type: "string", default: "" },
    jobs: { type: "string", default: String(availableParallelism()) },
    worker: { type: "boolean", default: false },
  },
});
if (options.dir === undefined && !options.worker) {
  console.error("usage: node stack-traces.mjs --dir DIR [--only TEXT] [--jobs N]");
  process.exit(2);
}
try {
  if (options.worker) work(options);
  else await conduct({ ...options, jobs: Math.max(1, Number(options.jobs) || 1) });
} catch (error) {
  console.error(`stack-traces could not run: ${error.message}`);
  process.exit(2);
}
