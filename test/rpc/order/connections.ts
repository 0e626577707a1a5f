/** Connections of each kind to fresh nodes, which send several requests without waiting. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { aNode, serve } from "../../support/a-node.ts";

export interface Request {
  readonly method: string;
  readonly params?: readonly unknown[];
  /** Spaces in the request's text. */
  readonly spaces?: number;
}

/** A fresh node, whose methods are not loaded yet, behind one connection. */
export interface Connection {
  readonly node: HindcastNode;
  /** Sends all requests without waiting for any. Resolves to their results when all are answered; undefined for errors. */
  readonly together: (requests: readonly Request[]) => Promise<unknown[]>;
}

interface Response {
  readonly id?: number;
  readonly result?: unknown;
}

const textOf = ({ method, params = [], spaces = 0 }: Request, id: number): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params }).replace(/\}$/, `${" ".repeat(spaces)}}`);

/** Sends texts and collects their answers. */
function collecting(send: (text: string) => void): {
  readonly onText: (text: string) => void;
  readonly together: Connection["together"];
} {
  let waiting: { readonly results: unknown[]; left: number; readonly done: (results: unknown[]) => void } | undefined;
  return {
    onText: (text) => {
      const { id, result } = JSON.parse(text) as Response;
      if (waiting === undefined || id === undefined) return;
      waiting.results[id] = result;
      if (--waiting.left === 0) waiting.done(waiting.results);
    },
    together: (requests) =>
      new Promise((done) => {
        waiting = { results: [], left: requests.length, done };
        for (const [id, request] of requests.entries()) send(textOf(request, id));
      }),
  };
}

async function overProvider(options: NodeOptions): Promise<Connection> {
  const node = await aNode(options);
  const ask = ({ method, params }: Request) => node.provider.send(method, params).catch(() => undefined);
  return { node, together: (requests) => Promise.all(requests.map(ask)) };
}

async function overWebSocket(options: NodeOptions): Promise<Connection> {
  const { node, plain } = await serve(await aNode(options));
  const webSocket = new WebSocket(plain.url.replace(/^http/, "ws"));
  await new Promise((resolve) => webSocket.once("open", resolve));
  onTestFinished(() => webSocket.terminate());
  const { onText, together } = collecting((text) => webSocket.send(text));
  webSocket.on("message", (data: Buffer) => onText(data.toString()));
  return { node, together };
}

async function overSocketFile(options: NodeOptions): Promise<Connection> {
  const node = await aNode(options);
  const { onText, together } = collecting((text) => socket.write(`${text}\n`));
  const { socket, close } = await connectToSocketFile(node, onText);
  onTestFinished(close);
  return { node, together };
}

/** Lets a node listen at a new socket file, and connects to it. */
export async function connectToSocketFile(
  node: HindcastNode,
  onText: (text: string) => void,
): Promise<{ readonly socket: Socket; readonly close: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-order-"));
  const path = join(folder, "node.ipc");
  await node.listenIpc({ path });
  const socket = connect(path).setEncoding("utf8");
  let rest = "";
  socket.on("data", (data: string) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onText(line);
  });
  const close = (): void => {
    socket.destroy();
    rmSync(folder, { recursive: true });
  };
  return { socket, close };
}

async function overHttpBatch(options: NodeOptions): Promise<Connection> {
  const { node, plain } = await serve(await aNode(options));
  return {
    node,
    together: async (requests) => {
      const { text } = await plain.post(`[${requests.map(textOf).join(",")}]`);
      return (JSON.parse(text) as Response[]).map(({ result }) => result);
    },
  };
}

/** By the name of the connection. */
export const CONNECTIONS: Readonly<Record<string, (options?: NodeOptions) => Promise<Connection>>> = {
  "the provider": (options = {}) => overProvider(options),
  "a WebSocket": (options = {}) => overWebSocket(options),
  "a socket file": (options = {}) => overSocketFile(options),
  "an HTTP batch": (options = {}) => overHttpBatch(options),
};
