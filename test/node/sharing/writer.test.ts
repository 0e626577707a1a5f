/** What a writer does beside others: it waits for entries, and answers its readers. */
import { expect, it, onTestFinished } from "vitest";
import { openBackend } from "../../../src/node/backend.ts";
import { RpcEndpoints } from "../../../src/node/rpc-endpoints.ts";
import { decodeOperations } from "../../../src/sharing/entry-codec.ts";
import type { BaseJson, StreamJson } from "../../../src/sharing/wire.ts";
import { WriterClient } from "../../../src/sharing/writer-client.ts";
import { ALICE, BOB } from "../../support/a-node.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { aReader, ask, aWriter, caughtUp, outcome, TOKEN } from "./shared-nodes.ts";

it("a node that waits for the next change holds no states for that", async () => {
  const backend = await openBackend({ share: { token: TOKEN } });
  const endpoints = new RpcEndpoints(backend, backend.options);
  const { url, close } = await endpoints.listen({});
  const client = new WriterClient({ url, token: TOKEN });
  const { signal } = new AbortController();
  const { head } = (await client.stream.ask("hindcast_stream", {}, signal)) as StreamJson;
  const waiting = client.stream.askForBytes("hindcast_stream", { position: head, waitMs: 30_000 }, signal);
  await endpoints.provider.send("eth_chainId", []);
  expect(backend.chain.readers.any).toBe(false);
  await endpoints.provider.send("anvil_mine", []);
  expect(await waiting).toMatchObject({ result: { entries: 1 }, binary: [expect.any(Uint8Array)] });
  await client.close();
  await close();
  await backend.close();
});

it("gives its stream as binary messages, and so not over HTTP", async () => {
  const { node, url } = await aWriter();
  const client = new WriterClient({ url, token: TOKEN });
  onTestFinished(() => client.close());
  const { signal } = new AbortController();
  const { head } = (await client.stream.ask("hindcast_stream", {}, signal)) as StreamJson;
  await ask(node, "anvil_mine", "0x2");
  // Longer than one frame of a message.
  await ask(node, "anvil_setCode", BOB, `0x${"00".repeat(100_000)}`);
  const changes = await client.stream.askForBytes("hindcast_stream", { position: head }, signal);
  expect(changes).toMatchObject({ result: { entries: 2 } });
  expect(changes.binary.map((bytes) => decodeOperations(bytes).length > 0)).toEqual([true, true]);
  expect(changes.binary[1]?.length).toBeGreaterThan(100_000);
  const base = await client.stream.askForBytes("hindcast_streamBase", { chunk: 0 }, signal);
  expect(base.binary.map(({ length }) => length)).toEqual([(base.result as BaseJson).bytes]);

  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hindcast_stream", params: [{ token: TOKEN }] }),
  });
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining("over WebSocket only") } });
});

it("its log has the requests of its readers' clients, and not what the nodes say to each other", async () => {
  const logged: string[] = [];
  const { node: writer, url } = await aWriter({ onRequest: (method) => logged.push(method) });
  const reader = await aReader(url);
  await ask(reader, "eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
  await ask(reader, "eth_getBalance", BOB, "latest");
  await caughtUp(reader, writer);
  expect(logged.filter((name) => name !== "hindcast_status")).toEqual(["eth_sendTransaction"]);
});

it.each(["hardhat", "anvil", "ganache"] as const)("errors of %s have its words at a reader, too", async (dialect) => {
  const { node: writer, url } = await aWriter({ dialect });
  const reader = await aReader(url);
  const { result: nonce } = (await outcome(writer, "eth_getTransactionCount", [ALICE, "pending"])) as {
    result: string;
  };
  const poor = { from: ALICE, to: BOB, value: `0x${(10n ** 30n).toString(16)}`, gas: "0x5208", nonce };
  const requests = [
    ["eth_sendTransaction", [poor]],
    ["eth_sendTransaction", [{ ...poor, from: "0x00000000000000000000000000000000000000ff" }]],
    ["evm_revert", ["0x99"]],
    ["eth_sendRawTransaction", ["0x1234"]],
    ["anvil_setBalance", [ALICE]],
  ] as const;
  for (const [method, params] of requests) {
    expect([method, await outcome(reader, method, params)]).toEqual([method, await outcome(writer, method, params)]);
  }
});

it("a branch of a writer is its own chain, which readers do not see", async () => {
  const { node: writer, url } = await aWriter();
  const reader = await aReader(url);
  const branch = await writer.branch();
  await branch.mine({ blocks: 3 });
  await writer.mine();
  await caughtUp(reader, writer);
  expect(await ask(reader, "eth_blockNumber")).toBe("0x1");
  expect(await ask(branch, "hindcast_status")).toMatchObject({ role: "alone" });
});

it("reverts in memory delete nothing that a reader may need", async () => {
  const { node: writer, url } = await aWriter();
  const reader = await aReader(url);
  const snapshot = await ask(writer, "evm_snapshot");
  await ask(writer, "eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
  const { hash } = (await ask(writer, "eth_getBlockByNumber", "latest", false)) as { hash: string };
  await ask(writer, "evm_revert", snapshot);
  await caughtUp(reader, writer);
  const answers = [
    await outcome(reader, "trace_block", [{ blockHash: hash }]),
    await outcome(reader, "eth_getBlockByHash", [hash, true]),
  ];
  expect(answers).toEqual([
    await outcome(writer, "trace_block", [{ blockHash: hash }]),
    await outcome(writer, "eth_getBlockByHash", [hash, true]),
  ]);
  expect(answers[1]).toMatchObject({ result: { hash } });
});

slowIt("what was written through a reader is read there at once, however large", async () => {
  const { url } = await aWriter();
  const reader = await aReader(url);
  for (let round = 1; round <= 10; round++) {
    await ask(reader, "anvil_mine", "0xc8");
    expect(BigInt((await ask(reader, "eth_blockNumber")) as string)).toBe(200n * BigInt(round));
    await ask(reader, "anvil_setBalance", BOB, `0x${round.toString(16)}`);
    expect(await ask(reader, "eth_getBalance", BOB, "latest")).toBe(`0x${round.toString(16)}`);
  }
});

it("a reorg to before a change of the chain id signs with the id of its blocks, which a reader can read", async () => {
  const { node: writer, url } = await aWriter();
  const reader = await aReader(url);
  await ask(writer, "anvil_mine", "0x3");
  await ask(writer, "anvil_setChainId", 31_338);
  await ask(writer, "anvil_mine", "0x1");
  const transfer = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };
  await ask(writer, "anvil_reorg", 4, [
    [transfer, 0],
    [transfer, 3],
  ]);
  await caughtUp(reader, writer);
  for (const [number, chainId] of [
    ["0x1", "0x7a69"],
    ["0x4", "0x7a6a"],
  ]) {
    const block = await ask(reader, "eth_getBlockByNumber", number, true);
    expect(block).toMatchObject({ transactions: [{ chainId }] });
    expect(await ask(writer, "eth_getBlockByNumber", number, true)).toEqual(block);
  }
});
