/** eth_*: chain id, fees, accounts. */
import { encodeData, encodeQuantity } from "../../../primitives/hex.ts";
import { list } from "../../encode/shape.ts";
import { method } from "../../method.ts";

export const chainId = method({
  name: "eth_chainId",
  summary: "Chain id that signatures bind to.",
  params: [],
  run: (context) => context.chainId,
  encode: encodeQuantity,
});

export const gasPrice = method({
  name: "eth_gasPrice",
  summary: "Suggested gas price, in wei.",
  params: [],
  run: ({ fees }) => fees.gasPrice(),
  encode: encodeQuantity,
});

export const maxPriorityFeePerGas = method({
  name: "eth_maxPriorityFeePerGas",
  summary: "Suggested tip, in wei per gas.",
  params: [],
  run: ({ fees }) => fees.priorityFee(),
  encode: encodeQuantity,
});

export const accounts = method({
  name: "eth_accounts",
  summary: "Addresses this node can sign for.",
  params: [],
  run: (context) => context.accounts.list(),
  encode: list(encodeData),
});
