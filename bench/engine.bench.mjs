// Public code in process: calls, and the import of blocks full of one instruction, whose hash must be that of the tests.
import { createNode } from "../dist/bundle/index.js";
import { genesisOf } from "../test/conformance/fork-config.mjs";
import { measure } from "./measure.mjs";
import { ABSENT, blockName, blockTests, outcomeOf, place, publicCases } from "./public-cases.mjs";

export const name = "public code, in process";

const RUNS = { runs: 3, warmUp: 1 };
const CALL_GAS = 10n ** 12n;
/** Some run for seconds. */
const CALL_MS = 60_000;

export async function rows() {
  const cases = await publicCases();
  if (cases.length === 0) console.error(`  ${ABSENT}`);
  const result = {};
  for (const known of cases) result[known.label] = await callRow(known);
  for (const test of blockTests()) result[`import: ${blockName(test)}`] = await measure(() => importBlocks(test), RUNS);
  return result;
}

async function callRow(known) {
  const limits = { callGasLimit: CALL_GAS, callTimeoutMs: CALL_MS };
  const node = await createNode({ hardfork: known.hardfork, limits });
  const ask = (method, ...params) => node.provider.request({ method, params });
  await place(ask, known);
  const summary = await measure(() => outcomeOf(ask, known), RUNS);
  const outcome = await outcomeOf(ask, known);
  await node.close();
  return { ...summary, note: outcome === "failed" ? "fails" : `${(outcome.length - 2) / 2} bytes` };
}

/** @throws {Error} if the head is another block than the test's */
async function importBlocks(test) {
  const node = await createNode({ genesis: genesisOf(test) });
  await node.importChain(Buffer.concat(test.blocks.map(({ rlp }) => Buffer.from(rlp.slice(2), "hex"))));
  const { hash } = await node.provider.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  await node.close();
  if (hash !== test.lastblockhash) throw new Error(`${test.name}: the head is ${hash}, expected ${test.lastblockhash}`);
}
