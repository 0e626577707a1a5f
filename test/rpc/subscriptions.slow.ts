/** A hundred subscribers over WebSocket, a thousand blocks: nothing lost, nothing out of order, nothing twice. */
import { expect, it, onTestFinished } from "vitest";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { aServedNode, type Json } from "../support/a-node.ts";
import { openSocket } from "../support/a-socket.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";

const SUBSCRIBERS = 100;
const BLOCKS = 1_000;
/** Every so many blocks one with a log, one by automine. */
const LOG_EVERY = 10;

it(`${SUBSCRIBERS} subscribers hear of ${BLOCKS} blocks and their logs, each in order`, async () => {
  const { node, plain } = await aServedNode();
  const address = await deploy(node, EMITTER);
  const sockets = await Promise.all(Array.from({ length: SUBSCRIBERS }, () => openSocket(plain.url)));
  onTestFinished(() => {
    for (const socket of sockets) socket.close();
  });
  const subscribed = await Promise.all(
    sockets.map(async (socket) => ({
      socket,
      heads: await socket.ask<string>("eth_subscribe", "newHeads"),
      logs: await socket.ask<string>("eth_subscribe", "logs", { address }),
    })),
  );

  const hashes: string[] = [];
  const stop = node.onHeadChange(({ added }) => {
    hashes.push(...added.map(({ hash }) => encodeData(hash)));
  });
  let topic = 0;
  while (hashes.length < BLOCKS) {
    // By transaction, one by one, and many in one write.
    if (hashes.length % LOG_EVERY === 0) {
      await send(node, { to: address, data: logCall([topic++]), gas: "0x30d40" });
    } else await node.mine({ blocks: Math.min(LOG_EVERY - (hashes.length % LOG_EVERY), (topic % 3) + 1) });
  }
  stop();

  const expectedLogs = (await plain.ask<Json[]>("eth_getLogs", { address, fromBlock: "0x0" })).map(toText);
  expect(expectedLogs).toHaveLength(topic);
  for (const { socket, heads, logs } of subscribed) {
    const headers = (await socket.until(heads, hashes.length)) as Json[];
    expect(headers.map(({ hash }) => hash)).toEqual(hashes);
    expect((await socket.until(logs, topic)).map(toText)).toEqual(expectedLogs);
    // Each log comes right behind the header of its block.
    const order = socket.received
      .map(({ params }) => params as { subscription: string; result: Json } | undefined)
      .filter((params) => params !== undefined);
    for (const [index, { subscription, result }] of order.entries()) {
      if (subscription === logs) expect(order[index - 1]?.result.hash).toBe(result.blockHash);
    }
  }
});

it("a subscriber that stops reading is cut off, and keeps nobody else from hearing everything", async () => {
  const { node, plain } = await aServedNode();
  const address = await deploy(node, EMITTER);
  const [slow, quick] = await Promise.all([openSocket(plain.url), openSocket(plain.url)]);
  onTestFinished(() => {
    slow.close();
    quick.close();
  });
  const ids = await Promise.all(
    [slow, quick].map((socket) => socket.ask<string>("eth_subscribe", "logs", { address })),
  );
  const closed = new Promise<string>((resolve) => {
    slow.webSocket.once("close", (code, reason) => resolve(`${code} ${reason.toString()}`));
  });
  slow.webSocket.pause();
  // Beyond what waits for a reader at most and what the system itself buffers.
  const data = `0x${"ab".repeat(80_000)}` as const;
  for (let sent = 0; sent < 300; sent++) {
    await send(node, { to: address, data: logCall([sent], data), gas: "0x989680" });
    // Both ends are in this process: it has to get to reading.
    await quick.until(ids[1] ?? "", sent + 1);
  }
  const heard = (await quick.until(ids[1] ?? "", 300)) as Json[];
  expect(heard.map(({ topics }) => Number((topics as string[])[0]))).toEqual(
    Array.from({ length: 300 }, (_, at) => at),
  );
  slow.webSocket.resume();
  // 1013 and why; a peer that does not read that for seconds either finds the connection broken.
  expect(["1013 Too slow: notifications are not read fast enough.", "1006 "]).toContain(await closed);
  // It got the first of them, in order, and nothing after the cut.
  const got = slow.notifications(ids[0] ?? "") as Json[];
  expect(got.length).toBeLessThan(300);
  expect(got.map(({ topics }) => Number((topics as string[])[0]))).toEqual(got.map((_log, at) => at));
});

const toText = (value: unknown): string => JSON.stringify(value);
