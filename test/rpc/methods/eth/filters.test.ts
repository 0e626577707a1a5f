import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, aServedNode, BOB, type Json, quantity, wordText } from "../../../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";

const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;

/** A node with a contract that logs, and a way to make it log a topic in a block of its own. */
async function aLoggingNode() {
  const node = await aNode();
  const address = await deploy(node, EMITTER);
  const log = (topic: number) => send(node, { to: address, data: logCall([topic]), gas: "0x30d40" });
  return { node, address, log };
}

const topicsOf = (logs: Json[]): unknown[] => logs.map(({ topics, removed }) => [...(topics as string[]), removed]);
const logged = (topic: number, removed = false): unknown[] => [wordText(topic), removed];

describe("eth_newFilter", () => {
  it("gives each log once, in order, from its installation on", async () => {
    const { node, log } = await aLoggingNode();
    await log(1);
    const id = await ask(node, "eth_newFilter", {});
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual([]);
    await log(2);
    await log(3);
    expect(topicsOf(await ask(node, "eth_getFilterChanges", id))).toEqual([logged(2), logged(3)]);
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual([]);
    await log(4);
    expect(topicsOf(await ask(node, "eth_getFilterChanges", id))).toEqual([logged(4)]);
  });

  it("gives logs as eth_getLogs does", async () => {
    const { node, log } = await aLoggingNode();
    const id = await ask(node, "eth_newFilter", {});
    await log(7);
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual(await ask(node, "eth_getLogs", {}));
  });

  it("looks for addresses, topics and block numbers", async () => {
    const { node, address, log } = await aLoggingNode();
    const next = (node.head.header.number + 1n) as bigint;
    const criteria: Record<string, Json> = {
      address: { address: [address, BOB] },
      otherAddress: { address: BOB },
      topic: { topics: [[wordText(2), wordText(3)]] },
      anyTopic: { topics: [null] },
      twoTopics: { topics: [null, wordText(2)] },
      first: { fromBlock: quantity(next), toBlock: quantity(next) },
      later: { fromBlock: quantity(next + 1n), toBlock: "latest" },
      sinceGenesis: { fromBlock: "earliest" },
    };
    const ids = new Map<string, unknown>();
    for (const [name, filter] of Object.entries(criteria)) ids.set(name, await ask(node, "eth_newFilter", filter));
    for (const topic of [1, 2, 3]) await log(topic);
    const seen: Record<string, unknown[]> = {};
    for (const [name, id] of ids) {
      const logs = await ask<Json[]>(node, "eth_getFilterChanges", id);
      seen[name] = logs.map(({ topics }) => Number((topics as string[])[0]));
    }
    expect(seen).toEqual({
      address: [1, 2, 3],
      otherAddress: [],
      topic: [2, 3],
      anyTopic: [1, 2, 3],
      twoTopics: [],
      first: [1],
      later: [2, 3],
      sinceGenesis: [1, 2, 3],
    });
  });

  it("after a reorg gives the lost logs as removed, lowest block first, and then the new ones", async () => {
    const { node, address, log } = await aLoggingNode();
    const id = await ask(node, "eth_newFilter", { address });
    await log(1);
    await log(2);
    await ask(node, "eth_getFilterChanges", id);
    const lost = await ask<Json[]>(node, "eth_getLogs", { fromBlock: "0x2" });
    await node.reorg({ depth: 2, blocks: [[...(node.getBlock(2n)?.transactions ?? [])], []] });
    const changes = await ask<Json[]>(node, "eth_getFilterChanges", id);
    expect(topicsOf(changes)).toEqual([logged(1, true), logged(2, true), logged(1)]);
    expect(changes.slice(0, 2)).toEqual(lost.map((each) => ({ ...each, removed: true })));
    expect(changes[2]?.blockHash).not.toBe(changes[0]?.blockHash);
  });

  it("gives logs as removed when history is taken back", async () => {
    const { node, log } = await aLoggingNode();
    const id = await ask(node, "eth_newFilter", {});
    await log(1);
    await log(2);
    await node.rollback(1);
    // Never polled in between: what came and went is told all the same.
    expect(topicsOf(await ask(node, "eth_getFilterChanges", id))).toEqual([logged(1), logged(2), logged(2, true)]);
  });

  it.each([
    ["a range backwards", { fromBlock: "0x5", toBlock: "0x4" }, "invalid block range params"],
    ["a range that ends before it begins", { fromBlock: "latest", toBlock: "0x4" }, "invalid block range params"],
    ["a moving bound", { fromBlock: "safe" }, "invalid block range params"],
    ["pending logs", { toBlock: "pending" }, "pending logs are not supported"],
  ])("refuses %s", async (_what, filter, message) => {
    await expect(ask(await aNode(), "eth_newFilter", filter)).rejects.toMatchObject({
      code: -32602,
      message: saying(message),
    });
  });
});

describe("eth_getFilterLogs", () => {
  it("gives all logs that the filter means, polled for or not", async () => {
    const { node, log } = await aLoggingNode();
    await log(1);
    const id = await ask(node, "eth_newFilter", { fromBlock: "0x0" });
    await log(2);
    await ask(node, "eth_getFilterChanges", id);
    expect(topicsOf(await ask(node, "eth_getFilterLogs", id))).toEqual([logged(1), logged(2)]);
  });

  it("knows no filter of another kind", async () => {
    const node = await aNode();
    const id = await ask(node, "eth_newBlockFilter");
    await expect(ask(node, "eth_getFilterLogs", id)).rejects.toMatchObject({
      code: -32000,
      message: saying("filter not found"),
    });
  });
});

describe("eth_newBlockFilter", () => {
  it("gives the hashes of new blocks in order, those of a reorg included", async () => {
    const node = await aNode();
    const id = await ask(node, "eth_newBlockFilter");
    const blocks = await node.mine({ blocks: 3 });
    const hashes = (list: readonly { hash: Uint8Array }[]): string[] => list.map(({ hash }) => encodeData(hash));
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual(hashes(blocks));
    const others = await node.reorg({ depth: 2 });
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual(hashes(others));
  });
});

describe("eth_newPendingTransactionFilter", () => {
  it("gives hashes of transactions as they become executable", async () => {
    const node = await aNode({ mining: "manual" });
    const id = await ask(node, "eth_newPendingTransactionFilter");
    const whole = await ask(node, "eth_newPendingTransactionFilter", true);
    const gapped = await send(node, { to: BOB, nonce: "0x1", gas: "0x5208" });
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual([]);
    const first = await send(node, { to: BOB, nonce: "0x0", gas: "0x5208" });
    expect(await ask(node, "eth_getFilterChanges", id)).toEqual([first, gapped]);
    const bodies = await ask<Json[]>(node, "eth_getFilterChanges", whole);
    expect(bodies).toMatchObject([{ hash: first, from: ALICE, blockHash: null }, { hash: gapped }]);
  });
});

describe("a filter", () => {
  it("is gone once it is uninstalled, and not twice", async () => {
    const { plain } = await aServedNode();
    const id = await plain.ask("eth_newBlockFilter");
    expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{0,31}$/);
    expect(await plain.ask("eth_uninstallFilter", id)).toBe(true);
    expect(await plain.ask("eth_uninstallFilter", id)).toBe(false);
    expect(await plain.failure("eth_getFilterChanges", id)).toMatchObject({
      code: -32000,
      message: saying("filter not found"),
    });
  });
});
