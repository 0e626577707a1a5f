/** Blobs after their transaction was mined, and what comes without proof of work: Anvil's and Ganache's answers. */
import { expect, it } from "vitest";
import type { Hex } from "../../../../src/primitives/bytes/hex.ts";
import { aServedNode, BOB, wordText } from "../../../support/a-node.ts";
import { blobTransaction } from "../../../support/payload-blobs.ts";
import { blobs } from "../../../support/signed-transactions.ts";

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

it.each([
  ["blobs", { blobs: [`0x${"00".repeat(131_072)}`] }, "blobs: this node makes no transactions of blobs"],
  ["commitments", { commitments: [`0x${"c0".repeat(48)}`] }, "commitments: this node makes no transactions of blobs"],
  ["proofs", { proofs: [] }, "proofs: this node makes no transactions of blobs"],
  [
    "a blob fee without blobs",
    { maxFeePerBlobGas: "0x1" },
    "maxFeePerBlobGas is specified for a transaction without blobs",
  ],
  ["a blob fee of zero", { maxFeePerBlobGas: "0x0" }, "maxFeePerBlobGas, if specified, must be non-zero"],
  [
    "hashes in a transaction that authorizes",
    {
      ...{ gas: "0x30000", blobVersionedHashes: [`0x01${"11".repeat(31)}`], maxFeePerBlobGas: "0x1" },
      authorizationList: [{ chainId: "0x0", address: BOB, nonce: "0x0", yParity: "0x0", r: "0x1", s: "0x1" }],
    },
    "a transaction of type 4 cannot have this maxFeePerBlobGas",
  ],
])("%s in a transaction to be made is refused in words, not left out", async (_what, members, message) => {
  const { plain } = await aServedNode();
  for (const method of [
    "eth_sendTransaction",
    "eth_signTransaction",
    "eth_fillTransaction",
    "eth_sendUnsignedTransaction",
  ]) {
    expect(await plain.failure(method, { to: BOB, ...members })).toMatchObject({
      message: expect.stringContaining(message),
    });
  }
  expect(await plain.ask("eth_blockNumber")).toBe("0x0");
});
