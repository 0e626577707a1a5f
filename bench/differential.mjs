#!/usr/bin/env node
// Compares the two engines on random transactions, for as long as is wanted; or whole transactions with EthereumJS' VM, or with EDR, the engine of Hardhat 3.
//
//   node bench/differential.mjs [--whole | --edr] [--seed N] [--count N] [--first N] [--end N] [--save FILE]
//                               [--quick] [--hardforks NAME,... | all]
//   node bench/differential.mjs --sum FILE...
//
//   --whole  compare with EthereumJS' VM
//   --hardforks  for --whole: which hardforks take turns, or all; default amsterdam
//   --ample  for --whole: transactions of Amsterdam have gas for all their state beyond the cap. So they avoid two faults of EthereumJS,
//            in gas for state that a frame pays from its gas for running, and no difference is accepted for these
//   --edr    compare with EDR, which is installed from npm into a temporary folder
//   --quick  makes texts of a scenario only where the engines' recordings are not the same in every member. Formats are
//            functions of the recording, and making all texts takes half of the time
//   --seed   a 32-bit number; the same seed makes the same transactions. Default 1
//   --count  transactions to run at least. Default 10,000
//   --first  number of the scenario to begin with, as a difference names it. Default 0
//
// A long run of the two engines can be split:
//
//   --end    number of the scenario to end before, which begins the next part
//   --save   keeps counts and differences in this file, every minute and at the end. Where the file exists, the run goes
//            on behind the last scenario in it
//   --sum    adds up such files, and runs nothing
//
// Ctrl+C ends it early. Prints what was covered, and each difference that docs/engines.md does not list. Exit code 1 where there is one.
import { parseArgs } from "node:util";
import { buildCores } from "../.ci/core.mjs";
import { installPeers } from "../test/support/peers.mjs";
import { importBundled } from "./import-bundled.mjs";

const text = { type: "string" };
const flag = { type: "boolean" };
const { values, positionals } = parseArgs({
  options: {
    seed: text,
    count: text,
    first: text,
    end: text,
    save: text,
    sum: flag,
    whole: flag,
    ample: flag,
    hardforks: text,
    edr: flag,
    quick: flag,
  },
  allowPositionals: true,
});
const [seed, count, first] = [values.seed ?? 1, values.count ?? 10_000, values.first ?? 0].map(Number);
const end = values.end === undefined ? undefined : Number(values.end);

await buildCores();
const load = (path) => importBundled(new URL(`../test/engines/differential/${path}`, import.meta.url));
if (values.sum) {
  const { sumOfParts } = await load("parts.ts");
  for (const line of sumOfParts(positionals)) console.log(line);
  process.exit();
}
const compare = await comparison();
const began = Date.now();
let isOver = false;
process.once("SIGINT", () => {
  isOver = true;
});
let shown = 0;
let told = began;
const compared = await compare({
  seed,
  first,
  end,
  hardforks: await hardforks(),
  transactions: count,
  hasAmpleStateGas: values.ample,
  onDifference: (difference) => {
    if (shown++ < 20) console.log(difference);
  },
  onProgress: ({ transactions }) => {
    if (Date.now() - told < 60_000) return isOver;
    told = Date.now();
    console.error(`${transactions} transactions, ${shown} differences, ${Math.round((told - began) / 1000)} s`);
    return isOver;
  },
});
const time = `${Math.round((Date.now() - began) / 1000)} s, Node ${process.version}`;
console.log(`seed ${seed}, scenarios from ${first} on, ${time}`);
const { differences, counts, seconds, ...wholeCounts } = compared;
if (seconds !== undefined) console.log(`${seconds} s with the runs before that ${values.save} has`);
if (counts === undefined) console.log(wholeCounts);
else for (const line of counts.lines()) console.log(line);
console.log(`${differences.length} differences`);
process.exit(differences.length === 0 ? 0 : 1);

async function hardforks() {
  if (values.hardforks === undefined) return undefined;
  if (!values.whole)
    throw new Error("--hardforks is for --whole only; the other comparisons have hardforks of their own");
  const { HARDFORKS, parseHardfork } = await importBundled(
    new URL("../src/chainspec/hardforks/hardforks.ts", import.meta.url),
  );
  return values.hardforks === "all" ? HARDFORKS : values.hardforks.split(",").map(parseHardfork);
}

async function comparison() {
  if (values.edr) return comparisonWithEdr();
  if (values.whole) return (await load("whole/compare-whole.ts")).compareManyWhole;
  const { comparePart } = await load("parts.ts");
  const textsOf = values.quick ? "different recordings" : "both";
  return (options) => comparePart({ ...options, textsOf }, values.save);
}

async function comparisonWithEdr() {
  const { EDR_PACKAGES, EdrChains } = await load("edr/edr-chain.ts");
  const { compareManyWithEdr } = await load("edr/compare-edr.ts");
  const { folder, remove } = await installPeers(EDR_PACKAGES);
  const chains = await EdrChains.open(folder);
  await remove();
  return (options) => compareManyWithEdr({ ...options, chains });
}
