/** The two ways to a server: HTTP connections that are kept, and WebSockets with frames of every kind. */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { WebSocket } from "ws";

/** Longest that an answer may take. Far beyond what any takes: what counts is that it comes. */
const DEADLINE_MS = 600_000;

/** Settles as the promise does, or rejects when the deadline has passed. */
export async function inTime<T>(promise: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer in ${DEADLINE_MS} ms to ${what()}`)), DEADLINE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A way to send bytes and get the text of their answer, or undefined where there is none. */
export interface Door {
  send(bytes: Uint8Array, isAnswered: boolean): Promise<string | undefined>;
  /** Which bytes it can send; default all. */
  takes?(bytes: Uint8Array): boolean;
  close(): void;
}

/** HTTP over connections that are kept. */
export function httpDoor(port: number, path: string): Door {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const headers = { "content-type": "application/json" };
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        const sent = request({ agent, host: "127.0.0.1", port, path, method: "POST", headers }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
          reply.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            if (reply.statusCode === 200) resolve(text);
            else if (reply.statusCode === 204 && text === "") resolve(undefined);
            else reject(new Error(`HTTP ${reply.statusCode}: ${text}`));
          });
        });
        sent.on("error", reject).end(bytes);
      }),
    close: () => agent.destroy(),
  };
}

/** A WebSocket; messages go one by one, in one frame or several, and notifications of subscriptions are passed over. */
export async function webSocketDoor(port: number): Promise<Door> {
  const socket = await openWebSocket(port);
  let receive: (text: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    if (!text.startsWith('{"jsonrpc":"2.0","method":"eth_subscription"')) receive(text);
  });
  socket.on("close", (code, reason) => fail(new Error(`The WebSocket was closed: ${code} ${reason}`)));
  return {
    send: (bytes, isAnswered) =>
      new Promise((resolve, reject) => {
        receive = resolve;
        fail = reject;
        const half = bytes.length >> 1;
        // Every other one in two frames, cut anywhere, within a character too.
        if (half % 2 === 0) socket.send(bytes, { binary: false });
        else {
          socket.send(bytes.subarray(0, half), { binary: false, fin: false });
          socket.ping();
          socket.send(bytes.subarray(half), { binary: false, fin: true });
        }
        if (!isAnswered) resolve(undefined);
      }),
    close: () => socket.terminate(),
  };
}

/** A socket file; what is no JSON-RPC is not sent, since only JSON tells where a message ends. */
export async function ipcDoor(path: string): Promise<Door> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve()).once("error", reject);
  });
  let receive: (text: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  createInterface({ input: socket }).on("line", (line) => {
    if (line !== "" && !line.startsWith('{"jsonrpc":"2.0","method":"eth_subscription"')) receive(line);
  });
  socket.on("error", () => undefined).on("close", () => fail(new Error("The connection was closed.")));
  return {
    takes: isContainer,
    send: (bytes, isAnswered) =>
      new Promise((resolve, reject) => {
        receive = resolve;
        fail = reject;
        socket.write(bytes);
        socket.write("\n");
        if (!isAnswered) resolve(undefined);
      }),
    close: () => socket.destroy(),
  };
}

/** Whether bytes are one JSON object or array. */
function isContainer(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

async function openWebSocket(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve()).once("error", reject);
  });
  socket.on("error", () => undefined);
  return socket;
}

/** Sends one message that is against the rules; resolves with the code that the connection is closed with. */
export async function closeCodeOf(port: number, bytes: Uint8Array, binary: boolean): Promise<number> {
  const socket = await openWebSocket(port);
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.send(bytes, { binary });
  return inTime(closed, () => `a WebSocket message of ${bytes.length} bytes`);
}

const HANDSHAKE = [
  "GET / HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n",
  "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
].join("");

/** Bytes of frames that may be against every rule of RFC 6455, or of no protocol at all. */
export const rawBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom("", HANDSHAKE, "POST / HTTP/1.1\r\n"),
    fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 4 }),
  )
  .map(([head, frames]) => Buffer.concat([Buffer.from(head), ...frames]));

/** Sends bytes on a connection of their own and leaves, whatever comes back. */
export function sendRaw(port: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    // The server may wait for more of what has been begun.
    const timer = setTimeout(() => socket.destroy(), 20);
    socket.on("error", () => undefined).on("data", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
