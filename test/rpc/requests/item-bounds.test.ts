/** Bounds of what a client sends as RLP: a block to trace, transactions to send, to trace and to bundle. */
import { expect, it } from "vitest";
import { createNode } from "../../../src/index.ts";
import { concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";

/** A list of items of one byte each, which is its own encoding. */
function listOf(items: number): string {
  const size = items.toString(16);
  const bytes = Buffer.from(size.padStart(size.length + (size.length & 1), "0"), "hex");
  return encodeData(concatBytes(Uint8Array.of(0xf7 + bytes.length, ...bytes), new Uint8Array(items).fill(1)));
}
const inTransaction = "The transaction has more than 50000 items of RLP.";

it.each<[string, (raw: string) => unknown[]]>([
  ["eth_sendRawTransaction", (raw) => [raw]],
  ["eth_sendRawTransactionSync", (raw) => [raw]],
  ["trace_rawTransaction", (raw) => [raw, ["trace"]]],
  ["eth_callBundle", (raw) => [{ txs: [raw], blockNumber: "0x1", stateBlockNumber: "latest" }]],
  ["anvil_reorg", (raw) => [1, [[raw, 0]]]],
])("%s refuses a transaction of more items than any wallet makes", async (method, paramsOf) => {
  await using node = await createNode();
  await node.provider.request({ method: "anvil_mine", params: ["0x2"] });
  const send = (raw: string): Promise<unknown> =>
    node.provider.request({ method: method as "eth_blockNumber", params: paramsOf(raw) as never });
  // The list is an item, too.
  const error = await send(listOf(50_000)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: -32005, message: expect.stringContaining(inTransaction) });
  const typed = await send(`0x02${listOf(50_001).slice(2)}`).catch((thrown: unknown) => thrown);
  expect(typed).toMatchObject({ code: -32005, message: expect.stringContaining(inTransaction) });
  await expect(send(listOf(49_999))).rejects.toThrow("it has not the members of its type");
});

it("debug_traceBlock refuses a block of more items than an imported one may have", async () => {
  await using node = await createNode();
  const send = (raw: string): Promise<unknown> =>
    node.provider.request({ method: "debug_traceBlock", params: [raw as `0x${string}`] });
  const error = await send(listOf(1_000_000)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: -32005,
    message: expect.stringContaining("The block has more than 1000000 items of RLP."),
  });
  await expect(send(listOf(10_000))).rejects.toThrow("a block is a list of header, transactions, uncles");
});
