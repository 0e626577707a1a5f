// What is measured on every node. A row that a node cannot do throws on it, and its cell stays empty.
import { mnemonicToAccount } from "viem/accounts";
import { call, DENSE_LOGS, MATCHES, receiptOf, SLOTS } from "./chain.mjs";

const MNEMONIC = "test test test test test test test test test test test junk";
const GWEI = 1_000_000_000n;
const hex = (value) => `0x${value.toString(16)}`;
const TRANSFERS = 500;
const RAW = 100;
/** Anvil answers trace_filter for so many blocks at most. */
const TRACE_FILTER_LIMIT = 250;

/** A row of eth_call. */
const calling = (label, target, name, args, runs, gas = 50_000_000) => ({
  label,
  runs,
  run: async (node) => {
    const contract = { token: "Token", pair: "Pair", work: "Work" }[target];
    const data = call(contract, name, ...args(node));
    const result = await node.ask("eth_call", { from: node.from, to: node[target], data, gas: hex(gas) }, "latest");
    if (result.length < 2) throw new Error(`${label}: no result`);
  },
});

async function setAutomine(node, enabled) {
  if (node.name === "ganache") await node.ask(enabled ? "miner_start" : "miner_stop");
  else await node.ask("evm_setAutomine", enabled);
}

/** Raw transfers of an account of its own, signed before the clock starts. */
async function signedTransfers(node) {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: 3 });
  const nonce = Number(await node.ask("eth_getTransactionCount", account.address, "latest"));
  const sign = (index) =>
    account.signTransaction({
      chainId: 31337,
      type: "eip1559",
      to: node.other,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 100n * GWEI,
      maxPriorityFeePerGas: GWEI,
      nonce: nonce + index,
    });
  return Promise.all(Array.from({ length: RAW }, (_, index) => sign(index)));
}

async function sendRaw(node, signed) {
  let last;
  if (node.post === undefined) for (const raw of signed) last = await node.ask("eth_sendRawTransaction", raw);
  else {
    const requests = signed.map((raw, id) => ({ jsonrpc: "2.0", id, method: "eth_sendRawTransaction", params: [raw] }));
    const answers = JSON.parse(await node.post(JSON.stringify(requests)));
    const failed = answers.find(({ error }) => error !== undefined);
    if (failed !== undefined) throw new Error(failed.error.message);
    last = answers.find(({ id }) => id === RAW - 1).result;
  }
  while ((await node.ask("eth_getTransactionReceipt", last)) === null);
}

async function fillPool(node) {
  await setAutomine(node, false);
  const [, , from] = await node.ask("eth_accounts");
  const nonce = Number(await node.ask("eth_getTransactionCount", from, "latest"));
  const tx = { from, to: node.other, value: "0x1", gas: "0x5208", maxFeePerGas: hex(100n * GWEI) };
  for (let index = 0; index < TRANSFERS; index++) {
    await node.ask("eth_sendTransaction", { ...tx, maxPriorityFeePerGas: hex(GWEI), nonce: hex(nonce + index) });
  }
}

/** Ganache mines an empty block on demand while it is stopped: there, what waits is mined by starting it. */
async function mineFull(node) {
  if (node.name !== "ganache") return node.ask("evm_mine");
  const before = await node.ask("eth_blockNumber");
  await node.ask("miner_start");
  while ((await node.ask("eth_blockNumber")) === before);
}

async function checkBlockOfTransfers(node) {
  await setAutomine(node, true);
  const { number, transactions } = await node.ask("eth_getBlockByNumber", "latest", false);
  if (transactions.length !== TRANSFERS) throw new Error(`${node.name} mined ${transactions.length} transfers`);
  node.fullBlock = number;
}

async function traceFilter(node, blocks) {
  const last = node.sparse.toBlock;
  const first = last - BigInt(blocks) + 1n;
  const size = node.name === "anvil" ? TRACE_FILTER_LIMIT : blocks;
  let found = 0;
  for (let from = first; from <= last; from += BigInt(size)) {
    const range = { fromBlock: hex(from), toBlock: hex(from + BigInt(size) - 1n) };
    found += (await node.ask("trace_filter", { ...range, toAddress: [node.noted] })).length;
  }
  if (found === 0) throw new Error("trace_filter found nothing");
}

const logsOf = (range, address, count) => async (node) => {
  const { fromBlock, toBlock } = node[range];
  const filter = { fromBlock: hex(fromBlock), toBlock: hex(toBlock), address: node[address] };
  const { length } = await node.ask("eth_getLogs", filter);
  if (length !== count) throw new Error(`${node.name} found ${length} logs, not ${count}`);
};

