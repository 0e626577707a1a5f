import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createPublicClient } from "viem";
import { ipc } from "viem/node";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { RequestContext, RequestHandler, Session } from "../../src/server/handler.ts";
import { listenPrivately } from "../../src/server/sockets/private-socket.ts";
import { type IpcServerOptions, startIpcServer } from "../../src/server/sockets/start-ipc-server.ts";
import { anEndlessRequest, deferred } from "./a-server.ts";

const folder = mkdtempSync(join(tmpdir(), "hindcast-ipc-"));
let count = 0;
const aPath = (): string => join(folder, `${++count}.ipc`);
afterAll(() => rmSync(folder, { recursive: true }));

interface Peer {
  readonly socket: Socket;
  /** The next message, as it was parsed from its line. */
  next(): Promise<unknown>;
  readonly closed: Promise<void>;
}

async function aPeer(path: string): Promise<Peer> {
  const socket = connect({ path, allowHalfOpen: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const lines: unknown[] = [];
  const waiting: ((line: unknown) => void)[] = [];
  let rest = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts.filter((line) => line !== "")) {
      const line: unknown = JSON.parse(part);
      const resolve = waiting.shift();
      if (resolve === undefined) lines.push(line);
      else resolve(line);
    }
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("end", () => socket.end()).once("close", () => resolve());
  });
  return {
    socket,
    closed,
    next: () => (lines.length > 0 ? Promise.resolve(lines.shift()) : new Promise((resolve) => waiting.push(resolve))),
  };
}

async function aListener(maxRequestBytes?: number, onRequest: (method: string) => void = () => undefined) {
  const node = await createNode({ accounts: 2, onRequest });
  const path = aPath();
  await node.listenIpc({ path, ...(maxRequestBytes === undefined ? {} : { maxRequestBytes }) });
  const peer = await aPeer(path);
  return {
    node,
    path,
    ...peer,
    async [Symbol.asyncDispose]() {
      peer.socket.destroy();
      await node.close();
    },
  };
}

const request = (id: number, method = "eth_chainId", params: unknown[] = []): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const chainId = (id: number) => ({ jsonrpc: "2.0", id, result: "0x7a69" });

describe("requests over a socket file", () => {
  it.each([
    ["on lines", `${request(1)}\n${request(2)}\n`],
    ["with nothing between them", request(1) + request(2)],
    ["with brackets and quotes in their texts", ` ${request(1, "eth_chainId")}\r\n\t${request(2)}`],
  ])("are answered %s", async (_how, text) => {
    await using peer = await aListener();
    peer.socket.write(text);
    const answers = [await peer.next(), await peer.next()];
    expect(answers).toEqual(expect.arrayContaining([chainId(1), chainId(2)]));
  });

  it("may come byte by byte, with whatever JSON texts may hold", async () => {
    await using peer = await aListener();
    const text = request(7, 'no_such_"]}\\_✓');
    for (const byte of Buffer.from(text)) peer.socket.write(Uint8Array.of(byte));
    expect(await peer.next()).toMatchObject({ id: 7, error: { code: -32601 } });
  });

  it("may be batches", async () => {
    await using peer = await aListener();
    peer.socket.write(`[${request(1)},${request(2)}]`);
    expect(await peer.next()).toEqual([chainId(1), chainId(2)]);
  });

  it("that are no JSON are told so, and the next one is answered", async () => {
    await using peer = await aListener();
    peer.socket.write(`hello\n${request(1)}`);
    expect(await peer.next()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await peer.next()).toEqual(chainId(1));
  });

  it("that are too long end the connection, with the reason", async () => {
    await using peer = await aListener(100);
    peer.socket.write(`[${" ".repeat(200)}`);
    expect(await peer.next()).toMatchObject({ error: { code: -32600 } });
    await peer.closed;
  });

  it("are answered although their sender has said all it will", async () => {
    await using peer = await aListener();
    peer.socket.end(request(1));
    expect(await peer.next()).toEqual(chainId(1));
    await peer.closed;
  });
});

it("subscriptions tell of blocks after the answer that began them, and end with the connection", async () => {
  await using peer = await aListener();
  peer.socket.write(request(1, "eth_subscribe", ["newHeads"]));
  const { result: subscription } = (await peer.next()) as { result: string };
  await peer.node.mine();
  expect(await peer.next()).toMatchObject({
    method: "eth_subscription",
    params: { subscription, result: { number: "0x1" } },
  });
});

