import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { ALICE, aNode, aServedNode, BOB, type Json, PARITY_PATH, wordText } from "../support/a-node.ts";
import { aSocket } from "../support/a-socket.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";
import { saying } from "../support/saying.ts";
import { slowIt } from "../support/slow-suite.ts";

/** A served node with a contract that logs, and a socket. */
async function aListeningNode(path = "") {
  const { node, plain } = await aServedNode();
  const address = await deploy(node, EMITTER);
  const log = (topic: number) => send(node, { to: address, data: logCall([topic]), gas: "0x30d40" });
  return { node, plain, address, log, socket: await aSocket(plain.url + path) };
}

const header = async (node: HindcastNode, number: string): Promise<unknown> =>
  node.provider.send("eth_getHeaderByNumber", [number]);

describe("newHeads", () => {
  it("sends each new block's header, in order", async () => {
    const { node, socket } = await aListeningNode();
    const id = await socket.ask<string>("eth_subscribe", "newHeads");
    await node.mine({ blocks: 3 });
    const heads = await socket.until(id, 3);
    expect(heads).toEqual([await header(node, "0x2"), await header(node, "0x3"), await header(node, "0x4")]);
  });

  it("sends the new branch's headers after a reorg, and nothing when history is taken back", async () => {
    const { node, socket } = await aListeningNode();
    await node.mine({ blocks: 3 });
    const id = await socket.ask<string>("eth_subscribe", "newHeads");
    await node.rollback(1);
    await node.reorg({ depth: 1 });
    await node.mine();
    const numbers = (await socket.until(id, 2)).map((head) => (head as Json).number);
    expect(numbers).toEqual(["0x3", "0x4"]);
  });
});

describe("logs", () => {
  it("sends each log that matches, as eth_getLogs shows it", async () => {
    const { node, address, log, socket } = await aListeningNode();
    const wanted = await socket.ask<string>("eth_subscribe", "logs", { address, topics: [[wordText(1), wordText(3)]] });
    const all = await socket.ask<string>("eth_subscribe", "logs");
    for (const topic of [1, 2, 3]) await log(topic);
    const logs = (await node.provider.request({ method: "eth_getLogs", params: [{ fromBlock: "0x0" }] })) as unknown[];
    expect(await socket.until(all, 3)).toEqual(logs);
    expect(await socket.until(wanted, 2)).toEqual([logs[0], logs[2]]);
  });

  it("sends the removed ones first, lowest block first, and then the new ones", async () => {
    const { node, log, socket } = await aListeningNode();
    const id = await socket.ask<string>("eth_subscribe", "logs");
    await log(1);
    await log(2);
    const lost = await socket.until(id, 2);
    await node.reorg({ depth: 2, blocks: [[...(node.getBlock(2n)?.transactions ?? [])]] });
    const all = await socket.until(id, 5);
    expect(all.slice(2, 4)).toEqual(lost.map((each) => ({ ...(each as Json), removed: true })));
    expect(all[4]).toMatchObject({ topics: [wordText(1)], removed: false });
  });
});

describe("newPendingTransactions", () => {
  it("sends hashes or whole transactions as they become executable", async () => {
    const { plain } = await aServedNode({ mining: "manual" });
    const socket = await aSocket(plain.url);
    const hashes = await socket.ask<string>("eth_subscribe", "newPendingTransactions");
    const bodies = await socket.ask<string>("eth_subscribe", "newPendingTransactions", true);
    const asObject = await socket.ask<string>("eth_subscribe", "newPendingTransactions", { includeTransactions: true });
    const call = { from: ALICE, to: BOB, gas: "0x5208" };
    const second = await plain.ask("eth_sendTransaction", { ...call, nonce: "0x1" });
    const first = await plain.ask("eth_sendTransaction", { ...call, nonce: "0x0" });
    expect(await socket.until(hashes, 2)).toEqual([first, second]);
    const whole = [
      await plain.ask("eth_getTransactionByHash", first),
      await plain.ask("eth_getTransactionByHash", second),
    ];
    expect(await socket.until(bodies, 2)).toEqual(whole);
    expect(await socket.until(asObject, 2)).toEqual(whole);
  });

  it("come in the shape of the address", async () => {
    const { plain } = await aServedNode({ mining: "manual" });
    const socket = await aSocket(plain.url + PARITY_PATH);
    const id = await socket.ask<string>("eth_subscribe", "newPendingTransactions", true);
    await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB });
    expect(await socket.until(id, 1)).toMatchObject([{ condition: null, raw: expect.stringMatching(/^0x02/) }]);
  });
});

