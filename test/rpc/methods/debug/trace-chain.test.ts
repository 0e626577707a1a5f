/** debug_traceChain, the subscription: one notification for each block with transactions, and for the last. */
import { expect, it } from "vitest";
import { aNode, aServedNode, BOB, type Json } from "../../../support/a-node.ts";
import { aSocket } from "../../../support/a-socket.ts";
import { send } from "../../../support/contracts.ts";

const CALLS = { tracer: "callTracer" };

/** Blocks 1 and 3 have a transaction each, 2 and 4 none. */
async function aChain() {
  const { node, plain } = await aServedNode();
  const first = await send(node, { to: BOB, value: "0x1" });
  await node.mine();
  const second = await send(node, { to: BOB, value: "0x2" });
  await node.mine();
  return { node, plain, socket: await aSocket(plain.url), hashes: [first, second] };
}

it("sends the traces of each block as debug_traceBlockByNumber answers them, without empty blocks except the last", async () => {
  const { node, plain, socket } = await aChain();
  const id = await socket.ask<string>("debug_subscribe", "traceChain", "0x0", "latest", CALLS);
  const results = (await socket.until(id, 3)) as Json[];
  expect(socket.received.filter(({ method }) => method === "debug_subscription")).toHaveLength(3);
  const expected = await Promise.all(
    ["0x1", "0x3", "0x4"].map(async (block) => ({
      block,
      hash: (await plain.ask<Json>("eth_getBlockByNumber", block, false)).hash,
      traces: await plain.ask("debug_traceBlockByNumber", block, CALLS),
    })),
  );
  expect(results).toEqual(expected);
  expect(node.head.header.number).toBe(4n);
});

it("begins with the block after the start", async () => {
  const { socket, hashes } = await aChain();
  const id = await socket.ask<string>("debug_subscribe", "traceChain", "0x1", "0x3");
  const [only] = (await socket.until(id, 1)) as { block: string; traces: { txHash: string }[] }[];
  expect([only?.block, only?.traces.map(({ txHash }) => txHash)]).toEqual(["0x3", [hashes[1]]]);
});

it("reports a failure in the place of the traces, and ends", async () => {
  const { socket } = await aChain();
  const broken = { tracer: "{ fault() {}, result() { throw new Error('broken') } }" };
  const id = await socket.ask<string>("debug_subscribe", "traceChain", "0x0", "0x4", broken);
  expect(await socket.until(id, 1)).toMatchObject([
    { block: "0x1", traces: [{ error: expect.stringContaining("broken") }] },
  ]);
});

it("refuses a range that ends before it begins, another kind, and a connection that ends with the answer", async () => {
  const { plain, socket } = await aChain();
  await expect(socket.ask("debug_subscribe", "traceChain", "0x3", "0x3")).rejects.toMatchObject({
    code: -32_000,
    message: expect.stringContaining("end block (#3) needs to come after start block (#3)"),
  });
  await expect(socket.ask("debug_subscribe", "logs", "0x0", "0x3")).rejects.toMatchObject({ code: -32_602 });
  const { message } = await plain.failure("debug_subscribe", "traceChain", "0x0", "0x3");
  expect(message).toContain("notifications not supported");
});

it("ends when it is unsubscribed", async () => {
  const { node, socket } = await aChain();
  await node.mine({ blocks: 50 });
  const id = await socket.ask<string>("debug_subscribe", "traceChain", "0x0", "latest");
  expect(await socket.ask("debug_unsubscribe", id)).toBe(true);
  await expect(socket.ask("debug_unsubscribe", id)).rejects.toThrow("subscription not found");
});

it("reaches a program in the same process as messages of its own type", async () => {
  const node = await aNode();
  await send(node, { to: BOB });
  const message = new Promise<unknown>((resolve) => node.provider.on("message", resolve as never));
  const params = ["traceChain", "0x0", "latest", CALLS];
  const subscription = await node.provider.send("debug_subscribe", params);
  expect(await message).toMatchObject({ type: "debug_subscription", data: { subscription, result: { block: "0x1" } } });
});
