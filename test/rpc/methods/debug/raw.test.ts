/** Raw bytes have the hash in the JSON, and EthereumJS decodes them. */
import { RLP } from "@ethereumjs/rlp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeBlock, makeBlock } from "../../../../src/chainspec/header/block.ts";
import { decodeData, encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import { listRoot } from "../../../../src/state/trie/list-root.ts";
import { ALICE, aServedNode, BOB, type Json, openNode, type ServedNode, serve } from "../../../support/a-node.ts";
import { send } from "../../../support/contracts.ts";

const hashOf = (data: string): string => encodeData(keccak256(decodeData(data)));

describe.each(["frontier", "london", "osaka"])("the raw forms (%s)", (hardfork) => {
  let served: ServedNode;
  let block: Json;
  const ask = <T = unknown>(method: string, ...params: unknown[]): Promise<T> => served.plain.ask<T>(method, ...params);

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork, mining: "manual" }));
    for (const value of ["0x1", "0x2"]) await ask("eth_sendTransaction", { from: ALICE, to: BOB, value });
    await ask("evm_mine");
    block = await ask<Json>("eth_getBlockByNumber", "latest", false);
  });
  afterAll(() => served.node.close());

  it("of the header hashes to the block hash", async () => {
    expect(hashOf(await ask("debug_getRawHeader", "0x1"))).toBe(block.hash);
    expect(await ask("eth_getHeaderByNumber", "0x1")).toEqual(await ask("eth_getHeaderByHash", block.hash));
  });

  it("of the block begins with that header and has the announced size", async () => {
    const raw = await ask<string>("debug_getRawBlock", { blockHash: block.hash, requireCanonical: true });
    const [header] = RLP.decode(decodeData(raw)) as Uint8Array[];
    expect(encodeData(RLP.encode(header))).toBe(await ask("debug_getRawHeader", block.hash));
    expect(block.size).toBe(`0x${((raw.length - 2) / 2).toString(16)}`);
  });

  it("of the receipts makes the receipts root", async () => {
    const receipts = await ask<string[]>("debug_getRawReceipts", "latest");
    expect(encodeData(listRoot(receipts.map(decodeData)))).toBe(block.receiptsRoot);
  });

  it("of each transaction hashes to its hash, however it is asked for", async () => {
    expect(block.transactions).toHaveLength(2);
    for (const [index, hash] of (block.transactions as string[]).entries()) {
      const raw = await ask<string>("eth_getRawTransactionByHash", hash);
      expect(hashOf(raw)).toBe(hash);
      const position = `0x${index}`;
      expect(await ask("eth_getRawTransactionByBlockNumberAndIndex", "0x1", position)).toBe(raw);
      expect(await ask("eth_getRawTransactionByBlockHashAndIndex", block.hash, position)).toBe(raw);
      expect(await ask("debug_getRawTransaction", hash)).toBe(raw);
    }
  });

  it("of all transactions of a block are those of each, and none of an unknown block", async () => {
    const hashes = block.transactions as string[];
    const each = await Promise.all(hashes.map((hash) => ask("debug_getRawTransaction", hash)));
    expect(await ask("debug_getRawTransactions", "0x1")).toEqual(each);
    expect(await ask("debug_getRawTransactions", block.hash)).toEqual(each);
    expect(await ask("debug_getRawTransactions", "0x0")).toEqual([]);
    expect(await ask("debug_getRawTransactions", "0x99")).toEqual([]);
  });

  it("counts transactions and uncles", async () => {
    expect(await ask("eth_getBlockTransactionCountByNumber", "0x1")).toBe("0x2");
    expect(await ask("eth_getBlockTransactionCountByHash", block.hash)).toBe("0x2");
    expect(await ask("eth_getUncleCountByBlockNumber", "latest")).toBe("0x0");
    expect(await ask("eth_getUncleCountByBlockHash", block.hash)).toBe("0x0");
  });

  it("gives all receipts of a block as eth_getTransactionReceipt gives each", async () => {
    const receipts = await ask<Json[]>("eth_getBlockReceipts", { blockHash: block.hash });
    const each = (block.transactions as string[]).map((hash) => ask("eth_getTransactionReceipt", hash));
    expect(receipts).toEqual(await Promise.all(each));
  });
});

