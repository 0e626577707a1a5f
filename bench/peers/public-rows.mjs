// Rows of public code (../public-cases.mjs), each on a state of its own: the nodes must return the same.
import { ABSENT, outcomeOf, place, publicCases } from "../public-cases.mjs";
import { equal } from "./checks.mjs";
import { EDR, IN_PROCESS } from "./in-process.mjs";

/** The nodes whose columns are compared. */
export const COMPARED = [IN_PROCESS, EDR, "hindcast", "anvil"];
/** They take EDR minutes, in which nobody else can answer. */
const WITHOUT_EDR = /burntpix|onchain-lm|snailtracer/;
/** EDR takes half a minute for some that run until their gas is used up: it gets a part of it, and its time is multiplied. */
const PARTS = 10;
/** Where the part takes longer. */
const LONG_PART_MS = 100;
/** Each node does all of a row in about a second; what takes longer runs once. */
const ROW_MS = 1_000;
/** By node: the case whose accounts it has, and the snapshot before them. */
const placed = new Map();

async function prepare(node, row) {
  const before = placed.get(node);
  if (before?.row === row) return;
  if (before !== undefined) await node.ask("evm_revert", before.snapshot);
  const snapshot = await node.ask("evm_snapshot");
  placed.set(node, { row, snapshot });
  await place(node.ask, row.known);
}

const cases = await publicCases();
if (cases.length === 0) console.error(`public code: ${ABSENT}`);
const withoutEdr = cases.map(({ label }) => label).filter((label) => WITHOUT_EDR.test(label));
if (withoutEdr.length > 0) console.error(`EDR is not measured, since it takes minutes: ${withoutEdr.join(", ")}`);

export const publicRows = cases.map((known) => {
  const isPart = (node) => node.name === EDR && row.isLong === true;
  const row = {
    label: known.label,
    known,
    runs: 3,
    rowMs: ROW_MS,
    slowMs: ROW_MS,
    isPublic: true,
    hardfork: known.hardfork,
    nodes: COMPARED.filter((name) => name !== EDR || !WITHOUT_EDR.test(known.label)),
    prepare: async (node) => {
      await prepare(node, row);
      // That it fails is known since the first node of the first round, our own.
      if (node.name === EDR && row.expected === "failed") row.isLong ??= await takesLong(node, known);
    },
    run: (node) => outcomeOf(node.ask, isPart(node) ? partOf(known) : known),
    times: (node) => (isPart(node) ? PARTS : 1),
    check: (answer) => {
      row.expected ??= answer;
      equal(answer, row.expected, known.label);
    },
  };
  return row;
});

async function takesLong({ ask }, known) {
  const startedAt = performance.now();
  await outcomeOf(ask, partOf(known));
  return performance.now() - startedAt > LONG_PART_MS;
}

function partOf({ call }) {
  return { call: { ...call, gas: `0x${(BigInt(call.gas) / BigInt(PARTS)).toString(16)}` } };
}
