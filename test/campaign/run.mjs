#!/usr/bin/env node
// The long campaign: `npm run campaign -- --kills 1000 --requests 1000000 --transactions 1000000`. Prints its seed and
// writes what was done and found to a folder: report.json and report.md. Ends with 1 if anything was wrong.
//
//   --kills N --requests N --transactions N   how much; 60, 50000 and 50000 by default, 0 leaves one out
//   --latency [--methods PATTERN] [--write]   the largest requests of every method, and nothing else by default;
//                                             --write puts the table into docs/latency.md
//   --soak                                    ten attackers at one node, and nothing else by default: --soak --minutes 30
//   --shared N                                random faults of a chain in PostgreSQL, and nothing else by default
//   --minutes N                               each test ends after so many, even if it has done less; no limit by default
//   --seed N                                  default: by the clock
//   --out FOLDER                              default: campaign-SEED in the working folder
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const text = (value) => ({ type: "string", default: value });
const { values } = parseArgs({
  options: {
    kills: { type: "string" },
    requests: { type: "string" },
    transactions: { type: "string" },
    latency: { type: "boolean", default: false },
    soak: { type: "boolean", default: false },
    shared: { type: "string" },
    write: { type: "boolean", default: false },
    methods: text(""),
    minutes: text("Infinity"),
    seed: text(String(Date.now() % 2 ** 31)),
    out: { type: "string" },
  },
});
const counts = ["kills", "requests", "transactions"];
const isAlone =
  (values.latency || values.soak || values.shared !== undefined) && counts.every((part) => values[part] === undefined);
for (const [index, part] of counts.entries()) values[part] ??= isAlone ? "0" : ["60", "50000", "50000"][index];
const folder = resolve(values.out ?? `campaign-${values.seed}`);
mkdirSync(folder, { recursive: true });

const root = fileURLToPath(new URL("../..", import.meta.url));
const parts = counts.filter((part) => Number(values[part]) > 0);
for (const part of ["latency", "soak"]) if (values[part]) parts.push(part);
if (values.shared !== undefined) parts.push("shared");
if (values.soak && values.minutes === "Infinity") values.minutes = "30";
const startedAt = Date.now();
const outcomes = parts.map((part) => {
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      ...["run", "--mode", part === "shared" ? "shared" : "campaign"],
      part === "shared" ? "test/shared/random-faults.shared.ts" : `test/campaign/${part}.campaign.ts`,
    ],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        HINDCAST_SEED: values.seed,
        CAMPAIGN_FOLDER: folder,
        HINDCAST_SHARED_FAULTS: values.shared ?? "0",
        CAMPAIGN_MINUTES: values.minutes,
        CAMPAIGN_KILLS: values.kills,
        CAMPAIGN_REQUESTS: values.requests,
        CAMPAIGN_TRANSACTIONS: values.transactions,
        CAMPAIGN_METHODS: values.methods,
        ...(values.write ? { CAMPAIGN_WRITE: "1" } : {}),
      },
    },
  );
  return { part, passed: status === 0 };
});

const figures = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json") && name !== "report.json")
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8"))]),
);
const report = {
  date: new Date(startedAt).toISOString().slice(0, 10),
  minutes: Math.round((Date.now() - startedAt) / 60_000),
  seed: Number(values.seed),
  node: process.version,
  machine: `${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  outcomes,
  figures,
};
writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(join(folder, "report.md"), markdownOf(report));
console.log(`\nseed ${values.seed}; the report is ${join(folder, "report.md")}`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;

function markdownOf({ date, minutes, seed, node, machine, outcomes, figures }) {
  const lines = [`# Campaign of ${date}`, "", `Seed ${seed}, ${minutes} minutes, Node ${node}, ${machine}.`, ""];
  for (const { part, passed } of outcomes) lines.push(`- ${part}: ${passed ? "nothing was wrong" : "FAILED"}`);
  for (const [part, values] of Object.entries(figures)) {
    lines.push("", `## ${part}`, "", "| What | How much |", "| --- | --- |");
    for (const [name, value] of Object.entries(values)) lines.push(`| ${name} | ${shown(name, value)} |`);
  }
  return `${lines.join("\n")}\n`;
}

function shown(name, value) {
  if (typeof value !== "object") return name === "seed" ? String(value) : rounded(value);
  const scale = name.endsWith("Bytes") ? 2 ** 20 : 1;
  const [third, last] = [value.third, value.last].map((each) => rounded(each / scale));
  const unit = name.endsWith("Bytes") ? " MiB" : " ms";
  return `${third}${unit} in the third quarter, ${last}${unit} in the last${value.isFlat ? "" : ": NOT FLAT"}`;
}

function rounded(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(value < 10 ? 2 : 0);
}
