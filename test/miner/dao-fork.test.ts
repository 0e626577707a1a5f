/** Blocks around the DAO fork on a chain that mines them itself (EIP-779). */
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { aNode } from "../support/a-node.ts";

const FORK = 2;
const LAST = FORK + 9;

const aForkedNode = (daoForkSupport: boolean): Promise<HindcastNode> => {
  const config = { chainId: 1, homesteadBlock: 0, daoForkBlock: FORK, daoForkSupport };
  return aNode({ genesis: { config, difficulty: "0x20000", gasLimit: "0x1c9c380" }, mining: "manual" });
};

/** Extra data of the blocks after genesis, as text. */
const extraDataOf = (node: HindcastNode): string[] =>
  Array.from({ length: Number(node.head.header.number) }, (_, index) =>
    Buffer.from(node.getBlock(BigInt(index + 1))?.header.extraData ?? []).toString(),
  );

const EXPECTED = Array.from({ length: LAST + 2 }, (_, index) => {
  const number = index + 1;
  return number >= FORK && number <= LAST ? "dao-hard-fork" : "";
});

describe("a chain that supports the DAO fork", () => {
  it("says so in the fork block and the nine after it, mined one by one or at once", async () => {
    const oneByOne = await aForkedNode(true);
    for (const _ of EXPECTED) await oneByOne.mine();
    expect(extraDataOf(oneByOne)).toEqual(EXPECTED);
    const atOnce = await aForkedNode(true);
    await atOnce.mine({ blocks: EXPECTED.length });
    expect(extraDataOf(atOnce)).toEqual(EXPECTED);
  });

  it("mines blocks that another node imports", async () => {
    const source = await aForkedNode(true);
    await source.mine({ blocks: EXPECTED.length });
    const copy = await aForkedNode(true);
    const file = new Uint8Array(Buffer.concat([...source.exportChain()]));
    expect(await copy.importChain(file)).toEqual({ imported: EXPECTED.length, known: 0 });
    expect(copy.head.hash).toEqual(source.head.hash);
  });
});

describe("a chain that does not support the DAO fork", () => {
  it("says nothing", async () => {
    const node = await aForkedNode(false);
    await node.mine({ blocks: EXPECTED.length });
    expect(extraDataOf(node)).toEqual(EXPECTED.map(() => ""));
  });
});
