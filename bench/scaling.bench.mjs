// Cost against the length of the chain: ten matches among 1,000, 10,000 and 100,000 blocks, which should follow the matches,
// and the processor time of one more block in a data folder, which should stay the same.
//
// Blocks of shanghai: an empty one changes no state there, so that 100,000 of them fit into memory beside the others.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aNode, deploy, LOGGER_RUNTIME, word } from "./chains.mjs";
import { summary } from "./measure.mjs";

export const name = "cost against length";

const LENGTHS = [1_000, 10_000, 100_000];
const MATCHES = 10;
const RUNS = 100;
/** Blocks of a chain in a folder, a transfer each, and how many of them are measured together. */
const IN_FOLDER = 32_000;
const MEASURED = 8_000;

export async function rows() {
  const chains = [];
  for (const blocks of LENGTHS) chains.push({ blocks, ...(await aChain(blocks)) });
  const requests = {
    "eth_getLogs, 10 matches": ({ ask, logger }) =>
      ask("eth_getLogs", { fromBlock: "0x0", toBlock: "latest", address: logger }),
    "trace_filter, 10 matches": ({ ask, logger }) =>
      ask("trace_filter", { fromBlock: "0x0", toBlock: "latest", toAddress: [logger], count: MATCHES }),
  };
  const result = {};
  for (const [label, request] of Object.entries(requests)) {
    const times = await inTurns(chains, request);
    const shortest = summary(times[0]).medianMs;
    for (const [index, { blocks }] of chains.entries()) {
      const figures = summary(times[index]);
      const note = `${(figures.medianMs / shortest).toFixed(2)} times that of ${LENGTHS[0].toLocaleString("en")} blocks`;
      result[`${label}, ${blocks.toLocaleString("en")} blocks`] = { ...figures, note };
    }
  }
  for (const { node } of chains) await node.close();
  return { ...result, ...(await blocksInFolder()) };
}

/** Processor time of all threads: LevelDB merges its files on one of its own. */
async function blocksInFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), "hindcast-bench-"));
  const { node, ask, from, to } = await aNode({ dataDir });
  const result = {};
  let first;
  for (let blocks = MEASURED; blocks <= IN_FOLDER; blocks += MEASURED) {
    const before = process.cpuUsage();
    for (let block = 0; block < MEASURED; block++) {
      await ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208" });
    }
    const { user, system } = process.cpuUsage(before);
    const medianMs = Math.round((user + system) / MEASURED) / 1_000;
    first ??= medianMs;
    const note = `processor time; ${(medianMs / first).toFixed(2)} times that of the first ${MEASURED.toLocaleString("en")} blocks`;
    const figures = { runs: MEASURED, medianMs, p95Ms: medianMs, minMs: medianMs, note };
    result[`block in a folder with ${blocks.toLocaleString("en")}`] = figures;
  }
  await node.close();
  await rm(dataDir, { recursive: true });
  return result;
}

async function inTurns(chains, request) {
  const times = chains.map(() => []);
  for (let run = -20; run < RUNS; run++) {
    for (const [index, chain] of chains.entries()) {
      const start = performance.now();
      const found = await request(chain);
      if (run >= 0) times[index].push(performance.now() - start);
      if (found.length < MATCHES) throw new Error(`expected ${MATCHES} matches, got ${found.length}`);
    }
  }
  return times;
}

async function aChain(blocks) {
  const chain = await aNode({ hardfork: "shanghai" });
  const { ask, from } = chain;
  const logger = await deploy(ask, from, LOGGER_RUNTIME);
  for (let match = 0; match < MATCHES; match++) {
    await ask("hardhat_mine", `0x${(blocks / MATCHES - 1).toString(16)}`);
    await ask("eth_sendTransaction", { from, to: logger, data: `0x${word(match)}`, gas: "0x30000" });
  }
  return { ...chain, logger };
}
