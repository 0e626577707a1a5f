#!/usr/bin/env node
// Runs conformance suites against the built package.
//
//   npm run conformance [-- SUITE...] [--dir DIR]
//
//   SUITE  rpc-compat, tracers, parity-schema, blockchain-tests; default: all
//   --dir  another folder of the same form for the one suite that is named
//
// The collection is looked for in HINDCAST_CONFORMANCE, or else in ../shared/conformance. Cases listed in not-yet.json
// are known not to pass: a failure that is not listed fails the run, and so does a listed case that passes. The list
// does not count with --dir. Each suite ends with `N passed, M failed`, in which nothing is left out.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { projectFolder } from "./processes.mjs";
import { SUITES } from "./suites.mjs";
import { judge } from "./verdict.mjs";

const EXIT = { ok: 0, failed: 1, couldNotRun: 2 };

function refuse(text) {
  console.error(text);
  return EXIT.couldNotRun;
}

/** Runs one suite, prints its cases and counts; true when the result is what it should be. */
async function runSuite(name, folders, notYet) {
  console.log(`\n# ${name}`);
  let result;
  try {
    result = await SUITES[name](folders);
  } catch (error) {
    console.log(`${name} could not run: ${error.message}`);
    console.log("0 passed, 1 failed");
    return false;
  }
  const verdict = judge(result.failures, notYet);
  for (const failure of verdict.unexpected)
    if (notYet.length > 0) console.log(`not listed in not-yet.json: ${failure}`);
  for (const repaired of verdict.repaired) console.log(`passes or is gone, take it off not-yet.json: ${repaired}`);
  if (verdict.known > 0) console.log(`${verdict.known} of the failures are listed in not-yet.json`);
  console.log(`${result.passed} passed, ${result.failed} failed`);
  // A count without names, or nothing at all, is no good result either.
  return verdict.ok && result.failures.length === result.failed && result.passed + result.failed > 0;
}

function readNotYet() {
  return JSON.parse(readFileSync(new URL("not-yet.json", import.meta.url), "utf8"));
}

function build() {
  const script = join(projectFolder, ".ci", "build-if-needed.mjs");
  return spawnSync(process.execPath, [script], { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { dir: { type: "string" } } });
  // Without the `--` that passes it on, npm takes the flag for its own.
  const given = values.dir ?? process.env.npm_config_dir;
  const unknown = positionals.find((name) => SUITES[name] === undefined);
  if (unknown !== undefined) return refuse(`Unknown suite ${unknown}. Known: ${Object.keys(SUITES).join(", ")}.`);
  if (given !== undefined && positionals.length !== 1) return refuse("--dir needs the name of one suite.");

  const collection = resolve(projectFolder, process.env.HINDCAST_CONFORMANCE ?? "../shared/conformance");
  const dir = given === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), given);
  if (dir !== undefined && !existsSync(dir)) return refuse(`There is no folder ${dir}.`);
  if (dir === undefined && !existsSync(collection)) {
    console.log(`Skipped: there is no folder ${collection} (set HINDCAST_CONFORMANCE to where the suites are).`);
    return EXIT.ok;
  }
  if (!build()) return EXIT.couldNotRun;
  let allGood = true;
  for (const name of positionals.length > 0 ? positionals : Object.keys(SUITES)) {
    const home = join(collection, name);
    const notYet = dir === undefined ? (readNotYet()[name] ?? []) : [];
    allGood = (await runSuite(name, { home, dir: dir ?? home }, notYet)) && allGood;
  }
  return allGood ? EXIT.ok : EXIT.failed;
}

process.exitCode = await main();
