// Traces and logs of mined transactions over HTTP: of one transaction, of a block of 500 transfers, of a range by
// address, and 10,000 logs. `first` makes traces of the calls that were recorded while the block was mined, the rest
// comes from what is kept of them.
import { aChainWithLogs, aNode, word } from "./chains.mjs";
import { keepAlive } from "./http.mjs";
import { measure } from "./measure.mjs";

export const name = "traces";

/** Emits LOG1 fifty times. */
const FIFTY_LOGS = "0x60325b806000528060206000a1600190038060025700";

export async function rows() {
  return { ...(await ofABlock()), ...(await ofARange()), ...(await ofManyLogs()) };
}

async function ofABlock() {
  const { node, ask, from, to } = await aNode();
  const { post, close } = await keepAlive(node);
  await ask("hardhat_setBlockGasLimit", "0x5f5e100").catch(() => undefined);
  await ask("evm_setAutomine", false);
  const blocks = [];
  for (let block = 0; block < 6; block++) {
    for (let index = 0; index < 500; index++) {
      await ask("eth_sendTransaction", { from, to, value: "0x1", gas: "0x5208" });
    }
    await ask("evm_mine");
    blocks.push(await ask("eth_getBlockByNumber", "latest", false));
  }
  if (blocks.some(({ transactions }) => transactions.length !== 500)) throw new Error("a block is not full");
  const [{ number, transactions }] = blocks;
  const rest = blocks.slice(1);
  const result = {
    "round trip": await measure(() => post("eth_chainId"), { runs: 300, warmUp: 100 }),
    "trace_block, 500 transfers, first": await measure((run) => post("trace_block", rest[run].number), {
      runs: rest.length,
      warmUp: 0,
    }),
    "trace_block, 500 transfers": await measure(() => post("trace_block", number), { runs: 60, warmUp: 10 }),
    trace_transaction: await measure(() => post("trace_transaction", transactions[7]), { runs: 300, warmUp: 50 }),
  };
  await close();
  await node.close();
  return result;
}

async function ofARange() {
  const { node, logger } = await aChainWithLogs({ blocks: 1000, every: 100 });
  const { post, close } = await keepAlive(node);
  const filter = { fromBlock: "0x1", toBlock: "latest", toAddress: [logger] };
  const result = {
    "trace_filter, 1,000 blocks, one address": await measure(() => post("trace_filter", filter), {
      runs: 50,
      warmUp: 5,
    }),
  };
  await close();
  await node.close();
  return result;
}

async function ofManyLogs() {
  const { node, ask, from } = await aNode();
  const { post, close } = await keepAlive(node);
  await ask("hardhat_setCode", `0x${"77".repeat(20)}`, FIFTY_LOGS);
  for (let index = 0; index < 200; index++) {
    await ask("eth_sendTransaction", { from, to: `0x${"77".repeat(20)}`, data: `0x${word(index)}`, gas: "0x30000" });
  }
  const filter = { fromBlock: "0x0", toBlock: "latest" };
  const { length } = await ask("eth_getLogs", filter);
  if (length !== 10_000) throw new Error(`expected 10,000 logs, got ${length}`);
  const result = {
    "eth_getLogs, 10,000 logs": await measure(() => post("eth_getLogs", filter), { runs: 30, warmUp: 5 }),
  };
  await close();
  await node.close();
  return result;
}
