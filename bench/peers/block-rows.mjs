// Rows that mine: what was mined is looked at, outside the clock.
import { mnemonicToAccount } from "viem/accounts";
import { call, receiptOf, until } from "./chain.mjs";
import { equal, hex } from "./checks.mjs";

const MNEMONIC = "test test test test test test test test test test test junk";
const GWEI = 1_000_000_000n;
const TRANSFERS = 500;
const RAW = 100;
const EMPTY_BLOCKS = 10_000;
/** Anvil takes a minute for 10,000 blocks. */
const SLOW_PART = 1_000;

const transfer = (node) => receiptOf(node.ask, { from: node.from, to: node.other, value: "0x1", gas: "0x5208" });

const tokens = (node) => call("Token", "transfer", node.other, 1n);

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

/** One batch over HTTP, one after the other in process. Ends when the last stands in a block; gives the hashes. */
async function sendRaw(node, signed) {
  const hashes = await (node.send === undefined ? sendInTurn(node, signed) : sendBatch(node, signed));
  await until(() => node.ask("eth_getTransactionReceipt", hashes.at(-1)));
  return hashes;
}

async function sendInTurn(node, signed) {
  const hashes = [];
  for (const raw of signed) hashes.push(await node.ask("eth_sendRawTransaction", raw));
  return hashes;
}

async function sendBatch(node, signed) {
  const requests = signed.map((raw, id) => ({ jsonrpc: "2.0", id, method: "eth_sendRawTransaction", params: [raw] }));
  const answers = JSON.parse(await node.send(JSON.stringify(requests)));
  const failed = answers.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(failed.error.message);
  return answers.sort((left, right) => left.id - right.id).map(({ result }) => result);
}

async function checkRaw(hashes, node) {
  equal(new Set(hashes).size, RAW, "transactions");
  for (const hash of hashes) {
    const { status } = await node.ask("eth_getTransactionReceipt", hash);
    equal(status, "0x1", "status of a raw transaction");
  }
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
  return until(async () => (await node.ask("eth_blockNumber")) !== before);
}

async function checkFullBlock(_answer, node) {
  const { number, transactions, gasUsed } = await node.ask("eth_getBlockByNumber", "latest", false);
  equal(transactions.length, TRANSFERS, "transfers in the block");
  equal(BigInt(gasUsed), BigInt(TRANSFERS) * 21_000n, "gas used");
  node.fullBlock = number;
}

async function snapshotAndRevert(node) {
  const id = await node.ask("evm_snapshot");
  const { transactionHash } = await transfer(node);
  const reverted = await node.ask("evm_revert", id);
  return { reverted, transactionHash };
}

const blocksOf = (node) => (node.name === "anvil" ? SLOW_PART : EMPTY_BLOCKS);

async function mine(node, before) {
  const blocks = blocksOf(node);
  if (node.name === "ganache") await node.ask("evm_mine", { blocks });
  else await node.ask("hardhat_mine", hex(blocks));
  return until(async () => BigInt(await node.ask("eth_blockNumber")) === before + BigInt(blocks));
}

/** Headers are there, and hold together. */
async function checkMined(_answer, node) {
  const blockAt = (number) => node.ask("eth_getBlockByNumber", hex(number), false);
  const head = BigInt(await node.ask("eth_blockNumber"));
  for (const number of [head, head - BigInt(blocksOf(node) / 2)]) {
    const [parent, block] = [await blockAt(number - 1n), await blockAt(number)];
    equal(block.parentHash, parent.hash, "parent of an empty block");
    equal(block.transactions.length, 0, "transactions of an empty block");
  }
}

export const blockRows = [
  {
    label: "automine transfer",
    runs: 50,
    run: transfer,
    check: ({ status, gasUsed }) => equal(`${status} ${BigInt(gasUsed)}`, "0x1 21000", "receipt"),
  },
  {
    label: "automined token transfer with its receipt",
    runs: 50,
    run: (node) => receiptOf(node.ask, { from: node.from, to: node.token, data: tokens(node), gas: "0x186a0" }),
    check: ({ status, logs }) => equal(`${status} ${logs.length}`, "0x1 1", "receipt"),
  },
  {
    label: "snapshot, transfer, revert",
    runs: 20,
    prepare: (node) => node.ask("eth_blockNumber"),
    run: async (node, before) => ({ ...(await snapshotAndRevert(node)), before }),
    check: async ({ reverted, transactionHash, before }, node) => {
      equal(reverted, true, "evm_revert");
      equal(await node.ask("eth_blockNumber"), before, "head after the revert");
      equal(await node.ask("eth_getTransactionReceipt", transactionHash), null, "receipt after the revert");
    },
  },
  {
    label: "100 raw transactions in one batch, automined",
    runs: 5,
    prepare: signedTransfers,
    run: sendRaw,
    check: checkRaw,
  },
  {
    label: "block of 500 transfers (evm_mine)",
    runs: 5,
    prepare: fillPool,
    run: mineFull,
    check: checkFullBlock,
    after: (node) => setAutomine(node, true),
  },
  {
    label: "trace_block, 500 transfers",
    runs: 15,
    request: (node) => ["trace_block", node.fullBlock],
    check: (traces, node) => {
      equal(traces.length, TRANSFERS, "traces");
      for (const { action } of traces) equal(action.to, node.other, "receiver");
    },
  },
  {
    label: "mine 10,000 empty blocks (Anvil: 1,000, times 10)",
    runs: 1,
    prepare: async (node) => BigInt(await node.ask("eth_blockNumber")),
    run: mine,
    times: (node) => EMPTY_BLOCKS / blocksOf(node),
    check: checkMined,
  },
];
