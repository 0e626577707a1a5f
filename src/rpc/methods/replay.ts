/** hindcast_replay: history again with other code, storage or transactions. */
import { encodeHistoryComparison, historyComparisonSchema } from "../encode/transactions/history-comparison.ts";
import { CALLING, FOREIGN_BLOCKS, NOT_TRACED, STOPPED } from "../errors.ts";
import { method, required } from "../method.ts";
import { whatIfParam } from "../schema/comparison.ts";
import { EXAMPLE } from "./example-chain.ts";
import { loadAnalysis } from "./load-analysis.ts";

export const replay = method({
  name: "hindcast_replay",
  summary: "Runs a transaction or blocks again with other code, storage or transactions, and lists what differs.",
  params: [required("request", whatIfParam)],
  result: historyComparisonSchema,
  errors: [CALLING, NOT_TRACED, STOPPED, FOREIGN_BLOCKS, "BLOCK_NOT_FOUND"],
  example: { params: [{ transaction: EXAMPLE.transactionHash, code: { [EXAMPLE.contract]: "0x60006000fd" } }] },
  load: loadAnalysis,
  run: async ({ analysis }, [{ request, limit }], { signal }) =>
    (await analysis()).whatIf.replay(request, { limit, signal }),
  encode: encodeHistoryComparison,
});
