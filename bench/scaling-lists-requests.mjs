// Requests of scaling-lists.bench.mjs: methods whose params, or answers, are lists as long as the caller likes.
import { word } from "./chains.mjs";

/** Items of the lists. */
export const LENGTHS = [1_000, 10_000, 100_000];

const slot = (index) => `0x${word(index)}`;
const address = (index) => `0x${(BigInt(index) * 7919n + (1n << 156n)).toString(16).padStart(40, "0")}`;
const list = (length, make) => Array.from({ length }, (_, index) => make(index));
const members = (length, make) => Object.fromEntries(list(length, make));

function stateFile(accounts) {
  const block = { number: "0x0", coinbase: address(0), timestamp: "0x1", gas_limit: "0x1c9c380", basefee: 0 };
  const file = { accounts, block: { ...block, difficulty: "0x0", prevrandao: slot(0) }, best_block_number: 0 };
  return `0x${Buffer.from(JSON.stringify(file)).toString("hex")}`;
}

const anAccount = (code = "0x", storage = {}) => ({ nonce: 1, balance: "0x5", code, storage });
const typed = (type, types, v) => ({
  types: { EIP712Domain: [], List: [{ name: "v", type }], ...types },
  ...{ primaryType: "List", domain: {}, message: { v } },
});

/** By label: the request for a list of so many items, of a call `tx`. */
export const REQUESTS = {
  "eth_getLogs, addresses": (n) => ["eth_getLogs", { fromBlock: "0x0", address: list(n, address) }],
  "eth_getLogs, topics": (n) => ["eth_getLogs", { fromBlock: "0x0", topics: [list(n, slot)] }],
  "trace_filter, addresses": (n) => ["trace_filter", { fromBlock: "0x0", toAddress: list(n, address) }],
  "eth_call, overridden accounts": (n, tx) => [
    "eth_call",
    ...[tx, "latest", members(n, (i) => [address(i), { balance: "0x1" }])],
  ],
  "eth_call, overridden codes": (n, tx) => [
    "eth_call",
    ...[tx, "latest", members(n, (i) => [address(i), { code: `0x60${word(i)}` }])],
  ],
  "eth_call, overridden slots": (n, tx) => [
    "eth_call",
    ...[tx, "latest", { [tx.to]: { state: members(n, (i) => [slot(i), slot(i + 1)]) } }],
  ],
  "eth_call, access list of accounts": (n, tx) => [
    "eth_call",
    ...[{ ...tx, accessList: list(n, (i) => ({ address: address(i), storageKeys: [] })) }, "latest"],
  ],
  "eth_createAccessList, slots": (n, tx) => [
    "eth_createAccessList",
    ...[{ ...tx, accessList: [{ address: tx.to, storageKeys: list(n, slot) }] }, "latest"],
  ],
  "eth_estimateGas, overridden accounts": (n, tx) => [
    "eth_estimateGas",
    ...[tx, "latest", members(n, (i) => [address(i), { balance: "0x1" }])],
  ],
  "eth_callMany, calls": (n, tx) => ["eth_callMany", [{ transactions: list(n, () => tx) }], {}],
  "debug_traceCallMany, calls": (n, tx) => [
    "debug_traceCallMany",
    ...[[{ transactions: list(n, () => tx) }], {}, { tracer: "callTracer" }],
  ],
  "trace_callMany, calls to other accounts": (n, tx) => [
    "trace_callMany",
    ...[list(n, (i) => [{ ...tx, to: address(i) }, ["trace", "stateDiff"]]), "latest"],
  ],
  "eth_simulateV1, calls to other accounts": (n, tx) => [
    "eth_simulateV1",
    ...[{ blockStateCalls: [{ calls: list(n, (i) => ({ ...tx, to: address(i) })) }] }, "latest"],
  ],
  "tenderly_simulateBundle, calls": (n, tx) => ["tenderly_simulateBundle", list(n, () => tx), "latest"],
  "eth_fillTransaction, slots": (n, tx) => [
    "eth_fillTransaction",
    { ...tx, gas: `0x${(10n ** 10n).toString(16)}`, accessList: [{ address: tx.to, storageKeys: list(n, slot) }] },
  ],
  "eth_signTypedData_v4, numbers": (n, { from }) => [
    "eth_signTypedData_v4",
    ...[
      from,
      typed(
        "uint256[]",
        {},
        list(n, (i) => i),
      ),
    ],
  ],
  "eth_signTypedData_v4, structs": (n, { from }) => [
    "eth_signTypedData_v4",
    ...[
      from,
      typed(
        "Item[]",
        { Item: [{ name: "x", type: "uint256" }] },
        list(n, (x) => ({ x })),
      ),
    ],
  ],
  "anvil_loadState, accounts": (n) => ["anvil_loadState", stateFile(members(n, (i) => [address(i), anAccount()]))],
  "anvil_loadState, codes": (n) => [
    "anvil_loadState",
    stateFile(members(n, (i) => [address(i), anAccount(`0x60${word(i)}`)])),
  ],
  "anvil_loadState, slots": (n, { to }) => [
    "anvil_loadState",
    stateFile({
      [to]: anAccount(
        "0x",
        members(n, (i) => [slot(i), slot(i + 1)]),
      ),
    }),
  ],
  "hardhat_mine, empty blocks": (n) => ["hardhat_mine", `0x${n.toString(16)}`],
};

/** Labels of the requests that change the chain. */
export const CHANGES_CHAIN = /^(anvil_loadState|hardhat_mine)/;
