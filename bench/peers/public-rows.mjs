// Rows of public code (../public-cases.mjs), each on a state of its own: the nodes must return the same.
import { ABSENT, outcomeOf, place, publicCases } from "../public-cases.mjs";
import { equal } from "./checks.mjs";

/** The nodes whose columns are compared. */
const COMPARED = ["in process", "EDR in process", "hindcast", "anvil"];
/** They take EDR minutes, in which nobody else can answer. */
const WITHOUT_EDR = /burntpix|onchain-lm|snailtracer/;
/** By node: the case whose accounts it has, and the snapshot before them. */
const placed = new Map();

async function prepare(node, row) {
  const before = placed.get(node.name);
  if (before?.row === row) return;
  if (before !== undefined) await node.ask("evm_revert", before.snapshot);
  const snapshot = await node.ask("evm_snapshot");
  placed.set(node.name, { row, snapshot });
  await place(node.ask, row.known);
}

const cases = await publicCases();
if (cases.length === 0) console.error(`public code: ${ABSENT}`);

export const publicRows = cases.map((known) => {
  const row = {
    label: known.label,
    known,
    runs: 3,
    rowMs: 2_000,
    nodes: COMPARED.filter((name) => name !== "EDR in process" || !WITHOUT_EDR.test(known.label)),
    prepare: (node) => prepare(node, row),
    run: ({ ask }) => outcomeOf(ask, known),
    check: (answer) => {
      row.expected ??= answer;
      equal(answer, row.expected, known.label);
    },
  };
  return row;
});
