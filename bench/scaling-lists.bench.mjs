// Cost against the items of a list: methods whose params, or answers, are lists as long as the caller likes, at 1,000, 10,000
// and 100,000 items, with the bounds raised. The cost of an item should stay the same, within 1.5 times.
//
// Processor time of all threads, the lowest of the runs: the first collections of a list's garbage belong to it.
import { aNode, word } from "./chains.mjs";
import { summary } from "./measure.mjs";

export const name = "cost against items";

const LENGTHS = [1_000, 10_000, 100_000];
/** A method that takes longer for a list has no row for the next longer one. */
const LONGEST_MS = 15_000;
const GAS = 10n ** 12n;
const OPTIONS = {
  hardfork: "osaka",
  gasLimit: GAS,
  maxRequestValues: 10_000_000,
  limits: {
    ...{ callGasLimit: GAS, callTimeoutMs: 600_000, traceTimeoutMs: 600_000 },
    ...{ stateFileValues: 20_000_000, minedBlocks: 1_000_000 },
  },
};

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

/** By label: the request for a list of so many items, of a call `tx`. Those of `ON_FRESH` change the chain. */
const REQUESTS = {
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
const ON_FRESH = /^(anvil_loadState|hardhat_mine)/;

export async function rows() {
  const shared = await aNode(OPTIONS);
  const result = {};
  for (const [label, make] of Object.entries(REQUESTS)) {
    let first;
    for (const length of LENGTHS) {
      const times = [];
      const runs = length > 10_000 ? 2 : 4;
      for (let run = 0; run < runs; run++) times.push(await measureOnce(label, make, length, shared));
      const item = (Math.min(...times) * 1000) / length;
      if (length > LENGTHS[0]) first ??= item;
      const note = `${item.toFixed(2)} µs an item${first === undefined ? "" : `, ${(item / first).toFixed(2)} times that of 10,000`}`;
      result[`${label}: ${length.toLocaleString("en")}`] = { ...summary(times), note };
      if (Math.min(...times) > LONGEST_MS) break;
    }
  }
  await shared.node.close();
  return result;
}

/** Milliseconds of processor time. */
async function measureOnce(label, make, length, shared) {
  const chain = ON_FRESH.test(label) ? await aNode(OPTIONS) : shared;
  const request = make(length, { from: chain.from, to: chain.to, value: "0x1" });
  const before = process.cpuUsage();
  await chain.ask(...request);
  const { user, system } = process.cpuUsage(before);
  if (chain !== shared) await chain.node.close();
  return (user + system) / 1000;
}
