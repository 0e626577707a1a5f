/** A development chain whose first block has another number than zero, as Anvil's --number gives it. */
import { expect, it } from "vitest";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, BOB, type Json } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";

const FIRST = 1_000;

async function aChain(options: NodeOptions = {}) {
  const node = await aNode({ genesisNumber: FIRST, ...options });
  const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
  return { node, ask };
}

it("begins with that block and counts on from it", async () => {
  const { node, ask } = await aChain();
  expect(await ask("eth_blockNumber")).toBe("0x3e8");
  for (const tag of ["earliest", "safe", "finalized", "latest"]) {
    expect(await ask("eth_getBlockByNumber", tag, false)).toMatchObject({ number: "0x3e8" });
  }
  expect(await ask("eth_getBlockByNumber", "0x0", false)).toBeNull();
  const hash = await send(node, { to: BOB, value: "0x1" });
  expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ blockNumber: "0x3e9" });
  await node.mine({ blocks: 100 });
  expect(await ask("eth_getBlockByNumber", "finalized", false)).toMatchObject({ number: "0x40d" });
  expect(await ask("eth_getBalance", BOB, "0x3e8")).toBe("0x21e19e0c9bab2400000");
});

it.each(["frontier", "london", "osaka"])("traces, reverts and reorganises its first blocks (%s)", async (hardfork) => {
  const { node, ask } = await aChain({ hardfork });
  const snapshot = await ask("evm_snapshot");
  const hash = await send(node, { to: BOB, value: "0x1" });
  expect(await ask("trace_transaction", hash)).toMatchObject([{ action: { value: "0x1" }, blockNumber: 1_001 }]);
  expect(await ask("trace_replayBlockTransactions", "0x3e9", ["stateDiff"])).toHaveLength(1);
  expect(await ask("debug_traceTransaction", hash)).toMatchObject({ failed: false });
  expect(await ask("trace_block", "0x3e8")).toEqual([]);
  await expect(ask("debug_traceBlockByNumber", "0x3e8")).rejects.toThrow("genesis is not traceable");
  await node.reorg({ depth: 1, blocks: [[], []] });
  expect(node.head.header.number).toBe(1_002n);
  await ask("evm_revert", snapshot);
  expect(node.head.header.number).toBe(1_000n);
  expect(await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" })).toEqual([]);
  expect(await ask("trace_filter", { fromBlock: "0x0", fromAddress: [ALICE] })).toEqual([]);
  expect(await ask("eth_feeHistory", "0x5", "latest", [])).toMatchObject({ oldestBlock: "0x3e8" });
});

it("is kept in a folder, in a state file and in an exported file", async () => {
  const dataDir = await aFolder();
  const options = { dataDir, timestamp: 1_700_000_000 };
  const first = await aChain(options);
  await send(first.node, { to: BOB, value: "0x1" });
  await first.node.mine({ blocks: 40 });
  const { hash } = first.node.head;
  const state = await first.node.dumpState();
  const file = Buffer.concat([...first.node.exportChain()]);
  await first.node.close();
  const again = await aChain(options);
  expect(again.node.head.hash).toEqual(hash);
  await again.node.mine();
  expect(await again.ask("trace_block", "0x3e9")).toHaveLength(1);
  const loaded = await aChain({ timestamp: 1_700_000_000 });
  await loaded.node.loadState(state);
  expect(loaded.node.head.hash).toEqual(hash);
  const imported = await aChain({ timestamp: 1_700_000_000 });
  await imported.node.importChain(file);
  expect(imported.node.head.hash).toEqual(hash);
  await again.node.close();
  expect((await checkDataFolder({ ...options, genesisNumber: FIRST }, false)).found).toEqual([]);
  await expect(aNode({ ...options, genesisNumber: 7 })).rejects.toThrow("genesisNumber");
});

it("belongs to a development chain alone", async () => {
  const genesis: Json = { config: { chainId: 1 }, gasLimit: "0x1c9c380", alloc: {} };
  await expect(aNode({ genesis, genesisNumber: 5 })).rejects.toThrow("genesisNumber");
  await expect(aNode({ genesisNumber: -1 })).rejects.toThrow("a whole number below 2^53");
});
