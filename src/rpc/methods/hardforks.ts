/** hindcast_…: comparisons of hardforks, and estimates of gas in the two dimensions of Amsterdam. */
import { PENDING } from "../../chain/blocks/block-id.ts";
import { encodeGasEstimate, gasEstimateSchema } from "../encode/gas-dimensions.ts";
import { encodeHardforkComparison, hardforkComparisonSchema } from "../encode/transactions/hardfork-comparison.ts";
import { CALLING, FOREIGN_BLOCKS, NOT_TRACED, OVERRIDES, REJECTIONS, STOPPED } from "../errors.ts";
import { method, optional } from "../method.ts";
import { comparisonParam, LATEST_BLOCK } from "../schema/comparison.ts";
import { callParams } from "./call-params.ts";
import { EXAMPLE } from "./example-chain.ts";
import { loadAnalysis } from "./load-analysis.ts";

export const compareHardforks = method({
  name: "hindcast_compareHardforks",
  summary: "Runs calls, or a block's transactions, under two hardforks: status, gas by cause, and what differs.",
  params: [optional("request", comparisonParam, LATEST_BLOCK)],
  result: hardforkComparisonSchema,
  errors: ["HEADER_NOT_FOUND", NOT_TRACED, STOPPED, OVERRIDES, "CALL_OF_ANOTHER_CHAIN", FOREIGN_BLOCKS],
  example: { params: [{ calls: [EXAMPLE.call], hardforks: ["osaka", "amsterdam"] }] },
  load: loadAnalysis,
  run: async ({ analysis }, [request], { signal }) => (await analysis()).comparisons.compare(request, { signal }),
  encode: encodeHardforkComparison,
});

export const estimateGas = method({
  name: "hindcast_estimateGas",
  summary: "The estimate of eth_estimateGas, its gas for execution and for state, and which of them determines it.",
  params: callParams(PENDING),
  result: gasEstimateSchema,
  errors: [
    CALLING,
    REJECTIONS,
    "TRANSACTION_INCONSISTENT",
    "EXECUTION_FAILED",
    "EXECUTION_REVERTED",
    "GAS_REQUIRED_EXCEEDS_ALLOWANCE",
  ],
  example: { params: [EXAMPLE.transfer] },
  run: ({ calls }, [request, id, accounts, block], { signal }) =>
    calls.estimate({ call: request, id, overrides: { accounts, block }, signal }),
  encode: encodeGasEstimate,
});