it("arguments take names without regard to case, and refuse what is nearly one", async () => {
  const { socket } = await aListeningNode();
  for (const [kind, argument, hint] of [
    ["logs", { adress: [] }, 'params[1]: unknown member "adress". Did you mean address?'],
    ["transactionReceipts", { transactionHash: [] }, "Did you mean transactionHashes?"],
    ["newPendingTransactions", { includeTransaction: true }, "expected true for whole transactions"],
  ] as const) {
    await expect(socket.ask("eth_subscribe", kind, argument)).rejects.toThrow(hint);
  }
  expect(await socket.ask("eth_subscribe", "logs", { Address: [] })).toMatch(/^0x/);
  await expect(socket.ask("eth_subscribe", "transactionReceipts", { transactionhashes: "none" })).rejects.toThrow(
    "params[1].transactionhashes: expected an array",
  );
});

describe("transactionReceipts", () => {
  it("sends the receipts of each block that has any, all or those asked for", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    const socket = await aSocket(plain.url);
    const all = await socket.ask<string>("eth_subscribe", "transactionReceipts");
    const sent = [];
    for (let count = 0; count < 3; count++) sent.push(await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB }));
    const filter = { transactionHashes: [sent[1], wordText(9)] };
    const some = await socket.ask<string>("eth_subscribe", "transactionReceipts", filter);
    await node.mine({ blocks: 2 });
    const receipts = await plain.ask<unknown[]>("eth_getBlockReceipts", "0x1");
    expect(await socket.until(all, 1)).toEqual([receipts]);
    expect(await socket.until(some, 1)).toEqual([[receipts[1]]]);
  });
});

it("syncing says at once that it is not", async () => {
  const { socket } = await aListeningNode();
  const id = await socket.ask<string>("eth_subscribe", "syncing");
  expect(await socket.until(id, 1)).toEqual([false]);
});

