#!/usr/bin/env node
// Runs conformance suites against the built package.
//
//   npm run conformance [-- SUITE...] [--dir DIR] [--engine NAME] [--every N]
//
//   SUITE     rpc-compat, tracers, parity-schema, blockchain-tests, state-tests, eest, stack-traces;
//             default: all
//   --dir     another folder of the same form for the one suite that is named
//   --engine  wasm, ethereumjs: for tracers, blockchain-tests, state-tests and eest, which have to be named
//   --every   run one case in N of state-tests, always the same ones
//
// With none of the flags the suites that have a choice of engines run on both: whole, but for every tenth case of
// state-tests on the engine that is not the default one.
//
// The collection is looked for in HINDCAST_CONFORMANCE, or else in ../shared/conformance. Cases listed in not-yet.json
// are known not to pass (not-yet.mjs has its form): a failure that is not listed fails the run, and so does a listed case
// that passes. The list does not count with --dir. Each suite ends with `N passed, M failed`, in which nothing is left out.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_ENGINE, ENGINE_NAMES } from "./engines.mjs";
import { listedCases } from "./not-yet.mjs";
import { projectFolder } from "./processes.mjs";
import { ENGINE_SUITES, SAMPLED_SUITE, SUITES } from "./suites.mjs";
import { judge } from "./verdict.mjs";

const EXIT = { ok: 0, failed: 1, couldNotRun: 2 };

/** One case in so many runs on the engine that is not the default one. */
const SAMPLE = 10;

function refuse(text) {
  console.error(text);
  return EXIT.couldNotRun;
}

/** Runs one suite, prints its cases and counts; true when the result is what it should be. */
async function runSuite(name, folders, choice, notYet) {
  const { engine, every } = choice;
  const part = every === undefined || every === 1 ? "" : `, one case in ${every}`;
  console.log(`\n# ${name}${engine === undefined ? "" : ` on ${engine}`}${part}`);
  let result;
  try {
    result = await SUITES[name](folders, { ...choice, listed: notYet });
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

/** Number of runs of each suite, and their engines. */
function choicesOf(name, { dir, engine, every }) {
  const isChosen = [dir, engine, every].some((flag) => flag !== undefined);
  if (isChosen || !ENGINE_SUITES.includes(name)) return [{ engine, every }];
  const part = name === SAMPLED_SUITE ? { every: SAMPLE } : {};
  const others = ENGINE_NAMES.filter((other) => other !== DEFAULT_ENGINE);
  return [{ engine: DEFAULT_ENGINE }, ...others.map((other) => ({ engine: other, ...part }))];
}

/** The error in the command line; undefined if there is none. */
function complaintOf(names, { dir, engine, every }) {
  const unknown = names.find((name) => SUITES[name] === undefined);
  if (unknown !== undefined) return `Unknown suite ${unknown}. Known: ${Object.keys(SUITES).join(", ")}.`;
  if (dir !== undefined && names.length !== 1) return "--dir needs the name of one suite.";
  if (dir !== undefined && !existsSync(dir)) return `There is no folder ${dir}.`;
  if (engine !== undefined) {
    if (!ENGINE_NAMES.includes(engine)) return `Unknown engine ${engine}. Known: ${ENGINE_NAMES.join(", ")}.`;
    const canChoose = names.length > 0 && names.every((name) => ENGINE_SUITES.includes(name));
    if (!canChoose) return `--engine needs the names of suites that have a choice: ${ENGINE_SUITES.join(", ")}.`;
  }
  if (every === undefined) return undefined;
  if (names.length !== 1 || names[0] !== SAMPLED_SUITE) return `--every is for ${SAMPLED_SUITE} alone.`;
  return Number.isSafeInteger(every) && every > 0 ? undefined : "--every needs a whole number from 1.";
}

/** The command line. Without the `--` that passes them on, npm takes the flags for its own. */
function readCommandLine() {
  const flag = { type: "string" };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { dir: flag, engine: flag, every: flag },
  });
  const given = (name) => values[name] ?? process.env[`npm_config_${name}`];
  const [dir, every] = [given("dir"), given("every")];
  return {
    names: positionals,
    dir: dir === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), dir),
    engine: given("engine"),
    every: every === undefined ? undefined : Number(every),
  };
}

/** State tests look into modules, of which a package has the types alone. */
function build(names) {
  const script = join(projectFolder, ".ci", "build-if-needed.mjs");
  const flags = names.includes(SAMPLED_SUITE) || names.includes("eest") ? ["--whole"] : [];
  return spawnSync(process.execPath, [script, ...flags], { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

async function main() {
  const { names, ...options } = readCommandLine();
  const complaint = complaintOf(names, options);
  if (complaint !== undefined) return refuse(complaint);
  const collection = resolve(projectFolder, process.env.HINDCAST_CONFORMANCE ?? "../shared/conformance");
  if (options.dir === undefined && !existsSync(collection)) {
    console.log(`Skipped: there is no folder ${collection} (set HINDCAST_CONFORMANCE to where the suites are).`);
    return EXIT.ok;
  }
  const suites = names.length > 0 ? names : Object.keys(SUITES);
  if (!build(suites)) return EXIT.couldNotRun;
  let allGood = true;
  for (const name of suites) {
    const home = join(collection, name);
    for (const choice of choicesOf(name, options)) {
      const notYet = options.dir === undefined ? listedCases(name, choice) : [];
      allGood = (await runSuite(name, { home, dir: options.dir ?? home }, choice, notYet)) && allGood;
    }
  }
  return allGood ? EXIT.ok : EXIT.failed;
}

process.exitCode = await main();
