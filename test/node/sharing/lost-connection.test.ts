/** Readers and writers that end, begin again and lose each other. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, BOB } from "../../support/a-node.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { aWire } from "./a-wire.ts";
import { allTheSame } from "./same-answers.ts";
import { aReader, ask, aWriter, outcome, statusOf, TOKEN } from "./shared-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };

// They wait for connections: one beside the other.
describe.concurrent("a reader that lost its writer", () => {
  it("a reader whose connection is cut answers from its copy, says why it lags, and catches up", async ({
    expect,
    onTestFinished,
  }) => {
    const { node: writer, port } = await aWriter({}, 0, onTestFinished);
    const wire = await aWire(onTestFinished);
    wire.to(port);
    const reader = await aReader(wire.url, {}, onTestFinished);
    await ask(reader, "eth_sendTransaction", TRANSFER);
    wire.cut();
    await ask(writer, "anvil_mine", "0x5");
    expect(await ask(reader, "eth_blockNumber")).toBe("0x1");
    expect(await ask(reader, "trace_block", "0x1")).toHaveLength(1);
    expect(await outcome(reader, "eth_sendTransaction", [TRANSFER])).toMatchObject({
      error: { code: -32_002, message: expect.stringContaining(wire.url) },
    });
    await expect.poll(async () => (await statusOf(reader)).problem).toContain("does not answer");
    wire.to(port);
    await allTheSame(reader, writer);
    expect(await ask(reader, "eth_blockNumber")).toBe("0x6");
    expect((await statusOf(reader)).problem).toBeNull();
  });

  it("a reader goes on when the writer was started again with its folder", async ({ onTestFinished }) => {
    const dataDir = await aFolder(onTestFinished);
    const wire = await aWire(onTestFinished);
    const { node: before, port } = await aWriter({ dataDir }, 0, onTestFinished);
    wire.to(port);
    const reader = await aReader(wire.url, {}, onTestFinished);
    await ask(reader, "eth_sendTransaction", TRANSFER);
    const { incarnation } = await statusOf(reader);
    wire.cut();
    await before.close();
    const { node: after, port: next } = await aWriter({ dataDir }, 0, onTestFinished);
    wire.to(next);
    await ask(after, "eth_sendTransaction", TRANSFER);
    await allTheSame(reader, after);
    expect((await statusOf(reader)).incarnation).toBe(incarnation);
  });

  it.for([["its folder lost a block"], ["it is another chain"]])(
    "a reader follows a writer that is not what it was: %s",
    async ([how], { onTestFinished }) => {
      const dataDir = await aFolder(onTestFinished);
      const wire = await aWire(onTestFinished);
      const { node: before, port } = await aWriter({ dataDir }, 0, onTestFinished);
      await ask(before, "anvil_mine", "0x2");
      wire.to(port);
      const reader = await aReader(wire.url, {}, onTestFinished);
      const filter = await ask(reader, "eth_newBlockFilter");
      const { incarnation } = await statusOf(reader);
      wire.cut();
      await before.close();
      if (how !== "it is another chain") {
        const alone = await createNode({ dataDir });
        await ask(alone, "anvil_rollback", 1);
        await ask(alone, "anvil_mine", "0x3");
        await alone.close();
      }
      const options = how === "it is another chain" ? { chainId: 7, accounts: 2, hardfork: "cancun" } : { dataDir };
      const { node: after, port: next } = await aWriter(options, 0, onTestFinished);
      await ask(after, "eth_sendTransaction", TRANSFER);
      wire.to(next);
      await allTheSame(reader, after);
      expect((await statusOf(reader)).incarnation).not.toBe(incarnation);
      expect(await ask(reader, "eth_getFilterChanges", filter)).not.toEqual([]);
    },
  );

  it.for([
    ["has not come as far again", 1],
    ["has gone further", 6],
  ] as const)(
    "a reader begins from a base if its writer's folder was restored from a copy, and %s",
    async ([, entries], { expect, onTestFinished }) => {
      const dataDir = await aFolder(onTestFinished);
      const copy = join(await aFolder(onTestFinished), "copy");
      const wire = await aWire(onTestFinished);
      const first = await aWriter({ dataDir }, 0, onTestFinished);
      await ask(first.node, "anvil_mine", "0x2");
      await first.node.close();
      await cp(dataDir, copy, { recursive: true });
      const second = await aWriter({ dataDir }, 0, onTestFinished);
      wire.to(second.port);
      const reader = await aReader(wire.url, {}, onTestFinished);
      for (let count = 0; count < 3; count++) await ask(reader, "eth_sendTransaction", TRANSFER);
      const { incarnation, sequence } = await statusOf(reader);
      wire.cut();
      await second.node.close();

      const third = await aWriter({ dataDir: copy }, 0, onTestFinished);
      for (let count = 0; count < entries; count++) await ask(third.node, "anvil_setBalance", BOB, `0x${count}`);
      expect((await statusOf(third.node)).incarnation).toBe(incarnation);
      expect(BigInt((await statusOf(third.node)).sequence) > BigInt(sequence)).toBe(entries === 6);
      wire.to(third.port);
      await expect.poll(() => ask(reader, "eth_blockNumber"), { timeout: 10_000 }).toBe("0x2");
      await allTheSame(reader, third.node);
    },
  );
});

slowIt(
  "a reader goes on with its folder, and from a base if the folder was written by a node of its own",
  async ({ onTestFinished }) => {
    const { node: writer, url } = await aWriter({}, 0, onTestFinished);
    const dataDir = await aFolder(onTestFinished);
    const first = await aReader(url, { dataDir }, onTestFinished);
    await ask(first, "eth_sendTransaction", TRANSFER);
    await first.close();
    await ask(writer, "eth_sendTransaction", TRANSFER);
    const second = await aReader(url, { dataDir }, onTestFinished);
    await allTheSame(second, writer);
    await second.close();

    const alone = await createNode({ dataDir });
    expect(await ask(alone, "eth_blockNumber")).toBe("0x2");
    await ask(alone, "anvil_mine", "0x7");
    await alone.close();
    const third = await aReader(url, { dataDir }, onTestFinished);
    await allTheSame(third, writer);
    expect(await ask(third, "eth_blockNumber")).toBe("0x2");
  },
);

it("what changes a chain is refused at a reader's own door, with the writer's name", async () => {
  const { url } = await aWriter();
  const reader = await aReader(url);
  const message = expect.stringContaining(url.replace(/\/$/, ""));
  const changes = [
    () => reader.mine(),
    () => reader.setBalance(ALICE, 1n),
    () => reader.snapshot(),
    () => reader.branch(),
    () => reader.importBlock("0xc0"),
    () => reader.dumpState(),
  ];
  for (const change of changes) {
    await expect((async () => change())()).rejects.toMatchObject({ code: "CHAIN_FOLLOWS_ANOTHER", message });
  }
  expect(await outcome(reader, "eth_newPendingTransactionFilter")).toMatchObject({ error: { code: -32_004, message } });
  expect(await outcome(reader, "eth_subscribe", ["newPendingTransactions"])).toMatchObject({ error: { message } });
});

it("only nodes with the token are given anything, and only by a node that shares", async () => {
  const { node: writer, url } = await aWriter();
  await expect(aReader(url, { follow: { url, token: "another token, which is wrong" } })).rejects.toMatchObject({
    code: "FOLLOWING_REFUSED",
  });
  const wrong = { token: "no" };
  const position = { incarnation: `0x${"00".repeat(16)}`, sequence: "0x0", hash: `0x${"00".repeat(32)}` };
  const requests = [
    ["hindcast_stream", wrong],
    ["hindcast_streamBase", { ...wrong, chunk: 0 }],
    ["hindcast_forward", { ...wrong, position, method: "eth_chainId", params: [] }],
  ] as const;
  for (const [method, params] of requests) {
    expect(await outcome(writer, method, [params])).toMatchObject({ error: { code: -32_004 } });
  }
  const alone = await createNode();
  onTestFinished(() => alone.close());
  for (const [method, params] of requests) {
    const message = expect.stringContaining("does not share");
    expect(await outcome(alone, method, [{ ...params, token: TOKEN }])).toMatchObject({ error: { message } });
  }
  expect(await ask(alone, "hindcast_status")).toMatchObject({ role: "alone", writer: null });
});

it("options that contradict are refused in words", async () => {
  const follow = { url: "http://127.0.0.1:1", token: TOKEN };
  await expect(createNode({ follow, chainId: 5 })).rejects.toThrow(/chainId contradicts/);
  await expect(createNode({ follow, share: { token: TOKEN } })).rejects.toThrow(/share contradicts/);
  await expect(createNode({ share: { token: "short" } })).rejects.toThrow(/16 characters/);
  await expect(createNode({ share: {} as never })).rejects.toThrow(/needs a token/);
  const fork = { url: "http://127.0.0.1:1" };
  await expect(createNode({ share: { token: TOKEN }, fork })).rejects.toThrow(/fork cannot be shared/);
  const { node } = await aWriter();
  const reset = [{ forking: { jsonRpcUrl: "http://127.0.0.1:1" } }];
  expect(await outcome(node, "anvil_reset", reset)).toMatchObject({
    error: { message: expect.stringContaining("cannot become a fork") },
  });
});
