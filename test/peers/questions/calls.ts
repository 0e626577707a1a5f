/** Calls and estimates. */
import { after, FIRST, POOR, type Question, request, TO } from "./question.ts";

const ACCESS = [{ address: TO, storageKeys: [`0x${"00".repeat(32)}`] }];
/** Reverts with nothing; returns a word; keeps a word in a slot; deploys what returns a word. */
const REVERTS = ["hardhat_setCode", TO, "0x60006000fd"] as const;
const RETURNS = ["hardhat_setCode", TO, "0x602a60005260206000f3"] as const;

export const CALLS: readonly Question[] = [
  request("a call of nothing", "eth_call", { from: FIRST, to: TO }, "latest"),
  request("a call without members", "eth_call", {}, "latest"),
  request("a call of no object", "eth_call", "0x", "latest"),
  request("a call without params", "eth_call"),
  request("a call without a block", "eth_call", { from: FIRST, to: TO }),
  request("a call in a block that is not there", "eth_call", { from: FIRST, to: TO }, "0x64"),
  request(
    "a call in the block of an unknown hash",
    "eth_call",
    { from: FIRST, to: TO },
    { blockHash: `0x${"12".repeat(32)}` },
  ),
  request("a call in the block of an unknown tag", "eth_call", { from: FIRST, to: TO }, "soon"),
  request("a call of a short address", "eth_call", { from: FIRST, to: "0x12" }, "latest"),
  request("a call from a short address", "eth_call", { from: "0x12", to: TO }, "latest"),
  request("a call with half a byte", "eth_call", { to: TO, data: "0x1" }, "latest"),
  request("a call with data and input", "eth_call", { to: TO, data: "0x12", input: "0x12" }, "latest"),
  request("a call with other data than input", "eth_call", { to: TO, data: "0x12", input: "0x34" }, "latest"),
  request(
    "a call with both kinds of fees",
    "eth_call",
    { from: FIRST, to: TO, gasPrice: "0x1", maxFeePerGas: "0x1" },
    "latest",
  ),
  request(
    "a call with a tip and a price",
    "eth_call",
    { from: FIRST, to: TO, gasPrice: "0x1", maxPriorityFeePerGas: "0x1" },
    "latest",
  ),
  request(
    "a call with a tip above the cap",
    "eth_call",
    { from: FIRST, to: TO, maxFeePerGas: "0x5", maxPriorityFeePerGas: "0x6" },
    "latest",
  ),
  request("a call with a tip alone", "eth_call", { from: FIRST, to: TO, maxPriorityFeePerGas: "0x6" }, "latest"),
  request("a call with a null price", "eth_call", { from: FIRST, to: TO, gasPrice: null }, "latest"),
  request("a call with an unknown member", "eth_call", { from: FIRST, to: TO, nope: "0x1" }, "latest"),
  request("a call with an access list", "eth_call", { from: FIRST, to: TO, accessList: ACCESS }, "latest"),
  request(
    "a call with a malformed access list",
    "eth_call",
    { from: FIRST, to: TO, accessList: [{ address: "0x1" }] },
    "latest",
  ),
  request("a call with another chain's id", "eth_call", { from: FIRST, to: TO, chainId: "0x2" }, "latest"),
  request("a call with more gas than a block", "eth_call", { from: FIRST, to: TO, gas: "0x3b9aca00" }, "latest"),
  request("a call with too little gas", "eth_call", { from: FIRST, to: TO, gas: "0x5207" }, "latest"),
  request(
    "a call of blobs",
    "eth_call",
    { from: FIRST, to: TO, blobs: [], blobVersionedHashes: [`0x01${"00".repeat(31)}`] },
    "latest",
  ),
  request("a call of a blob transaction's type", "eth_call", { from: FIRST, to: TO, type: "0x3" }, "latest"),
  request("a call with an authorization list", "eth_call", { from: FIRST, to: TO, authorizationList: [] }, "latest"),
  request("a call of a poor account with a value", "eth_call", { from: POOR, to: TO, value: "0x1" }, "latest"),
  request("a call with overrides", "eth_call", { from: FIRST, to: TO }, "latest", {
    [TO]: { code: "0x602a60005260206000f3" },
  }),
  request("a call with overrides of a slot", "eth_call", { from: FIRST, to: TO }, "latest", {
    [TO]: { code: "0x60005460005260206000f3", stateDiff: { [`0x${"00".repeat(32)}`]: `0x${"01".repeat(32)}` } },
  }),
  request("a call with state and stateDiff", "eth_call", { from: FIRST, to: TO }, "latest", {
    [TO]: { state: {}, stateDiff: {} },
  }),
  request("a call with overrides of an unknown member", "eth_call", { from: FIRST, to: TO }, "latest", {
    [TO]: { nope: "0x" },
  }),
  request("a call with overrides of a short slot", "eth_call", { from: FIRST, to: TO }, "latest", {
    [TO]: { stateDiff: { "0x0": "0x1" } },
  }),
  request("a call with too many params", "eth_call", { from: FIRST, to: TO }, "latest", {}, {}, {}),
  after("a call that returns", RETURNS, ["eth_call", { from: FIRST, to: TO }, "latest"]),
  after("a call that reverts", REVERTS, ["eth_call", { from: FIRST, to: TO }, "latest"]),
  after("a call of a creation", ["eth_call", { from: FIRST, data: "0x602a60005260206000f3" }, "latest"]),
  after("a call of a creation that reverts", ["eth_call", { from: FIRST, data: "0x60006000fd" }, "latest"]),
  after("a call of a creation with code that begins with 0xef", [
    "eth_call",
    { from: FIRST, data: "0x60ef60005360016000f3" },
    "latest",
  ]),
  after("a call of a creation with too much code", ["eth_call", { from: FIRST, data: "0x6160016000f3" }, "latest"]),
  after("a call of a creation with too long init code", [
    "eth_call",
    { from: FIRST, data: `0x${"00".repeat(49_153)}` },
    "latest",
  ]),
  after("a call in a block before the code", RETURNS, ["evm_mine"], ["eth_call", { from: FIRST, to: TO }, "0x0"]),

  request("an estimate of nothing", "eth_estimateGas", {}),
  request("an estimate without params", "eth_estimateGas"),
  request("an estimate of a transfer", "eth_estimateGas", { from: FIRST, to: TO, value: "0x1" }),
  request("an estimate of a transfer in a block", "eth_estimateGas", { from: FIRST, to: TO, value: "0x1" }, "latest"),
  request("an estimate in a block that is not there", "eth_estimateGas", { from: FIRST, to: TO, value: "0x1" }, "0x64"),
  request("an estimate with too little gas", "eth_estimateGas", { from: FIRST, to: TO, gas: "0x5000" }),
  request("an estimate with both kinds of fees", "eth_estimateGas", {
    from: FIRST,
    to: TO,
    gasPrice: "0x1",
    maxFeePerGas: "0x1",
  }),
  request("an estimate with a tip above the cap", "eth_estimateGas", {
    from: FIRST,
    to: TO,
    maxFeePerGas: "0x5",
    maxPriorityFeePerGas: "0x6",
  }),
  request("an estimate of more value than there is", "eth_estimateGas", {
    from: FIRST,
    to: TO,
    value: "0xffffffffffffffffffffffff",
  }),
  request("an estimate of blobs", "eth_estimateGas", {
    from: FIRST,
    to: TO,
    blobs: [],
    blobVersionedHashes: [`0x01${"00".repeat(31)}`],
  }),
  after("an estimate of a revert", REVERTS, ["eth_estimateGas", { from: FIRST, to: TO }]),
  after("an estimate of a revert with gas", REVERTS, ["eth_estimateGas", { from: FIRST, to: TO, gas: "0x186a0" }]),
  {
    // Hardhat and Ganache need minutes.
    only: ["anvil"],
    ...after(
      "an estimate of a loop without end",
      ["hardhat_setCode", TO, "0x5b600056"],
      ["eth_estimateGas", { from: FIRST, to: TO }],
    ),
  },
  after("an estimate of an INVALID", ["hardhat_setCode", TO, "0xfe"], ["eth_estimateGas", { from: FIRST, to: TO }]),
  after("an estimate of too long init code", ["eth_estimateGas", { from: FIRST, data: `0x${"00".repeat(49_153)}` }]),
  after("an access list of a call that reverts", REVERTS, ["eth_createAccessList", { from: FIRST, to: TO }, "latest"]),
];
