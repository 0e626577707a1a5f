#!/usr/bin/env node
// Runs EDR's cases of Solidity stack traces against the built library.
//
//   node stack-traces.mjs --dir DIR [--only TEXT]
//
//   --dir   folder that is searched for *.ndjson and *.ndjson.br files
//   --only  run the cases whose name contains TEXT
//
// A case runs with each compiler that it is for, without optimizer, with it, and by way of Yul. The compilers are installed
// in stack-traces/compilers on first use.
import { readdirSync } from "node:fs";
import { join } from "node:path";
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

const { values } = parseArgs({ options: { dir: { type: "string" }, only: { type: "string", default: "" } } });
const { createNode } = await import(new URL("../../dist/bundle/index.js", import.meta.url).href);
const semver = openCompilers()("semver");
const counts = { passed: 0, failed: 0 };

async function runWith(casesPath, version, mode) {
  const builds = compileCases(casesPath, version, mode);
  const own = { passed: 0, failed: 0 };
  for (const testCase of readCases(casesPath)) {
    const isFor = takesVersion(testCase, version, semver) && !(mode === "ir" && testCase.skipViaIR);
    if (!isFor || !testCase.name.includes(values.only)) continue;
    const build = builds[sourcesKey(testCase.sources)];
    const problem = await runCase(createNode, testCase, build, mode).catch((error) => `throws ${error.message}`);
    own[problem === undefined ? "passed" : "failed"]++;
    if (problem !== undefined) console.log(`FAIL ${testCase.name}@${version}-${mode}: ${problem.slice(0, 400)}`);
  }
  console.log(`solc ${version} ${mode}: ${own.passed} passed, ${own.failed} failed`);
  counts.passed += own.passed;
  counts.failed += own.failed;
}

for (const name of readdirSync(values.dir).filter((file) => /\.ndjson(\.br)?$/.test(file))) {
  for (const version of VERSIONS) {
    for (const mode of MODES) if (hasMode(version, mode)) await runWith(join(values.dir, name), version, mode);
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
