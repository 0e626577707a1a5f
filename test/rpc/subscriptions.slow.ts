/** A hundred subscribers over WebSocket, a thousand blocks: nothing lost, nothing out of order, nothing twice. */
import { expect, it, onTestFinished } from "vitest";
import { encodeData } from "../../src/primitives/hex.ts";
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

const toText = (value: unknown): string => JSON.stringify(value);
