/**
 * Requests that once ended the node or kept all others waiting, each with how long a second client waits meanwhile.
 *
 * The target is 100 ms on a quiet machine; the bound is five times that, beyond what an idle server takes beside the node.
 * Figures are printed. `SECURITY.md` names the limits that are met here.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { answersDuring, longestWait } from "../rpc/stopwatch.ts";
import { aFolder } from "../support/a-folder.ts";
import { assemble } from "../support/assembler.ts";
import { buildOnce } from "../support/build-once.ts";
import { LOOP } from "../support/contracts.ts";
import { aRunningNode, type RunningNode } from "./a-command.ts";

beforeAll(buildOnce);

const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const TARGET = `0x${"ee".repeat(20)}`;
const BOUND_MS = 500;
/** Gas of one call, at most, unless the node is told otherwise. */
const GAS = "0x2faf080";

interface Outcome {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: unknown;
}

async function post(node: RunningNode, body: string): Promise<Outcome> {
  const headers = { "content-type": "application/json" };
  return (await (await fetch(node.url, { method: "POST", headers, body })).json()) as Outcome;
}

const requestOf = (method: string, ...params: unknown[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** The result of `work`, after a check that a second client did not wait too long. */
async function beside<T>(node: RunningNode, name: string, work: () => Promise<T>): Promise<T> {
  let given: T | undefined;
  const answers = await answersDuring(
    node.url,
    async () => {
      given = await work();
    },
    node.process.pid,
  );
  const times = answers.map(({ elapsedMs }) => elapsedMs).sort((left, right) => left - right);
  const [median, most] = [times[times.length >> 1] ?? 0, times.at(-1) ?? 0];
  console.log(`${name}: ${times.length} answers, median ${Math.round(median)} ms, longest ${Math.round(most)} ms`);
  expect(longestWait(answers)).toBeLessThan(BOUND_MS);
  return given as T;
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;

/** Text that shrinks to next to nothing, as a state file. */
const zipped = (head: string, filling: string, times: number, tail: string): string =>
  hex(gzipSync(Buffer.concat([Buffer.from(head), Buffer.alloc(filling.length * times, filling), Buffer.from(tail)])));

/** Resident memory in MiB. */
function residentMebibytes({ process: { pid } }: RunningNode): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

const typedData = (number: string): unknown => ({
  types: { EIP712Domain: [], Mail: [{ name: "number", type: "uint256" }] },
  primaryType: "Mail",
  domain: {},
  message: { number },
});

const MANY = 4_000_000;

describe("a single request", () => {
  it.each<[string, () => string, RegExp]>([
    [
      "a state file of many lists",
      () => requestOf("anvil_loadState", zipped("[", "[],", 80_000_000, "[]]")),
      /2000000 val/,
    ],
    [
      "a state file of brackets",
      () => requestOf("anvil_loadState", zipped("", "[", 200_000_000, "")),
      /more than 32 deep/,
    ],
    [
      "a state file of foreign members",
      () => requestOf("hardhat_loadState", zipped('{"foreign":[', "[],", 60_000_000, '[]],"accounts":{}}')),
      /more than 67108864 bytes/,
    ],
    [
      "typed data with a long number",
      () => requestOf("eth_signTypedData_v4", ALICE, typedData("9".repeat(9e6))),
      /range/,
    ],
    ["brackets", () => "[".repeat(10_000_000), /more than 256 deep/],
    [
      "parameters that are nested",
      () => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${"[".repeat(MANY)}${"]".repeat(MANY)}}`,
      /more than 256 deep/,
    ],
    [
      "many lists",
      () => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${"[],".repeat(3_000_000)}[]]}`,
      /The params of eth_call have at least 500000 values, at most 10000 are allowed/,
    ],
    ["many lists without a method", () => `[${"[],".repeat(3_000_000)}[]]`, /more than 500000 values/],
  ])("of %s is refused, and others are answered meanwhile", async (name, body, message) => {
    const node = await aRunningNode();
    const text = body();
    const { error } = await beside(node, name, () => post(node, text));
    expect(error?.message).toMatch(message);
    expect(await node.ask("eth_blockNumber")).toBe("0x0");
    if (process.platform === "linux") expect(residentMebibytes(node)).toBeLessThan(700);
  });

  it.each<[string, Uint8Array, string, readonly unknown[]]>([
    [
      "a call tracer",
      assemble("loop: 0 0 0 0 0 1 GAS CALL POP @loop JUMP"),
      "debug_traceCall",
      [{ tracer: "callTracer" }],
    ],
    ["endless TSTOREs", assemble("0 loop: 1 ADD DUP1 DUP1 TSTORE @loop JUMP"), "eth_call", []],
  ])("for %s leaves others their turn", async (name, code, method, more) => {
    const node = await aRunningNode();
    await node.ask("anvil_setCode", TARGET, hex(code));
    const body = requestOf(method, { from: ALICE, to: TARGET, gas: GAS }, "latest", ...more);
    await beside(node, name, () => post(node, body));
  });

  it("for 100,000 blocks leaves others their turn", async () => {
    const node = await aRunningNode();
    await beside(node, "100,000 blocks", () => post(node, requestOf("hardhat_mine", "0x186a0")));
    expect(await node.ask("eth_blockNumber")).toBe("0x186a0");
  });
});

it("200 endless calls leave others their turn", async () => {
  const node = await aRunningNode();
  await node.ask("anvil_setCode", TARGET, hex(LOOP));
  const body = requestOf("eth_call", { from: ALICE, to: TARGET, gas: GAS }, "latest");
  await beside(node, "200 endless calls", () => Promise.all(Array.from({ length: 200 }, () => post(node, body))));
});

it("memory of executions is given back within seconds", async () => {
  const node = await aRunningNode();
  await node.ask("anvil_setCode", TARGET, hex(assemble("0 loop: 1 ADD DUP1 DUP1 TSTORE @loop JUMP")));
  const body = requestOf("eth_call", { from: ALICE, to: TARGET, gas: GAS }, "latest");
  await beside(node, "30 bombs", () => Promise.all(Array.from({ length: 30 }, () => post(node, body))));
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  if (process.platform === "linux") expect(residentMebibytes(node)).toBeLessThan(300);
});

/** The connection below a WebSocket, to be paused as a reader that stops does. */
const rawOf = (socket: WebSocket): { pause(): void; resume(): void } =>
  (socket as unknown as { readonly _socket: { pause(): void; resume(): void } })._socket;

describe("a reader that stops", () => {
  /** An answer of 900 KB. */
  const LONG = requestOf("web3_sha3", "0x");
  const code = hex(new Uint8Array(24_000));

  it("is gone after 30 s over WebSocket, and sixty of them take no more than all may", async () => {
    const node = await aRunningNode();
    await node.ask("anvil_setCode", TARGET, code);
    const batch = `[${Array.from({ length: 20 }, () => requestOf("eth_getCode", TARGET)).join(",")},${LONG}]`;
    const closed = Array.from({ length: 60 }, async () => {
      const socket = new WebSocket(node.url.replace("http", "ws"));
      await new Promise((resolve) => socket.on("open", resolve));
      rawOf(socket).pause();
      for (let count = 0; count < 30; count++) socket.send(batch);
      return socket;
    });
    const sockets = await Promise.all(closed);
    const ends = sockets.map((socket) => new Promise((resolve) => socket.on("close", resolve)));
    // As below: the 30 s of each begin with its first answer that is not read.
    await beside(node, "60 readers that stop", () => new Promise((resolve) => setTimeout(resolve, 50_000)));
    if (process.platform === "linux") expect(residentMebibytes(node)).toBeLessThan(900);
    // Nobody is left on the other side.
    for (const socket of sockets) rawOf(socket).resume();
    await Promise.all(ends);
  });

  it("is gone after 30 s over a socket file, and sixty of them take no more than all may", async () => {
    const path = join(await aFolder(), "node.ipc");
    const node = await aRunningNode(["--ipc", path]);
    await node.ask("anvil_setCode", TARGET, code);
    const batch = `[${Array.from({ length: 20 }, () => requestOf("eth_getCode", TARGET)).join(",")},${LONG}]`;
    const sockets: Socket[] = [];
    const ends: Promise<unknown>[] = [];
    for (let reader = 0; reader < 60; reader++) {
      const socket = connect(path).on("error", () => undefined);
      // One whose requests were not read is told at once that it was cut off, the others when they read.
      ends.push(new Promise((resolve) => socket.on("close", resolve)));
      socket.pause();
      for (let count = 0; count < 30; count++) socket.write(batch);
      sockets.push(socket);
    }
    await beside(
      node,
      "60 readers of a socket file that stop",
      // Their answers are made in the first seconds; the 30 s of each begin with its first answer that is not read.
      () => new Promise((resolve) => setTimeout(resolve, 50_000)),
    );
    if (process.platform === "linux") expect(residentMebibytes(node)).toBeLessThan(900);
    for (const socket of sockets) socket.resume();
    await Promise.all(ends);
  });

  it("does no harm over HTTP either", async () => {
    const node = await aRunningNode();
    await node.ask("anvil_setCode", TARGET, code);
    const batch = `[${Array.from({ length: 900 }, () => requestOf("eth_getCode", TARGET)).join(",")}]`;
    const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${batch.length}\r\n\r\n`;
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(node.port, "127.0.0.1").on("error", () => undefined);
      socket.pause();
      socket.write(head + batch);
      return socket;
    });
    await beside(node, "20 HTTP readers that stop", () => new Promise((resolve) => setTimeout(resolve, 5_000)));
    for (const socket of sockets) socket.destroy();
  });
});
