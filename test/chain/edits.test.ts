import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { addressText, BOB, type Json, openNode, quantity, wordText } from "../support/a-node.ts";
import { COUNTER, deploy, send } from "../support/contracts.ts";

const POOR = addressText(0x99);
const ETHER = 10n ** 18n;
const SLOT = new Uint8Array(32);

let dataDir: string;
let node: HindcastNode;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "hindcast-edits-"));
  node = await openNode({ dataDir });
});
afterEach(async () => {
  await node.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function reopen(options: NodeOptions = {}): Promise<void> {
  await node.close();
  node = await openNode({ dataDir, ...options });
}

const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
const word = (value: number): Uint8Array => decodeData(wordText(value));

describe("an edit between blocks", () => {
  it("of balance, nonce, code and storage shows at latest and pending, not before, and leaves the head block as it is", async () => {
    const address = decodeData(POOR);
    await node.mine();
    const { hash, header } = node.head;
    await node.setBalance(address, 5n);
    await node.setNonce(address, 7n);
    await node.setCode(address, COUNTER);
    await node.setStorageAt(address, SLOT, word(9));
    const at = (block: string): Promise<unknown[]> =>
      Promise.all([
        ask("eth_getBalance", POOR, block),
        ask("eth_getTransactionCount", POOR, block),
        ask("eth_getCode", POOR, block),
        ask("eth_getStorageAt", POOR, "0x0", block),
      ]);
    const edited = ["0x5", "0x7", encodeData(COUNTER), wordText(9)];
    expect(await at("latest")).toEqual(edited);
    expect(await at("pending")).toEqual(edited);
    expect(await at("0x0")).toEqual(["0x0", "0x0", "0x", wordText(0)]);
    expect(node.head.hash).toEqual(hash);
    expect(node.head.header.stateRoot).toEqual(header.stateRoot);
    expect(await ask("eth_call", { to: POOR })).toBe(wordText(10));
  });

  it("is what the next block starts from, and what calls at the block before it go on seeing", async () => {
    await node.mine();
    await node.setBalance(decodeData(POOR), ETHER);
    await node.mine();
    await node.setBalance(decodeData(POOR), 0n);
    await node.mine();
    const balances = await Promise.all(["0x0", "0x1", "0x2", "0x3"].map((block) => ask("eth_getBalance", POOR, block)));
    // Block 2 as its successor found it: after the second edit.
    expect(balances).toEqual(["0x0", quantity(ETHER), "0x0", "0x0"]);
    const pays = { from: POOR, to: BOB, value: "0x1" };
    expect(await ask("eth_call", pays, "0x1")).toBe("0x");
    await expect(ask("eth_call", pays, "0x2")).rejects.toThrow(/insufficient funds/);
  });

  it("of the last value survives a reopen, with and without a block after it", async () => {
    await node.mine();
    await node.setBalance(decodeData(POOR), 5n);
    await reopen();
    expect(await ask("eth_getBalance", POOR)).toBe("0x5");
    await node.mine();
    await reopen();
    expect(await ask("eth_getBalance", POOR)).toBe("0x5");
    expect(await ask("eth_getBalance", POOR, "0x1")).toBe("0x5");
  });

  it("is used by traces and replays, also after a reopen", async () => {
    const counter = await deploy(node, COUNTER);
    await node.setStorageAt(decodeData(counter), SLOT, word(41));
    const hash = await send(node, { to: counter });
    await node.setStorageAt(decodeData(counter), SLOT, word(0));
    await node.mine();
    const before = await ask("trace_transaction", hash);
    expect(before).toMatchObject([{ result: { output: wordText(42) } }]);
    const block = await ask("trace_block", "0x2");
    const replay = await ask("trace_replayTransaction", hash, ["stateDiff"]);
    expect((replay as { stateDiff: Json }).stateDiff[counter]).toMatchObject({
      storage: { [wordText(0)]: { "*": { from: wordText(41), to: wordText(42) } } },
    });
    await reopen();
    expect(await ask("trace_transaction", hash)).toEqual(before);
    expect(await ask("trace_block", "0x2")).toEqual(block);
    expect(await ask("trace_replayTransaction", hash, ["stateDiff"])).toEqual(replay);
  });

  it("comes back when the block that started from it is rolled back", async () => {
    await node.mine();
    await node.setBalance(decodeData(POOR), 5n);
    await node.mine();
    await node.rollback(1);
    expect(await ask("eth_getBalance", POOR)).toBe("0x5");
    await reopen();
    expect(await ask("eth_getBalance", POOR)).toBe("0x5");
    await node.mine();
    expect(await ask("eth_getBalance", POOR)).toBe("0x5");
  });

  it("is undone with the block it was made on", async () => {
    await node.mine({ blocks: 2 });
    await node.setBalance(decodeData(POOR), 5n);
    await node.rollback(1);
    expect(await ask("eth_getBalance", POOR)).toBe("0x0");
  });
});

describe("an impersonated sender", () => {
  it("is kept with its transaction: lookups, receipts and traces know it after a reopen", async () => {
    await node.setBalance(decodeData(POOR), ETHER);
    node.impersonate(decodeData(POOR));
    const hash = await send(node, { from: POOR, to: BOB, value: "0x5" });
    const answers = (): Promise<unknown[]> =>
      Promise.all([
        ask("eth_getTransactionByHash", hash),
        ask("eth_getTransactionReceipt", hash),
        ask("eth_getBlockByNumber", "0x1", true),
        ask("trace_transaction", hash),
      ]);
    const before = await answers();
    expect(before[0]).toMatchObject({ from: POOR });
    expect(before[1]).toMatchObject({ from: POOR, status: "0x1" });
    expect(before[3]).toMatchObject([{ action: { from: POOR, to: BOB, value: "0x5" } }]);
    await reopen();
    expect(await answers()).toEqual(before);
  });

  it("may be a contract, and is forgotten as such by a reopen", async () => {
    const counter = await deploy(node, COUNTER);
    await node.setBalance(decodeData(counter), ETHER);
    node.impersonate(decodeData(counter));
    const hash = await send(node, { from: counter, to: BOB, value: "0x1" });
    expect(await ask("trace_transaction", hash)).toMatchObject([{ action: { from: counter } }]);
    await reopen();
    await expect(send(node, { from: counter, to: BOB })).rejects.toThrow(/unknown account/);
    expect(await ask("trace_transaction", hash)).toMatchObject([{ action: { from: counter } }]);
  });

  it("sends nothing once it is no longer impersonated", async () => {
    await node.setBalance(decodeData(POOR), ETHER);
    node.impersonate(decodeData(POOR));
    node.stopImpersonating(decodeData(POOR));
    await expect(send(node, { from: POOR, to: BOB })).rejects.toThrow(/unknown account/);
  });
});

describe("exportChain()", () => {
  it("refuses a block that started from edits, names it, and writes nothing", async () => {
    await node.mine({ blocks: 2 });
    await node.setBalance(decodeData(POOR), 5n);
    await node.mine();
    const refusal =
      "Block 3 cannot be imported by another chain: it started from state that was edited between blocks.";
    expect(() => [...node.exportChain()]).toThrow(refusal);
    expect(() => node.exportChain()[Symbol.iterator]().next()).toThrow(refusal);
    expect([...node.exportChain({ to: 2n })]).toHaveLength(2);
    expect([...node.exportChain({ force: true })]).toHaveLength(3);
  });

  it("refuses a block with an impersonated transaction, also after a reopen", async () => {
    await send(node, { to: POOR, value: quantity(ETHER) });
    node.impersonate(decodeData(POOR));
    await send(node, { from: POOR, to: BOB, value: "0x1" });
    const refusal = "Block 2 cannot be imported by another chain: it holds impersonated transactions.";
    expect(() => [...node.exportChain()]).toThrow(refusal);
    await reopen();
    expect(() => [...node.exportChain()]).toThrow(refusal);
    expect([...node.exportChain({ force: true })]).toHaveLength(2);
  });

  it("takes edits since the last block for no reason to refuse", async () => {
    await node.mine();
    await node.setBalance(decodeData(POOR), 5n);
    expect([...node.exportChain()]).toHaveLength(1);
  });
});
