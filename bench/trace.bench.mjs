// Traces of mined transactions: one, and a range by address.
import { aChainWithLogs } from "./chains.mjs";
import { measure } from "./measure.mjs";

export const name = "traces";

export async function rows() {
  const { node, ask, logger, work } = await aChainWithLogs({ blocks: 1000, every: 100 });
  const filter = { fromBlock: "0x1", toBlock: "latest", toAddress: [logger] };
  const result = {
    trace_transaction: await measure(() => ask("trace_transaction", work), { runs: 100, warmUp: 20 }),
    "trace_filter, 1,000 blocks, one address": await measure(() => ask("trace_filter", filter), {
      runs: 10,
      warmUp: 2,
    }),
  };
  await node.close();
  return result;
}
