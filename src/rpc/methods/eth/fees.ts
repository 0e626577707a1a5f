/** eth_*: gas prices and their history. */
import { z } from "zod";
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { encodeFeeHistory, feeHistorySchema } from "../../encode/blocks/fee-history.ts";
import { nullable } from "../../encode/shape.ts";
import { method, optional, required } from "../../method.ts";
import { orNull } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import { blockNumberOrTag, countOrDecimal } from "../../schema/primitives.ts";

const percentiles = z.array(z.number({ error: "expected a number from 0 to 100" }), {
  error: "expected an array of percentiles such as [25, 50, 75]",
});

export const gasPrice = method({
  name: "eth_gasPrice",
  summary: "Suggested gas price, in wei.",
  answeredBy: "writer",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: ({ fees }) => fees.gasPrice(),
  encode: encodeQuantity,
});

export const maxPriorityFeePerGas = method({
  name: "eth_maxPriorityFeePerGas",
  summary: "Suggested tip, in wei per gas.",
  answeredBy: "writer",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: ({ fees }) => fees.priorityFee(),
  encode: encodeQuantity,
});

export const baseFee = method({
  name: "eth_baseFee",
  summary: "Base fee of the next block, in wei per gas; null before London.",
  answeredBy: "writer",
  params: [],
  result: orNull(QUANTITY),
  example: { params: [] },
  run: ({ fees }) => fees.nextBaseFee(),
  encode: nullable(encodeQuantity),
});

export const blobBaseFee = method({
  name: "eth_blobBaseFee",
  summary: "Price of blob gas in the head block, in wei per blob gas; null before Cancun.",
  answeredBy: "writer",
  params: [],
  result: orNull(QUANTITY),
  example: { params: [] },
  run: ({ fees }) => fees.blobBaseFee(),
  encode: nullable(encodeQuantity),
});

export const feeHistory = method({
  name: "eth_feeHistory",
  summary: "Base fees, ratios of gas used, and tips at percentiles of gas, for a range of blocks.",
  answeredBy: "writer",
  params: [
    required("blockCount", countOrDecimal),
    required("newestBlock", blockNumberOrTag),
    optional("rewardPercentiles", percentiles, []),
  ],
  result: feeHistorySchema,
  errors: ["INVALID_REWARD_PERCENTILE", "FEE_HISTORY_BEYOND_HEAD", "EXECUTION_ABORTED"],
  example: { params: ["0x1", "latest", [50]] },
  run: ({ feeHistory: history }, [blockCount, newest, rewardPercentiles], { signal }) =>
    history.find({ blockCount, newest, percentiles: rewardPercentiles, signal }),
  encode: encodeFeeHistory,
});
