import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { heldMemory } from "../../../src/primitives/platform/held-memory.ts";
import { ReceivedBodies } from "../../../src/server/http/received-bodies.ts";
import { readBody } from "../../../src/server/http/request-body.ts";
import { BODIES_TOGETHER } from "../../../src/server/limits.ts";
import { aServer, deferred, type Handle, send } from "../a-server.ts";

const LIMIT = 200_000;

interface HalfSent {
  readonly socket: Socket;
  /** What has been answered so far. */
  reply(): string;
}

/** A request of the greatest length, of which all but the last byte has been sent. */
async function halfSent(port: number): Promise<HalfSent> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  let reply = "";
  socket.on("data", (chunk) => {
    reply += chunk;
  });
  const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${LIMIT}\r\n\r\n`;
  await new Promise((resolve) => socket.write(head + " ".repeat(LIMIT - 1), resolve));
  return { socket, reply: () => reply };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it("of too many long bodies that are received at once one is refused with 503, and short ones are served", async () => {
  const { port } = await aServer((text) => `${text.length}`, { maxBodyBytes: LIMIT });
  const sent = await Promise.all(Array.from({ length: BODIES_TOGETHER + 1 }, () => halfSent(port)));
  const isRefused = ({ reply }: HalfSent): boolean => reply().includes(`{"refused":${BODIES_TOGETHER * LIMIT}}`);
  await until(() => sent.some(isRefused));
  expect(sent.find(isRefused)?.reply()).toMatch(/^HTTP\/1.1 503 /);
  expect((await send({ host: "127.0.0.1", port }, { body: " ".repeat(60_000) })).text).toBe("60000");
  const rest = sent.filter((each) => !isRefused(each));
  expect(rest.length).toBe(BODIES_TOGETHER);
  for (const { socket } of rest) socket.write("1");
  await Promise.all(rest.map(({ reply }) => until(() => reply().endsWith(`${LIMIT}`))));
});

it("bodies whose requests are not yet answered count", async () => {
  const isOver = deferred();
  const begun = Array.from({ length: BODIES_TOGETHER }, () => deferred());
  let count = 0;
  const handle: Handle = (text) => {
    begun[count++]?.resolve();
    return isOver.promise.then(() => `${text.length}`);
  };
  const server = await aServer(handle, { maxBodyBytes: LIMIT });
  const body = " ".repeat(LIMIT);
  const served = begun.map(() => send(server, { body }));
  await Promise.all(begun.map(({ promise }) => promise));
  expect((await send(server, { body })).status).toBe(503);
  isOver.resolve();
  expect((await Promise.all(served)).map(({ text }) => text)).toEqual(served.map(() => `${LIMIT}`));
  expect((await send(server, { body })).text).toBe(`${LIMIT}`);
});

it("bodies whose senders have left do not count", async () => {
  const bodies = new ReceivedBodies(1_000_000);
  const request = Object.assign(new PassThrough(), { headers: {} });
  const reader = { onText: () => Promise.resolve(), onRefused: () => undefined };
  readBody(request as unknown as IncomingMessage, { maxBodyBytes: 1_000_000, bodies }, reader);
  const received = new Promise((resolve) => request.once("data", resolve));
  request.write(new Uint8Array(900_000));
  await received;
  request.destroy();
  await new Promise((resolve) => request.once("close", resolve));
  let isRefused = false;
  bodies
    .begin(() => {
      isRefused = true;
    })
    .note(1_000_000);
  expect(isRefused).toBe(false);
});

it("the refusal says that all bodies together are too long, and names the limit with its flag", async () => {
  await using node = await createNode();
  const { port } = await node.listen({ port: 0, maxBodyBytes: LIMIT });
  const sent = await Promise.all(Array.from({ length: BODIES_TOGETHER + 1 }, () => halfSent(port)));
  const refusal = (): string | undefined => sent.map(({ reply }) => reply()).find((reply) => reply.includes("}}"));
  await until(() => refusal() !== undefined);
  const text = refusal() ?? "";
  expect(JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1))).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: {
      code: -32005,
      message:
        "The request bodies of all clients that are being received or served exceed 800000 bytes together. " +
        "Send it again later, or raise the limit with --max-body-bytes.",
      data: { limit: 800_000, flag: "--max-body-bytes" },
    },
  });
  // A server that closes gives them some time for the rest.
  for (const { socket } of sent) socket.destroy();
});

it("a body that was refused or has ended no longer counts", () => {
  const bodies = new ReceivedBodies(1_000_000);
  const refused: string[] = [];
  const begin = (name: string) => bodies.begin(() => refused.push(name));
  const [first, second, third] = [begin("first"), begin("second"), begin("third")];
  first.note(600_000);
  second.note(500_000);
  expect(refused).toEqual(["first"]);
  first.end();
  third.note(500_000);
  expect(refused).toEqual(["first"]);
  second.complete();
  second.end();
  third.complete();
  const fourth = begin("fourth");
  fourth.note(500_000);
  expect(refused).toEqual(["first"]);
  fourth.note(500_001);
  expect(refused).toEqual(["first", "fourth"]);
});

it("bodies are memory that the process holds, until their requests are answered or refused", () => {
  const before = heldMemory().bytes;
  const bodies = new ReceivedBodies(1_000_000);
  const [small, large, refused] = [0, 1, 2].map(() => bodies.begin(() => undefined));
  small?.note(60_000);
  large?.note(400_000);
  large?.complete();
  refused?.note(500_000);
  expect(heldMemory().bytes - before).toBe(900_000);
  refused?.note(700_000);
  expect(heldMemory().bytes - before).toBe(400_000);
  for (const body of [small, large, refused]) body?.end();
  expect(heldMemory().bytes).toBe(before);
});
