import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../support/a-folder.ts";
import { aNode, BOB, NOBODY } from "../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../support/contracts.ts";

const nobody = decodeData(NOBODY);
const logsOf = async (node: HindcastNode): Promise<number> =>
  (await node.provider.request({ method: "eth_getLogs", params: [{ fromBlock: "0x0" }] })).length;
const balanceOf = async (node: HindcastNode): Promise<bigint> =>
  BigInt(await node.provider.request({ method: "eth_getBalance", params: [NOBODY] }));

describe.each([
  ["in memory", async () => aNode()],
  ["on disk", async () => aNode({ dataDir: await aFolder() })],
] as const)("node.branch() of a chain %s", (_where, open) => {
  it("begins with its chain, edits and time, and then goes its own way", async () => {
    const node = await open();
    const emitter = await deploy(node, EMITTER);
    const shared = await send(node, { to: emitter, data: logCall([1]) });
    await node.setBalance(nobody, 5n);
    await node.time.increase(50n);
    const branch = await node.branch();
    expect([branch.head.hash, branch.time.now, await balanceOf(branch)]).toEqual([node.head.hash, node.time.now, 5n]);

    await send(branch, { to: emitter, data: logCall([2]) });
    await branch.setBalance(nobody, 6n);
    await node.mine({ blocks: 4 });
    expect([node.head.header.number, branch.head.header.number]).toEqual([6n, 3n]);
    expect([await balanceOf(node), await balanceOf(branch)]).toEqual([5n, 6n]);
    expect([await logsOf(node), await logsOf(branch)]).toEqual([1, 2]);
    expect(branch.getBlock(node.head.hash)).toBeUndefined();
    expect(node.getBlock(branch.head.hash)).toBeUndefined();
    const params = [shared] as const;
    expect(await branch.provider.request({ method: "trace_transaction", params })).toEqual(
      await node.provider.request({ method: "trace_transaction", params }),
    );
  });

  it("may leave the history it shares without a trace in the other", async () => {
    const node = await open();
    const emitter = await deploy(node, EMITTER);
    const hash = await send(node, { to: emitter, data: logCall([1]) });
    const branch = await node.branch();
    await branch.rollback(2);
    await branch.provider.request({ method: "anvil_dropAllTransactions" });
    await branch.mine({ blocks: 3 });
    const lookUp = (of: HindcastNode) => of.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    expect([await lookUp(node), await lookUp(branch)]).toMatchObject([{ blockNumber: "0x2" }, null]);
    expect([await logsOf(node), await logsOf(branch)]).toEqual([1, 0]);
  });

  it("keeps its history when the other leaves it", async () => {
    const node = await open();
    const hash = await send(node, { to: BOB });
    const branch = await node.branch();
    await node.reorg({ depth: 1 });
    const receipt = await branch.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    expect(receipt).toMatchObject({ blockNumber: "0x1" });
  });

  it("has branches of its own, and ends with the chain it came from", async () => {
    const node = await open();
    await node.mine();
    const branch = await node.branch();
    await branch.mine();
    const twig = await branch.branch();
    await twig.mine();
    expect([node, branch, twig].map(({ head }) => head.header.number)).toEqual([1n, 2n, 3n]);
    await node.close();
    await expect(twig.provider.request({ method: "eth_blockNumber" })).rejects.toMatchObject({ code: 4900 });
  });
});