it("what is not there is null, and -32000 in the debug namespace but for transactions", async () => {
  const { plain } = await aServedNode();
  const unknown = `0x${"12".repeat(32)}`;
  for (const method of [
    "eth_getHeaderByHash",
    "eth_getBlockReceipts",
    "eth_getBlockTransactionCountByHash",
    "eth_getUncleCountByBlockHash",
    "eth_getRawTransactionByHash",
  ]) {
    expect(await plain.ask(method, unknown), method).toBeNull();
  }
  expect(await plain.ask("debug_getRawTransaction", unknown)).toBe("0x");
  expect(await plain.ask("eth_getHeaderByNumber", "0x7")).toBeNull();
  expect(await plain.ask("eth_getHeaderByNumber", "pending")).toBeNull();
  expect(await plain.ask("eth_getRawTransactionByBlockNumberAndIndex", "0x0", "0x0")).toBeNull();
  for (const method of ["debug_getRawBlock", "debug_getRawHeader", "debug_getRawReceipts"]) {
    expect(await plain.failure(method, unknown)).toMatchObject({ code: -32000, message: "header not found" });
  }
});

it("debug_getBadBlocks shows blocks that an import refused, the last ten, newest first", async () => {
  const { node: source } = await aServedNode();
  await send(source, { to: BOB, value: "0x1" });
  const { header, ...body } = source.head;
  const bad = (extra: number): Uint8Array =>
    encodeBlock(makeBlock({ ...header, extraData: Uint8Array.of(extra), stateRoot: new Uint8Array(32) }, body));
  const { node, plain } = await aServedNode();
  expect(await plain.ask("debug_getBadBlocks")).toEqual([]);
  for (let extra = 0; extra < 12; extra++) {
    await expect(node.importChain(bad(extra))).rejects.toMatchObject({ code: "BLOCK_REJECTED" });
  }
  const shown = await plain.ask<Json[]>("debug_getBadBlocks");
  expect(shown.map(({ rlp }) => rlp)).toEqual(Array.from({ length: 10 }, (_, index) => encodeData(bad(11 - index))));
  const [newest] = shown as [Json & { block: Json & { transactions: Json[] } }];
  expect(newest).toMatchObject({ hash: newest.block.hash, block: { number: "0x1", extraData: "0x0b" } });
  expect(newest.block.transactions).toMatchObject([{ to: BOB, blockHash: newest.hash }]);
  expect(await plain.ask("eth_getBlockByHash", newest.hash, false)).toBeNull();
});

it("debug_traceBadBlock traces a block that an import refused as debug_traceBlock traces its RLP", async () => {
  const { node: source } = await aServedNode();
  await send(source, { to: BOB, value: "0x1" });
  const { header, ...body } = source.head;
  const bad = encodeBlock(makeBlock({ ...header, stateRoot: new Uint8Array(32) }, body));
  const { node, plain } = await aServedNode();
  await expect(node.importChain(bad)).rejects.toMatchObject({ code: "BLOCK_REJECTED" });
  const [{ hash }] = await plain.ask<[Json]>("debug_getBadBlocks");
  const traces = await plain.ask<Json[]>("debug_traceBadBlock", hash, { tracer: "callTracer" });
  expect(traces).toMatchObject([{ result: { to: BOB, value: "0x1" } }]);
  expect(traces).toEqual(await plain.ask("debug_traceBlock", encodeData(bad), { tracer: "callTracer" }));
  await expect(plain.ask("debug_traceBadBlock", `0x${"11".repeat(32)}`)).rejects.toMatchObject({
    code: -32000,
    message: expect.stringContaining("not found"),
  });
});
