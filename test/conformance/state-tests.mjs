#!/usr/bin/env node
// Runs the Ethereum Foundation's GeneralStateTests against the built library.
//
//   node state-tests.mjs --dir DIR [--engine NAME] [--every N] [--only TEXT] [--jobs N]
//
//   --dir     folder that is searched for *.ndjson and *.ndjson.br files
//   --engine  wasm, ethereumjs; default: wasm
//   --every   run one case in N, always the same ones, spread over files and hardforks; the longest loops are not among them
//   --only    run the cases whose name contains TEXT
//   --jobs    processes to spread the entries over; default: one per processor
//
// A case runs one transaction on a state of its own, and compares the state root and the hash of the logs with what they
// should be. Prints a line per failing case, and how many passed on each hardfork.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DEFAULT_ENGINE, ENGINE_NAMES } from "./engines.mjs";
import { openCaseRunner } from "./state-tests/case-runner.mjs";
import { casesOf, entryLines, isChosen } from "./state-tests/entries.mjs";
import { answerTasks, spreadTasks } from "./workers.mjs";

const load = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url).href);

/** A worker process: is sent entries as text and answers with the names of their cases, by network, and what is wrong. */
async function work({ engine, every, only }) {
  const runner = openCaseRunner(load, engine);
  answerTasks(async ({ file, line }) => {
    const entry = JSON.parse(line);
    const cases = casesOf(entry, file).filter(({ name }) => isChosen(name, every) && name.includes(only));
    if (cases.length === 0) return [];
    const results = await (await runner).runEntry(entry, cases);
    return results.map(([name, problem], index) => [cases[index].network, name, problem]);
  });
}

function* tasksOf(dir) {
  for (const { file, line } of entryLines(dir)) {
    yield { label: `${file}: ${line.slice(0, 200)}`, message: { file, line } };
  }
}

/** Spreads the entries over worker processes and prints what they find. */
async function conduct({ dir, engine, every, only, jobs }) {
  const counts = { passed: 0, failed: 0 };
  const byNetwork = new Map();
  const tell = (results) => {
    for (const [network, name, problem] of results) {
      const ofNetwork = byNetwork.get(network) ?? { passed: 0, failed: 0 };
      byNetwork.set(network, ofNetwork);
      // JSON between processes turns undefined into null.
      const outcome = problem == null ? "passed" : "failed";
      counts[outcome]++;
      ofNetwork[outcome]++;
      if (problem != null) console.log(`FAIL ${name}: ${problem.replaceAll(/\s+/g, " ").slice(0, 400)}`);
    }
  };
  await spreadTasks({
    script: fileURLToPath(import.meta.url),
    args: ["--worker", "--engine", engine, "--every", String(every), "--only", only],
    jobs,
    tasks: tasksOf(dir),
    onResult: tell,
  });
  for (const [network, { passed, failed }] of byNetwork) console.log(`${network}: ${passed} passed, ${failed} failed`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      dir: { type: "string" },
      engine: { type: "string", default: DEFAULT_ENGINE },
      every: { type: "string", default: "1" },
      only: { type: "string", default: "" },
      jobs: { type: "string", default: String(availableParallelism()) },
      worker: { type: "boolean", default: false },
    },
  });
  const every = Number(values.every);
  const jobs = Number(values.jobs);
  const isGood =
    (values.worker || values.dir !== undefined) &&
    ENGINE_NAMES.includes(values.engine) &&
    [every, jobs].every((number) => Number.isSafeInteger(number) && number > 0);
  if (isGood) return { ...values, every, jobs };
  console.error(
    `usage: node state-tests.mjs --dir DIR [--engine ${ENGINE_NAMES.join("|")}] [--every N] [--only TEXT] [--jobs N]`,
  );
  process.exit(2);
}

const options = readOptions();
try {
  if (options.worker) await work(options);
  else await conduct(options);
} catch (error) {
  console.error(`state-tests could not run: ${error.message}`);
  process.exit(2);
}
