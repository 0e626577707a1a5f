// eth_getLogs: 10 matches in a short and in a long chain. The cost should follow the matches.
import { aChainWithLogs } from "./chains.mjs";
import { measure } from "./measure.mjs";

export const name = "eth_getLogs";

export async function rows() {
  const result = {};
  for (const blocks of [200, 2_000]) {
    const { node, ask, logger } = await aChainWithLogs({ blocks, every: blocks / 10 });
    const filter = { fromBlock: "0x0", toBlock: "latest", address: logger };
    const found = await ask("eth_getLogs", filter);
    if (found.length !== 10) throw new Error(`expected 10 logs, got ${found.length}`);
    result[`${blocks.toLocaleString("en")} blocks, 10 matches`] = await measure(() => ask("eth_getLogs", filter), {
      runs: 100,
      warmUp: 20,
    });
    await node.close();
  }
  return result;
}
