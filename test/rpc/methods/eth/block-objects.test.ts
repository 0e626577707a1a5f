/** Blocks named by the objects of EIP-1898, in every method whose block may be one (execution-apis#859). */
import { expect, it } from "vitest";
import { ALICE, aServedNode, BOB, wordText } from "../../../support/a-node.ts";

const UNKNOWN = wordText(0x77);
const METHODS: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  ["eth_call", [{ to: BOB }]],
  ["eth_simulateV1", [{ blockStateCalls: [{ calls: [{ to: BOB }] }] }]],
  ["eth_getBlockReceipts", []],
  ["eth_getBlockAccessList", []],
  ["eth_getBalance", [ALICE]],
  ["eth_getStorageAt", [ALICE, "0x0"]],
  ["eth_getStorageValues", [{ [ALICE]: [wordText(0)] }]],
  ["eth_getTransactionCount", [ALICE]],
  ["eth_getCode", [ALICE]],
  ["eth_getProof", [ALICE, []]],
];

it.each(METHODS)("%s takes a number, a tag and a hash, and not two of them", async (method, params) => {
  const { node, plain } = await aServedNode({ hardfork: "amsterdam" });
  await node.mine();
  await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1", gas: "0x989680" });
  const { hash: blockHash } = await plain.ask<{ hash: string }>("eth_getBlockByNumber", "0x2", false);
  await node.mine();
  const expected = await plain.ask(method, ...params, "0x2");
  for (const block of [{ blockNumber: "0x2" }, { blockHash }, { blockHash, requireCanonical: true }]) {
    expect(await plain.ask(method, ...params, block)).toEqual(expected);
  }
  expect(await plain.ask(method, ...params, { blockNumber: "latest" })).toEqual(
    await plain.ask(method, ...params, "0x3"),
  );
  const both = await plain.failure(method, ...params, { blockHash, blockNumber: "0x2" });
  expect(both).toMatchObject({
    code: -32602,
    message: expect.stringContaining("expected either blockHash or blockNumber"),
  });
  const other = await plain.failure(method, ...params, { blockHash, canonical: true });
  expect(other).toMatchObject({ code: -32602, message: expect.stringContaining('unknown member "canonical"') });
  const missing = plain.ask(method, ...params, { blockHash: UNKNOWN, requireCanonical: true });
  if (/Block(?:Receipts|AccessList)$/.test(method)) expect(await missing).toBeNull();
  else await expect(missing).rejects.toMatchObject({ code: -32000, message: "header not found" });
});

it.each(METHODS)(
  "%s refuses a side block if it must be canonical, and a missing one as missing",
  async (method, params) => {
    const { node, plain } = await aServedNode();
    await node.mine();
    const { hash: blockHash } = await plain.ask<{ hash: string }>("eth_getBlockByNumber", "latest", false);
    await plain.ask("anvil_reorg", 1);
    await plain.ask("evm_increaseTime", 60);
    await node.mine();
    const side = await plain.failure(method, ...params, { blockHash, requireCanonical: true });
    expect(side).toMatchObject({ code: -32000, message: expect.stringContaining("hash is not currently canonical") });
  },
);