function callsOf({ from, other, token, pair, work }) {
  const tx = (to, data) => [{ from, to, data, gas: hex(5_000_000) }, ["trace", "vmTrace", "stateDiff"]];
  return [
    tx(token, call("Token", "transfer", other, 5n)),
    tx(token, call("Token", "approve", pair, 10n ** 20n)),
    tx(pair, call("Pair", "swap", 10n ** 18n)),
    tx(pair, call("Pair", "swap", 10n ** 17n)),
    tx(work, call("Work", "nest", 3n)),
  ];
}

async function mine(node, blocks) {
  const before = BigInt(await node.ask("eth_blockNumber"));
  if (node.name === "ganache") await node.ask("evm_mine", { blocks });
  else await node.ask("hardhat_mine", hex(blocks));
  while (BigInt(await node.ask("eth_blockNumber")) < before + BigInt(blocks));
}

const transfer = (node) => receiptOf(node.ask, { from: node.from, to: node.other, value: "0x1", gas: "0x5208" });

/** In the order of the table; those that lengthen the chain come last. */
export const ROWS = [
  { label: "round trip (eth_chainId)", runs: 200, run: (node) => node.ask("eth_chainId") },
  calling("small call", "work", "one", () => [], 200),
  calling("token transfer call", "token", "transfer", ({ other }) => [other, 5n], 200),
  calling("swap call, constant-product pair", "pair", "swap", () => [10n ** 18n], 100),
  calling("loop of 1 M gas", "work", "spin", () => [1_000_000n], 15),
  calling("loop of 30 M gas", "work", "spin", () => [30_000_000n], 3),
  calling("keccak256 x 5,000", "work", "hashes", () => [5_000n], 7),
  calling("1,000 cold SSTORE", "work", "storeCold", () => [1_000_000n, 1_000n], 15),
  calling("1,000 cold SLOAD", "work", "loadCold", () => [0n, BigInt(SLOTS)], 15),
  calling("1,000 warm SSTORE", "work", "storeWarm", () => [1_000n], 15),
  calling("1,000 warm SLOAD", "work", "loadWarm", () => [1_000n], 15),
  calling("nested calls, 50 deep", "work", "nest", () => [50n], 15),
  {
    label: "trace_transaction (swap)",
    runs: 50,
    run: async (node) => {
      if ((await node.ask("trace_transaction", node.swap)).length < 5) throw new Error("too few traces");
    },
  },
  { label: "trace_filter, 250 blocks, one address", runs: 30, run: (node) => traceFilter(node, TRACE_FILTER_LIMIT) },
  { label: "trace_filter, 1,000 blocks (Anvil: 4 requests)", runs: 20, run: (node) => traceFilter(node, 1_000) },
  {
    label: "trace_callMany, 5 dependent calls, all types",
    runs: 15,
    run: async (node) => {
      if ((await node.ask("trace_callMany", callsOf(node), "latest")).length !== 5) throw new Error("not 5 results");
    },
  },
  {
    label: "struct log, 200,000 steps",
    runs: 3,
    run: async ({ forSteps }) => {
      const { structLogs } = await forSteps.ask("debug_traceTransaction", forSteps.steps, {});
      if (structLogs.length < 200_000) throw new Error(`${structLogs.length} steps`);
    },
  },
  { label: "getLogs, 10 of 2,000 blocks", runs: 50, run: logsOf("sparse", "noted", MATCHES) },
  { label: "getLogs, 10,000 logs", runs: 7, run: logsOf("dense", "work", DENSE_LOGS) },
  { label: "automine transfer", runs: 50, run: transfer },
  {
    label: "snapshot, transfer, revert",
    runs: 20,
    run: async (node) => {
      const id = await node.ask("evm_snapshot");
      await transfer(node);
      if ((await node.ask("evm_revert", id)) !== true) throw new Error("not reverted");
    },
  },
  {
    label: "100 raw transactions in one batch, automined",
    runs: 5,
    prepare: signedTransfers,
    run: sendRaw,
  },
  {
    label: "block of 500 transfers (evm_mine)",
    runs: 5,
    prepare: fillPool,
    run: mineFull,
    after: checkBlockOfTransfers,
  },
  {
    label: "trace_block, 500 transfers",
    runs: 15,
    run: async (node) => {
      if ((await node.ask("trace_block", node.fullBlock)).length !== TRANSFERS) throw new Error("not all traces");
    },
  },
  { label: "mine 1,000 empty blocks", runs: 1, run: (node) => mine(node, 1_000) },
  { label: "mine 10,000 empty blocks", runs: 1, run: (node) => mine(node, 10_000) },
];