describe("a subscription", () => {
  it("is heard of only after the answer that names it, also from within a batch", async () => {
    const { plain } = await aServedNode();
    const socket = await aSocket(plain.url);
    const batch = [
      { jsonrpc: "2.0", id: "a", method: "eth_subscribe", params: ["newHeads"] },
      { jsonrpc: "2.0", id: "b", method: "evm_mine", params: [] },
    ];
    const both = new Promise<string[]>((resolve) => {
      const texts: string[] = [];
      socket.webSocket.removeAllListeners("message").on("message", (data: Buffer) => {
        texts.push(data.toString());
        if (texts.length === 2) resolve(texts);
      });
    });
    socket.webSocket.send(JSON.stringify(batch));
    const [answer, notification] = (await both).map((text) => JSON.parse(text) as Json);
    const [{ result }] = answer as unknown as [Json];
    expect(notification).toMatchObject({ method: "eth_subscription", params: { subscription: result } });
  });

  it("of a batch follows its answer, while earlier subscriptions of the connection come before it", async () => {
    const { plain } = await aServedNode();
    const socket = await aSocket(plain.url);
    const pending = await socket.ask<string>("eth_subscribe", "newPendingTransactions");
    const transfer = { jsonrpc: "2.0", method: "eth_sendTransaction", params: [{ from: ALICE, to: BOB }] };
    const batch = [
      { jsonrpc: "2.0", id: "a", method: "eth_subscribe", params: ["newHeads"] },
      { jsonrpc: "2.0", id: "b", method: "eth_subscribe", params: ["transactionReceipts"] },
      { ...transfer, id: "c" },
      { ...transfer, id: "d" },
    ];
    socket.webSocket.send(JSON.stringify(batch));
    const answered = (): number => socket.received.findIndex((each) => Array.isArray(each));
    while (answered() < 0) await new Promise(setImmediate);
    const [heads, receipts, first, second] = (socket.received[answered()] as unknown as Json[]).map(
      ({ result }) => result as string,
    );
    expect(socket.notifications(pending)).toEqual([first, second]);
    expect(socket.received.slice(1, answered()).every(({ method }) => method === "eth_subscription")).toBe(true);
    await socket.until(receipts ?? "", 2);
    const after = socket.received.slice(answered() + 1).map(({ params }) => (params as Json).subscription);
    expect(after).toEqual([heads, receipts, heads, receipts]);
  });

  it("is heard of also from within a batch whose answer is written in pieces", async () => {
    const { node, plain } = await aServedNode();
    const address = await deploy(node, EMITTER);
    const trace = [{ to: address, data: logCall([1]) }, "latest", {}];
    const socket = await aSocket(plain.url);
    const batch = [
      { jsonrpc: "2.0", id: "a", method: "debug_traceCall", params: trace },
      { jsonrpc: "2.0", id: "b", method: "eth_subscribe", params: ["newHeads"] },
    ];
    const answer = new Promise<Json[]>((resolve) => {
      socket.webSocket.once("message", (data: Buffer) => resolve(JSON.parse(data.toString()) as Json[]));
    });
    socket.webSocket.send(JSON.stringify(batch));
    const id = (await answer).find((each) => each.id === "b")?.result as string;
    await node.mine();
    expect(await socket.until(id, 1)).toHaveLength(1);
  });

  it("ends when its session unsubscribes, and belongs to nobody else", async () => {
    const { node, plain, socket } = await aListeningNode();
    const other = await aSocket(plain.url);
    const id = await socket.ask<string>("eth_subscribe", "newHeads");
    await expect(other.ask("eth_unsubscribe", id)).rejects.toMatchObject({
      code: -32000,
      message: saying("subscription not found"),
    });
    expect(await socket.ask("eth_unsubscribe", id)).toBe(true);
    await expect(socket.ask("eth_unsubscribe", id)).rejects.toMatchObject({ code: -32000 });
    await node.mine();
    await socket.ask("eth_blockNumber");
    expect(socket.notifications(id)).toEqual([]);
  });

  it("is forgotten with its connection", async () => {
    const { node, plain } = await aListeningNode();
    const gone = await aSocket(plain.url);
    await gone.ask("eth_subscribe", "newHeads");
    gone.close();
    const socket = await aSocket(plain.url);
    const id = await socket.ask<string>("eth_subscribe", "newHeads");
    await node.mine();
    expect(await socket.until(id, 1)).toHaveLength(1);
  });

  it("needs a connection to be told over, and a kind that there is", async () => {
    const { plain, socket } = await aListeningNode();
    expect(await plain.failure("eth_subscribe", "newHeads")).toMatchObject({
      code: -32601,
      message: saying("notifications not supported"),
    });
    await expect(socket.ask("eth_subscribe", "oldHeads")).rejects.toMatchObject({
      code: -32601,
      message: saying('no "oldHeads" subscription in eth namespace'),
    });
    await expect(socket.ask("eth_subscribe", "logs", { address: "0x12" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("params[1].address"),
    });
  });

  slowIt("is one of at most 1000 of its connection", async () => {
    const { socket } = await aListeningNode();
    await Promise.all(Array.from({ length: 1_000 }, () => socket.ask("eth_subscribe", "newHeads")));
    await expect(socket.ask("eth_subscribe", "newHeads")).rejects.toMatchObject({ code: -32005 });
  });
});

describe("the in-process provider", () => {
  it("has called its listeners when code that mined goes on, also right after the subscription", async () => {
    const node = await aNode();
    const messages: unknown[] = [];
    node.provider.on("message", (message) => messages.push((message as { data: { result: unknown } }).data.result));
    await node.provider.request({ method: "eth_subscribe", params: ["newHeads"] });
    await node.mine();
    expect(messages).toEqual([await header(node, "0x1")]);
    await node.provider.request({ method: "eth_subscribe", params: ["newPendingTransactions"] });
    const hash = await node.provider.request({ method: "eth_sendTransaction", params: [{ from: ALICE, to: BOB }] });
    expect(messages.slice(1)).toEqual([hash, await header(node, "0x2")]);
  });

  it("emits `message` events, after the id is known", async () => {
    const node = await aNode();
    const messages: unknown[] = [];
    node.provider.on("message", (message) => messages.push(message));
    const asked = node.provider.request({ method: "eth_subscribe", params: ["newHeads"] });
    const mined = node.mine();
    const subscription = await asked;
    expect(messages).toEqual([]);
    await mined;
    await new Promise(setImmediate);
    expect(messages).toEqual([{ type: "eth_subscription", data: { subscription, result: await header(node, "0x1") } }]);
    await node.provider.request({ method: "eth_unsubscribe", params: [subscription] });
    await node.mine();
    await new Promise(setImmediate);
    expect(messages).toHaveLength(1);
  });
});
