#!/usr/bin/env node
// Mutation tests of random places: `npm run mutation:sample -- executor tracer/formats [--count N] [--seed N] [--tests FILE,FILE] [--only ID,ID] [--keep FILE]`.
//
// N mutants of each room (30), as Stryker's mutators make them, every one as likely as every other. First all tests run
// once with nothing changed, and note which of the mutated places each file executes. Then each mutant has a process of
// its own, in which the test files that execute its place run until one fails: near and short ones first, and so many as
// take 120 s with nothing changed; --seconds names another time. For a constant of a module these are files that execute
// other mutants of the module, and those of its folder.
// --tests names the files to run instead, --only the mutants by the numbers that are printed. --keep FILE keeps the
// sample, its code and what executes it, and later takes them from there, so that survivors can be run against new tests.
// What runs in threads is bundled or passed as text, and has no mutants: put those into the file by hand.
// Prints each mutant that no test killed. Processes that end by time count as killed, and are named.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";
import { instrument, sampleMutants } from "./mutants.mjs";

/** What a process may take beyond three times what its test files took with nothing changed. */
const GRACE_MS = 90_000;
/** An endless loop ends when it has executed its mutant so much more often than the tests do without it. */
const MAX_HITS_RATIO = 100;

const text = { type: "string" };
const { values, positionals: rooms } = parseArgs({
  allowPositionals: true,
  options: { count: text, seed: text, tests: text, only: text, keep: text, seconds: text },
});
if (rooms.length === 0) {
  console.error("Name rooms, folders of them, or files: npm run mutation:sample -- executor");
  process.exit(2);
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const maxSeconds = Number(values.seconds ?? 120);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
// Sockets of tests have their paths below it, and those may have 104 bytes.
const folder = mkdtempSync(join(tmpdir(), "hcm-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

const kept = values.keep !== undefined && existsSync(values.keep) ? JSON.parse(readFileSync(values.keep, "utf8")) : {};
const { mutants = await sampleMutants(root, rooms, Number(values.count ?? 30), seed) } = kept;
const { instrumented = await instrument(root, mutants) } = kept;
writeFileSync(join(folder, "instrumented.json"), JSON.stringify(instrumented));
process.env.MUTATION_FOLDER = folder;
process.env.TMPDIR = folder;
process.chdir(root);
const quiet = { watch: false, reporters: process.env.MUTATION_VERBOSE ? ["default"] : [{}], silent: true };
const vitest = await createVitest("test", { config: "test/mutation/sample.config.ts", ...quiet });
const coverage = values.tests === undefined ? (kept.coverage ?? (await coverageOfTests())) : undefined;
if (values.keep !== undefined && coverage !== undefined) {
  writeFileSync(values.keep, JSON.stringify({ mutants, instrumented, coverage }));
}
const only = values.only?.split(",");
const outcomes = new Map();
for (const mutant of mutants) {
  if (!rooms.includes(mutant.room) || !(only ?? [mutant.id]).includes(mutant.id)) continue;
  const outcome = await outcomeOf(mutant);
  outcomes.set(mutant, outcome);
  const { line, column } = mutant.location.start;
  console.log(
    `${mutant.id} ${outcome.status} ${mutant.file}:${line + 1}:${column} ${mutant.mutatorName}, ${outcome.files} files, ${Math.round(outcome.ms / 1000)} s` +
      (outcome.status === "killed" ? "" : `\n    ${mutant.original}\n    → ${mutant.replacement}`),
  );
}
for (const room of rooms) {
  const ofRoom = [...outcomes].filter(([mutant]) => mutant.room === room).map(([, { status }]) => status);
  const count = (wanted) => ofRoom.filter((status) => status === wanted).length;
  const killed = count("killed") + count("killed by time");
  console.log(
    `${room}: ${killed} of ${ofRoom.length} killed, ${count("killed by time")} of them by time; ${count("survived")} survived, ${count("not run")} not run (seed ${seed})`,
  );
}
await vitest.close();

/** What becomes of the test files that execute a mutant. */
async function outcomeOf(mutant) {
  const files = values.tests?.split(",") ?? filesFor(mutant);
  if (files.length === 0) return { status: "not run", files: 0, ms: 0 };
  const usual = coverage === undefined ? 0 : files.reduce((sum, file) => sum + coverage[file].ms, 0);
  const hits = files.reduce((sum, file) => sum + (coverage?.[file].hits[mutant.id] ?? 0), 0);
  const began = Date.now();
  const status = await runWithin(3 * usual + GRACE_MS, files, {
    __STRYKER_ACTIVE_MUTANT__: mutant.id,
    MUTATION_HIT_LIMIT: hits === 0 ? "" : String(MAX_HITS_RATIO * hits),
  });
  return { status, files: files.length, ms: Date.now() - began };
}

/** The test files that execute a mutant, in the order in which they are tried. */
function filesFor({ id, file }) {
  const ofModule = mutants.filter((other) => other.file === file).map((other) => other.id);
  const all = Object.keys(coverage);
  let files = all.filter((test) => coverage[test].hits[id] > 0);
  if (all.some((test) => coverage[test].atLoad.includes(id))) {
    const others = all.filter((test) => ofModule.some((other) => coverage[test].hits[other] > 0));
    files = [...new Set([...files, ...others, ...all.filter((test) => nearness(test, file) > 1)])];
  }
  const cost = (test) => coverage[test].ms / 4 ** nearness(test, file);
  let ms = 0;
  return files
    .sort((a, b) => cost(a) - cost(b))
    .filter((test, index) => {
      ms += coverage[test].ms;
      return index === 0 || ms < maxSeconds * 1_000;
    });
}

/** How many folders a test's path has in common with a source's, and one more where it is the source's own test. */
function nearness(test, source) {
  const [a, b] = [test, source].map((path) =>
    path
      .replace(/(?:\.property)?(?:\.test)?\.ts$/, "")
      .split("/")
      .slice(1),
  );
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}

/** Of each test file: the mutants that it executes, those executed while it was loaded, and its time. */
async function coverageOfTests() {
  const output = join(folder, "coverage");
  mkdirSync(output);
  const specifications = await vitest.globTestSpecifications();
  await run(specifications, 0, { MUTATION_COVERAGE: output });
  const found = readdirSync(output).map((name) => JSON.parse(readFileSync(join(output, name), "utf8")));
  for (const { file, failed } of found) if (failed) console.log(`left out, since it fails by itself: ${file}`);
  return Object.fromEntries(found.filter(({ failed }) => !failed).map((entry) => [entry.file, entry]));
}

/** Runs test files in a process of their own, at `bail` failed tests no more of them. Resolves with what became of them. */
async function run(specifications, bail, env) {
  Object.assign(process.env, env);
  vitest.config.bail = bail;
  for (const project of vitest.projects) project.config.bail = bail;
  // Vitest adds up the failures of its runs.
  vitest.state.filesMap.clear();
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const name of Object.keys(env)) delete process.env[name];
  return testModules.every((module) => module.ok()) && unhandledErrors.length === 0 ? "survived" : "killed";
}

/** As {@link run}, until a time limit. Then the process is killed. */
async function runWithin(timeLimitMs, files, env) {
  const project = vitest.getRootProject();
  const specifications = files.map((file) => project.createSpecification(join(root, file)));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
  }, timeLimitMs);
  const status = await run(specifications, 1, env);
  clearTimeout(timer);
  return late ? "killed by time" : status;
}
