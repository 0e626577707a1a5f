#!/usr/bin/env node
// Measures Hindcast and its peers: `npm run bench:peers -- [--write] [--compile] [--rows TEXT] [--nodes NAME,NAME]`.
//
// Installs what package.json beside this file names (no install scripts), starts all nodes side by side, gives each the
// same chain, and runs every row on all of them in turn, round after round, so that a busy machine slows all alike.
// Prints one table of medians; --write puts it into ../README.md.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { summary } from "../measure.mjs";
import { compileContracts } from "./compile.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const argumentOf = (flag) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
const IN_PROCESS = "in process";
const START_RUNS = 7;
/** After so long on one row, the rest of its rounds are left out. */
const ROW_BUDGET_MS = 60_000;

install();
if (words.includes("--compile")) compileContracts();
const { furnish, lengthen } = await import("./chain.mjs");
const { PROGRAM_NAMES, programVersion, startInProcess, startNode } = await import("./nodes.mjs");
const { ROWS } = await import("./rows.mjs");

const programs = argumentOf("--nodes")?.split(",") ?? PROGRAM_NAMES;
const columns = [IN_PROCESS, ...programs];
const loadBefore = loadavg()[0];
const table = [];
table.push(...(await measureStarts()));
const nodes = await startAll();
for (const row of ROWS.filter(({ label }) => label.includes(argumentOf("--rows") ?? "")))
  table.push(await measureRow(row));
table.push({
  label: "memory after all that, MB",
  unit: "MB",
  cells: Object.fromEntries(nodes.map((node) => [node.name, node.memory()])),
});
await Promise.all(
  nodes
    .flatMap((node) => (node.forSteps.post === node.post ? [node] : [node, node.forSteps]))
    .map((node) => node.stop()),
);
const text = markdown();
console.log(text);
if (words.includes("--write")) write(text);
process.exit(0);

function install() {
  execFileSync(process.execPath, [`${folder}../../.ci/build-if-needed.mjs`], { stdio: "inherit" });
  const isInstalled = existsSync(`${folder}node_modules/.package-lock.json`);
  if (isInstalled) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
}

/** Process start to first answer, and the memory held then. */
async function measureStarts() {
  const times = Object.fromEntries(columns.map((name) => [name, []]));
  const memory = Object.fromEntries(programs.map((name) => [name, []]));
  const empty = [];
  for (let round = 0; round < START_RUNS; round++) {
    const startedAt = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    empty.push(performance.now() - startedAt);
    times[IN_PROCESS].push(importToFirstCall());
    for (const name of programs) {
      const node = await startNode(name);
      times[name].push(node.startMs);
      memory[name].push(node.memory());
      await node.stop();
    }
  }
  const medians = (lists) => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, median(list)]));
  const label = `start to first answer (\`node -e 0\`: ${format(median(empty))} ms; in process: import to first call)`;
  return [
    { label, unit: "ms", cells: medians(times) },
    { label: "memory after start, MB", unit: "MB", cells: medians(memory) },
  ];
}

function importToFirstCall() {
  const program = `const start = performance.now();
    const { createNode } = await import(${JSON.stringify(new URL("../../dist/bundle/index.js", import.meta.url).href)});
    const node = await createNode();
    await node.provider.request({ method: "eth_call", params: [{ to: "0x" + "11".repeat(20) }, "latest"] });
    console.log(performance.now() - start);
    process.exit(0);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}

async function startAll() {
  const started = [];
  for (const name of columns) {
    const node = name === IN_PROCESS ? await startInProcess() : await startNode(name);
    process.stderr.write(`${name}: making the chain\n`);
    const furnished = await lengthen(await furnish({ ...node, name }));
    started.push({ ...furnished, forSteps: name === "anvil" ? await anvilWithSteps() : furnished });
  }
  return started;
}

/** Anvil keeps the steps of transactions only where it is told to, at a price for all others. */
async function anvilWithSteps() {
  return furnish({ ...(await startNode("anvil", ["--steps-tracing"])), name: "anvil" });
}

async function measureRow({ label, runs, prepare, run, after }) {
  process.stderr.write(`${label}\n`);
  const times = Object.fromEntries(nodes.map(({ name }) => [name, []]));
  const able = new Set(nodes);
  const startedAt = performance.now();
  const warmUp = runs >= 15 ? 3 : runs > 1 ? 1 : 0;
  for (let round = -warmUp; round < runs; round++) {
    if (round > 0 && performance.now() - startedAt > ROW_BUDGET_MS) break;
    for (const node of able) {
      try {
        const prepared = await prepare?.(node);
        const start = performance.now();
        await run(node, prepared);
        if (round >= 0) times[node.name].push(performance.now() - start);
        await after?.(node);
      } catch (error) {
        process.stderr.write(`  ${node.name}: ${String(error.message).slice(0, 160)}\n`);
        able.delete(node);
      }
    }
  }
  const cells = nodes.filter((node) => able.has(node)).map(({ name }) => [name, median(times[name])]);
  return { label, unit: "ms", cells: Object.fromEntries(cells) };
}

function median(list) {
  return list.length === 0 || list[0] === undefined ? undefined : summary(list).medianMs;
}

function format(value) {
  if (value === undefined) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function markdown() {
  const heads = columns.map((name) => (name === IN_PROCESS ? "Hindcast, in process" : title(name)));
  const lines = table.map(({ label, unit, cells }) => {
    const ratio = ratioOf(cells.hindcast, cells.anvil);
    const values = columns.map((name) => (unit === "MB" ? (cells[name]?.toFixed(0) ?? "–") : format(cells[name])));
    return `| ${[label, ...values, ratio].join(" | ")} |`;
  });
  return [
    `Medians in milliseconds where nothing else is said. ${new Date().toISOString().slice(0, 10)}, ${machine()}.`,
    "",
    `| | ${heads.join(" | ")} | Hindcast over HTTP ÷ Anvil |`,
    `| --- |${" ---: |".repeat(columns.length + 1)}`,
    ...lines,
  ].join("\n");
}

function ratioOf(ours, theirs) {
  return ours === undefined || theirs === undefined ? "–" : (ours / theirs).toFixed(2);
}

function title(name) {
  return `${name[0].toUpperCase()}${name.slice(1)} ${programVersion(name)}`;
}

/** A load well above zero before the first row says that the machine was shared. */
function machine() {
  const load = `load ${loadBefore.toFixed(1)} at the start`;
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.version}, ${load}`;
}

function write(text) {
  const path = new URL("../README.md", import.meta.url);
  const before = readFileSync(path, "utf8");
  const marks = /(<!-- peers -->\n)[\s\S]*(<!-- \/peers -->)/;
  if (!marks.test(before)) throw new Error("bench/README.md has no place for the table.");
  writeFileSync(
    path,
    before.replace(marks, (_all, open, close) => `${open}\n${text}\n\n${close}`),
  );
}
