// Cost against the length of the chain: ten matches among 1,000, 10,000 and 100,000 blocks. It should follow the matches.
//
// Blocks of shanghai: an empty one changes no state there, so that 100,000 of them fit into memory beside the others.
import { aNode, deploy, LOGGER_RUNTIME, word } from "./chains.mjs";
import { summary } from "./measure.mjs";

export const name = "cost against length";

const LENGTHS = [1_000, 10_000, 100_000];
const MATCHES = 10;
const RUNS = 100;

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