it("viem's IPC transport asks and watches", async () => {
  let subscribed = (): void => undefined;
  const subscription = new Promise<void>((resolve) => {
    subscribed = resolve;
  });
  await using peer = await aListener(undefined, (method) => {
    if (method === "eth_subscribe") subscribed();
  });
  const client = createPublicClient({ transport: ipc(peer.path, { retryCount: 0, reconnect: false }) });
  expect(await client.getChainId()).toBe(31_337);
  const heard = new Promise<bigint | null>((resolve) => {
    const stop = client.watchBlocks({
      poll: false,
      onBlock: (block) => {
        stop();
        resolve(block.number);
      },
    });
  });
  await subscription;
  await peer.node.mine();
  expect(await heard).toBe(1n);
  (await client.transport.getRpcClient()).close();
});

describe("the socket file", () => {
  it("is its owner's alone, and is removed when the node closes, with connections open", async () => {
    const peer = await aListener();
    if (process.platform !== "win32") expect(statSync(peer.path).mode & 0o777).toBe(0o600);
    await peer.node.close();
    await peer.closed;
    expect(existsSync(peer.path)).toBe(false);
  });

  it("is replaced if a killed program left it behind", async () => {
    const path = aPath();
    const script = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
    spawnSync(process.execPath, ["-e", script]);
    expect(existsSync(path)).toBe(true);
    await using node = await createNode();
    await node.listenIpc({ path });
    const peer = await aPeer(path);
    peer.socket.write(request(1));
    expect(await peer.next()).toEqual(chainId(1));
    peer.socket.destroy();
  });

  it("is left alone if another node answers there, or if it is something else", async () => {
    await using peer = await aListener();
    await using other = await createNode();
    await expect(other.listenIpc({ path: peer.path })).rejects.toMatchObject({ code: "PORT_IN_USE" });
    peer.socket.write(request(1));
    expect(await peer.next()).toEqual(chainId(1));
    const text = aPath();
    writeFileSync(text, "keep me");
    await expect(other.listenIpc({ path: text })).rejects.toThrow("Cannot listen on");
    expect(existsSync(text)).toBe(true);
  });

  it.runIf(process.platform === "linux")("is left alone if its program is too busy to take anybody in", async () => {
    const path = aPath();
    const state = new Int32Array(new SharedArrayBuffer(4));
    const busy = new Worker(
      `const { parentPort, workerData: { path, state } } = require("node:worker_threads");
      require("node:net").createServer().listen({ path, backlog: 1 }, () => {
        parentPort.postMessage("listens");
        Atomics.wait(state, 0, 0);
        process.exit();
      });`,
      { eval: true, workerData: { path, state } },
    );
    const waiting: Socket[] = [];
    onTestFinished(async () => {
      for (const socket of waiting) socket.destroy();
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      await busy.terminate();
    });
    await new Promise((resolve) => busy.once("message", resolve));
    // Until the queue is full: from then on the system answers EAGAIN, of a dead socket it would be ECONNREFUSED.
    for (let code: unknown; code !== "EAGAIN"; ) {
      const socket = connect(path);
      waiting.push(socket);
      code = await new Promise((resolve) => {
        socket.once("connect", () => resolve("")).once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
      });
    }
    await using node = await createNode();
    await expect(node.listenIpc({ path })).rejects.toMatchObject({ code: "PORT_IN_USE" });
    expect(existsSync(path)).toBe(true);
  });

  it("is of one node alone when several ask for it at once, and nothing is left beside it", async () => {
    const home = mkdtempSync(join(folder, "at-once-"));
    const path = join(home, "x.ipc");
    const handler: RequestHandler = { handle: async () => undefined, refuse: () => "" };
    const started = await Promise.allSettled(Array.from({ length: 5 }, () => startIpcServer({ path, handler })));
    const servers = started.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const refusals = started.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(servers).toHaveLength(1);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: "PORT_IN_USE" });
    if (process.platform !== "win32") expect(readdirSync(home)).toEqual(["x.ipc"]);
    for (const server of servers) await server.close();
    expect(existsSync(path)).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "of another server stays when a server closes whose file is gone",
    async () => {
      const path = aPath();
      const handler: RequestHandler = { handle: async () => undefined, refuse: () => "" };
      const first = await startIpcServer({ path, handler });
      rmSync(path);
      const second = await startIpcServer({ path, handler });
      await first.close();
      expect(existsSync(path)).toBe(true);
      await second.close();
    },
  );

  it.skipIf(process.platform === "win32")(
    "whose path the system would cut is refused, and no file is made",
    async () => {
      await using node = await createNode();
      const home = mkdtempSync(join(folder, "long-"));
      const attempt = node.listenIpc({ path: join(home, "x".repeat(120)) });
      await expect(attempt).rejects.toMatchObject({ code: "CANNOT_LISTEN" });
      await expect(attempt).rejects.toThrow(/it takes \d+ bytes\. Choose a path/);
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it.skipIf(process.platform === "win32")("may be as long as the system takes, and no longer", async () => {
    const home = mkdtempSync(join(folder, "full-"));
    // `sun_path` has 108 bytes on Linux and 104 elsewhere, and ends with a zero.
    const longest = process.platform === "linux" ? 107 : 103;
    const pathOf = (length: number): string => join(home, "x".repeat(length - home.length - 1));
    const handler: RequestHandler = { handle: async (text) => text, refuse: () => "" };
    const server = await startIpcServer({ path: pathOf(longest), handler });
    const peer = await aPeer(pathOf(longest));
    peer.socket.write("[1]");
    expect(await peer.next()).toEqual([1]);
    peer.socket.destroy();
    await server.close();
    await expect(startIpcServer({ path: pathOf(longest + 1), handler })).rejects.toThrow(
      `it takes ${longest + 1} bytes`,
    );
  });

  it("that cannot be made is refused in words", async () => {
    await using node = await createNode();
    const path = join(folder, "no", "such", "x.ipc");
    await expect(node.listenIpc({ path })).rejects.toMatchObject({ code: "CANNOT_LISTEN" });
  });

  it("on which the system does not listen is refused in words, and nothing is left beside it", async () => {
    const server = createServer();
    server.listen = () => {
      setImmediate(() => server.emit("error", Object.assign(new Error("too many open files"), { code: "EMFILE" })));
      return server;
    };
    const own = mkdtempSync(join(folder, "own"));
    await expect(listenPrivately(server, join(own, "x.ipc"))).rejects.toMatchObject({ code: "CANNOT_LISTEN" });
    expect(readdirSync(own)).toEqual([]);
  });
});

describe("a connection", () => {
  async function aConnection(handle: RequestHandler["handle"], limits: Partial<IpcServerOptions> = {}) {
    const path = aPath();
    const server = await startIpcServer({ path, handler: { handle, refuse: () => "refused" }, ...limits });
    const peer = await aPeer(path);
    return {
      ...peer,
      server,
      async [Symbol.asyncDispose]() {
        peer.socket.destroy();
        await server.close();
      },
    };
  }

  const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("has answers that come in pieces written whole before others", async () => {
    async function* pieces() {
      yield '{"long":"';
      for (let index = 0; index < 5; index++) {
        await later();
        // Longer than what is joined to one write.
        yield "x".repeat(100_000);
      }
      yield '"}';
    }
    await using peer = await aConnection(async (text) => (text === "[1]" ? pieces() : text));
    peer.socket.write("[1][2][3]");
    expect(await peer.next()).toEqual({ long: "x".repeat(500_000) });
    expect(await peer.next()).toEqual([2]);
    expect(await peer.next()).toEqual([3]);
  });

  it("has an answer whole whose peer says meanwhile that it sends no more, with another request under way", async () => {
    const half = deferred();
    const ended = deferred();
    async function* pieces() {
      yield `{"long":"${"x".repeat(200_000)}`;
      half.resolve();
      await ended.promise;
      yield `${"x".repeat(200_000)}"}`;
    }
    await using peer = await aConnection(async (text) => {
      if (text === "[1]") return pieces();
      await ended.promise;
      return "2";
    });
    let received = "";
    peer.socket.on("data", (text: string) => {
      received += text;
    });
    peer.socket.write("[1][2]");
    await half.promise;
    peer.socket.end();
    // The server hears of the end before the rest of the answer is made.
    for (let turns = 0; turns < 20; turns++) await later();
    ended.resolve();
    await peer.closed;
    expect(received).toBe(`{"long":"${"x".repeat(400_000)}"}\n2\n`);
  });

  it("is broken by an answer that fails half way, which would look like the beginning of others", async () => {
    const failure = new Error("half way");
    async function* pieces() {
      yield "[".repeat(100_000);
      yield "1".repeat(100_000);
      throw failure;
    }
    const errors: unknown[] = [];
    await using peer = await aConnection(async () => pieces(), { onError: (error) => errors.push(error) });
    let received = "";
    peer.socket.on("data", (text: string) => {
      received += text;
    });
    peer.socket.on("error", () => undefined);
    peer.socket.write("[1]\n");
    await peer.closed;
    expect(received).not.toContain("\n");
    expect(errors).toEqual([failure]);
  });

  it("is broken by a handler that throws, of which onError hears", async () => {
    const bug = new Error("a bug");
    const errors: unknown[] = [];
    const handle = async (): Promise<never> => {
      throw bug;
    };
    await using peer = await aConnection(handle, { onError: (error) => errors.push(error) });
    peer.socket.on("error", () => undefined);
    peer.socket.write("[1]\n");
    await peer.closed;
    expect(errors).toEqual([bug]);
  });

  it("that has gone is why its request fails, of which onError does not hear", async () => {
    const { handle, started, aborted } = anEndlessRequest();
    const errors: unknown[] = [];
    await using peer = await aConnection(handle, { onError: (error) => errors.push(error) });
    peer.socket.write("[1]\n");
    await started;
    peer.socket.destroy();
    await aborted;
    await new Promise(setImmediate);
    expect(errors).toEqual([]);
  });

  it("has an answer of characters that are several bytes", async () => {
    await using peer = await aConnection(async () => '"zwölf €"');
    peer.socket.write("[1]");
    expect(await peer.next()).toBe("zwölf €");
  });

  it("has no more requests under way than are allowed, and has all answered", async () => {
    let underWay = 0;
    let most = 0;
    const handle = async (text: string): Promise<string> => {
      most = Math.max(most, ++underWay);
      await later();
      underWay--;
      return text;
    };
    await using peer = await aConnection(handle, { maxConcurrentRequests: 3 });
    peer.socket.write("[]".repeat(20));
    for (let count = 0; count < 20; count++) expect(await peer.next()).toEqual([]);
    expect(most).toBe(3);
  });

  it("whose peer does not read its notifications is cut off", async () => {
    let context: RequestContext | undefined;
    const handle = async (_text: string, given: RequestContext): Promise<undefined> => {
      context = given;
    };
    await using peer = await aConnection(handle, { maxBufferBytes: 1_000 });
    peer.socket.pause();
    peer.socket.write("[]");
    await expect.poll(() => context, { interval: 2 }).toBeDefined();
    const gone = new Promise<void>((resolve) => context?.session?.onClose(resolve));
    for (let count = 0; count < 20; count++) {
      context?.session?.send("x".repeat(1_000_000));
      await later();
    }
    await gone;
    expect(context?.signal.aborted).toBe(true);
  });

  it("whose peer reads nothing of its answers is cut off after the stall timeout", async () => {
    let session: Session | undefined;
    const handle = async (_text: string, context: RequestContext): Promise<string> => {
      session = context.session;
      return "x".repeat(20_000_000);
    };
    await using peer = await aConnection(handle, { stallTimeoutMs: 100 });
    peer.socket.pause();
    peer.socket.write("[]");
    await expect.poll(() => session, { interval: 2 }).toBeDefined();
    await new Promise<void>((resolve) => session?.onClose(resolve));
  });

  it("runs what is to follow an answer behind it, and at once if the answer has been given", async () => {
    const order: string[] = [];
    let given: RequestContext | undefined;
    const handle = async (_text: string, context: RequestContext): Promise<string> => {
      given = context;
      context.afterAnswer?.(() => {
        order.push("followed");
        context.session?.send('"note"');
      });
      order.push("handled");
      return '"answer"';
    };
    await using peer = await aConnection(handle);
    peer.socket.write("[]");
    expect([await peer.next(), await peer.next()]).toEqual(["answer", "note"]);
    given?.afterAnswer?.(() => order.push("late"));
    expect(order).toEqual(["handled", "followed", "late"]);
    expect(given?.responseShape).toBe("standard");
  });

  it("has its work aborted when its peer goes away", async () => {
    let signal: RequestContext["signal"] | undefined;
    const handle = (_text: string, given: RequestContext): Promise<string> => {
      signal = given.signal;
      return new Promise((resolve) => given.signal.addEventListener("abort", () => resolve("[]")));
    };
    await using peer = await aConnection(handle);
    peer.socket.write("[]");
    await expect.poll(() => signal, { interval: 2 }).toBeDefined();
    peer.socket.destroy();
    await expect.poll(() => signal?.aborted, { interval: 2 }).toBe(true);
  });

  it("has its work aborted when the server closes", async () => {
    let signal: RequestContext["signal"] | undefined;
    const handle = (_text: string, given: RequestContext): Promise<string> => {
      signal = given.signal;
      return new Promise((resolve) => given.signal.addEventListener("abort", () => resolve("[]")));
    };
    await using peer = await aConnection(handle);
    peer.socket.write("[]");
    await expect.poll(() => signal, { interval: 2 }).toBeDefined();
    await peer.server.close();
    expect(signal?.aborted).toBe(true);
    await peer.closed;
  });
});
