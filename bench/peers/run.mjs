#!/usr/bin/env node
// Measures Hindcast and its peers: `npm run bench:peers -- [flags]`.
//
//   --write            puts the tables into ../README.md; not with --rows, --nodes or --rounds, which measure a part, but for
//                      --rows public
//   --rows PATTERN     only rows whose label matches the regular expression; start-ups are "start"
//   --nodes NAME,NAME  of @ethereumjs/vm, "EDR in process", hindcast, anvil, ganache, hardhat, hardhat3
//   --rounds N         at most so many of each row
//   --minutes N        what has not begun after so long is left out (14)
//   --compile          compiles contracts/*.sol first
//
// Installs what package.json beside this file names (no install scripts), starts all nodes side by side, gives each the
// same chain, and runs every row on all of them in turn, round after round, so that a busy machine slows all alike.
// Answers are checked, outside the clock. Prints one table of medians; what a node cannot do is `–`, the reason is told
// while it runs. Ends with 1 when Hindcast lacks a cell.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { compileContracts } from "./compile.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const argumentOf = (flag) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
const say = (text) => process.stderr.write(`${text}\n`);
const isPart = ["--rows", "--nodes", "--rounds"].some((flag) => words.includes(flag));
if (isPart && words.includes("--write") && argumentOf("--rows") !== "public")
  throw new Error("--write goes with a whole run, or with --rows public.");

install();
if (words.includes("--compile")) compileContracts();
const { furnish, lengthen } = await import("./chain.mjs");
const { measureRow, measureStarts } = await import("./measure-rows.mjs");
const { EDR, IN_PROCESS, LIBRARY, startInProcess } = await import("./in-process.mjs");
const { PROGRAM_NAMES, startNode } = await import("./nodes.mjs");
const { COMPARED } = await import("./public-rows.mjs");
const { ROWS } = await import("./rows.mjs");
const { ratiosOf, requirePlace, tableOf, writeTables } = await import("./table.mjs");
requirePlace();

const known = [LIBRARY, EDR, ...PROGRAM_NAMES];
const wanted = argumentOf("--nodes")?.split(",") ?? known;
const unknown = wanted.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`--nodes: ${unknown} is none of ${known.join(", ")}.`);

const startedAt = performance.now();
const plan = {
  rounds: Number(argumentOf("--rounds") ?? Number.POSITIVE_INFINITY),
  rowBudgetMs: 40_000,
  endsAt: startedAt + Number(argumentOf("--minutes") ?? 14) * 60_000,
  complain: (name, error) => say(`  ${name}: ${String(error?.message ?? error).slice(0, 200)}`),
};
const columns = [IN_PROCESS, ...known.filter((name) => wanted.includes(name))];
const load = loadavg()[0];
const pattern = new RegExp(argumentOf("--rows") ?? "");
const isWanted = (label) => pattern.test(label);
const table = [];
const nodes = [];
const fresh = new Map();
// Measured rows are written even if the run fails.
process.once("SIGINT", () => finish(1));
try {
  await measureAll();
} catch (error) {
  say(String(error?.stack ?? error));
}
const ours = [IN_PROCESS, "hindcast"].filter((name) => columns.includes(name));
const lacks = table.some(({ unit, cells }) => unit === "ms" && ours.some((name) => cells[name] === undefined));
const started = [...nodes.flatMap((node) => [node, node.forSteps]), ...[...fresh.values()].flat()];
await Promise.allSettled(started.map((node) => node.stop()));
finish(lacks || table.length === 0 ? 1 : 0);

async function measureAll() {
  const programs = columns.filter((name) => name !== LIBRARY && name !== EDR);
  if (isWanted("start")) table.push(...(await measureStarts(programs, plan)));
  const rows = ROWS.filter(({ label }) => isWanted(label));
  if (rows.length === 0) return;
  if (rows.some(({ hardfork }) => hardfork === undefined)) for (const name of columns) await addNode(name);
  for (const row of rows) {
    say(row.label);
    const began = performance.now();
    const columnsOf = row.hardfork === undefined ? nodes : await nodesOn(row.hardfork);
    table.push({ ...(await measureRow(row, columnsOf, plan)), isPublic: row.isPublic });
    say(`  ${Math.round((performance.now() - began) / 1000)} s`);
  }
  if (nodes.length === 0) return;
  const memory = nodes.map((node) => [node.name, node.memory()]);
  table.push({ label: "memory after all that, MB", unit: "MB", cells: Object.fromEntries(memory) });
}

/** Starts a node and makes its chain. One that cannot be started has no numbers. */
async function addNode(name) {
  say(`${name}: making the chain`);
  try {
    const isProgram = PROGRAM_NAMES.includes(name);
    const furnished = await furnish(await (isProgram ? startNode(name) : startInProcess(name)));
    const node = furnished.callsOnly ? furnished : await lengthen(furnished);
    nodes.push({ ...node, forSteps: name === "anvil" ? await anvilWithSteps() : node });
  } catch (error) {
    plan.complain(name, error);
  }
}

/** Nodes without a chain, by hardfork; those that are compared on public code. */
async function nodesOn(hardfork) {
  if (fresh.has(hardfork)) return fresh.get(hardfork);
  const started = [];
  for (const name of columns.filter((column) => COMPARED.includes(column))) {
    try {
      const isProgram = PROGRAM_NAMES.includes(name);
      started.push(await (isProgram ? startNode(name, [], hardfork) : startInProcess(name, hardfork)));
    } catch (error) {
      plan.complain(name, error);
    }
  }
  fresh.set(hardfork, started);
  return started;
}

/** Anvil keeps the steps of transactions only where it is told to, at a price for all others. */
async function anvilWithSteps() {
  return furnish(await startNode("anvil", ["--steps-tracing"]));
}

function finish(exitCode) {
  const own = table.filter(({ isPublic }) => isPublic !== true);
  const known = table.filter(({ isPublic }) => isPublic === true);
  const text = own.length === 0 ? undefined : tableOf(own, columns, load);
  const ratios = known.length === 0 ? undefined : ratiosOf(known, load);
  console.log([text, ratios].filter(Boolean).join("\n\n"));
  say(`${Math.round((performance.now() - startedAt) / 1000)} s`);
  if (words.includes("--write")) writeTables(text, ratios);
  process.exit(exitCode);
}

function install() {
  execFileSync(process.execPath, [`${folder}../../.ci/build-if-needed.mjs`], { stdio: "inherit" });
  // Hardhat 3 has a folder of its own: Hardhat 2 needs another EDR. It runs on a newer Node, which is installed with it.
  for (const cwd of [folder, `${folder}hardhat3/`]) {
    if (existsSync(`${cwd}node_modules/.package-lock.json`)) continue;
    try {
      const flags = ["--no-save", "--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund"];
      execFileSync("npm", ["install", ...flags], { cwd, stdio: "inherit" });
    } catch (error) {
      say(`Peers cannot be installed, the others are measured without them: ${error.message}`);
    }
  }
}
