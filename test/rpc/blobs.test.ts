/** Blobs after their transaction was mined, and what comes without proof of work: Anvil's and Ganache's answers. */
import { expect, it } from "vitest";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { aServedNode, BOB, wordText } from "../support/a-node.ts";
import { blobTransaction } from "../support/payload-blobs.ts";
import { blobs } from "../support/signed-transactions.ts";

it("anvil_getBlobByHash and anvil_getBlobsByTransactionHash give the blobs of a mined transaction", async () => {
  const { node, plain } = await aServedNode({ hardfork: "cancun" });
  const [blob] = blobs(0).blobs as unknown as [{ readonly data: Hex }];
  const hash = await plain.ask<Hex>("eth_sendRawTransaction", blobTransaction(node, 0));
  expect(await plain.ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1", blobGasUsed: "0x20000" });
  const { blobVersionedHashes } = await plain.ask<{ blobVersionedHashes: Hex[] }>("eth_getTransactionByHash", hash);
  expect(await plain.ask("anvil_getBlobByHash", blobVersionedHashes[0])).toBe(blob.data);
  expect(await plain.ask("anvil_getBlobsByTransactionHash", hash)).toEqual([blob.data]);
  expect(await plain.ask("anvil_getBlobByHash", wordText(1))).toBeNull();
  expect(await plain.ask("anvil_getBlobsByTransactionHash", wordText(1))).toBeNull();
});

it("there is no work for miners", async () => {
  const { plain } = await aServedNode({ hardfork: "london" });
  expect(await plain.ask("eth_getWork")).toEqual([]);
  expect(await plain.ask("eth_submitWork", "0x0000000000000001", wordText(1), wordText(2))).toBe(false);
  expect(await plain.ask("eth_submitHashrate", "0x500000", wordText(1))).toBe(false);
});

it("evm_increaseBlocks mines so many blocks and answers the hash of the last", async () => {
  const { plain } = await aServedNode();
  const hash = await plain.ask("evm_increaseBlocks", "0x20");
  expect(await plain.ask("eth_getBlockByNumber", "latest", false)).toMatchObject({ number: "0x20", hash });
  expect(await plain.ask("evm_increaseBlocks", "0x0")).toBe(hash);
});

it("anvil_getGenesisTime is the first block's timestamp as a number", async () => {
  const { plain } = await aServedNode({ timestamp: 1_234_567 });
  await plain.ask("eth_sendTransaction", { to: BOB });
  expect(await plain.ask("anvil_getGenesisTime")).toBe(1_234_567);
});
