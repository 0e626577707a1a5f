/** Reading blocks and accounts without JSON. */
import { expect, it } from "vitest";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { aNode } from "../support/a-node.ts";
import { deploy } from "../support/contracts.ts";

it("gives the receipts of a block, and none of one that left", async () => {
  const node = await aNode();
  const start = await node.snapshot();
  await deploy(node, decodeData("0x00"));
  const { head } = node;
  expect(node.getReceipts(head)).toMatchObject([{ status: true, contractAddress: expect.any(Uint8Array) }]);
  expect(node.getReceipts(await node.mine().then(([block]) => block as never))).toEqual([]);
  await node.revert(start);
  expect(node.getReceipts(head)).toEqual([]);
});

it("gives an account's code after the head", async () => {
  const node = await aNode();
  const contract = decodeData(await deploy(node, decodeData("0x6000")));
  expect(await node.getCode(contract)).toEqual(decodeData("0x6000"));
  expect(await node.getCode(new Uint8Array(20).fill(7))).toEqual(new Uint8Array(0));
});
