/** Traces of ten million steps over HTTP, from a process whose heap could never hold their text. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LongTraceReport } from "./long-trace-node.ts";

const HEAP_MB = 256;
const STEPS = 10_000_000;
/** Three gas for the push in front, 18 for each round of five steps; one step more finds no gas. */
const GAS = 21_000 + 3 + (STEPS / 5) * 18;
const CALL = { to: `0x${"77".repeat(20)}`, gas: `0x${GAS.toString(16)}` };

let child: ChildProcess;
let port: number;

beforeAll(async () => {
  child = fork(fileURLToPath(new URL("long-trace-node.ts", import.meta.url)), {
    execArgv: [
      `--max-old-space-size=${HEAP_MB}`,
      "--import",
      fileURLToPath(new URL("../../store/run-typescript.mjs", import.meta.url)),
    ],
  });
  [port] = (await once(child, "message")) as [number];
});
afterAll(() => {
  child.kill();
});

async function report(): Promise<LongTraceReport> {
  const answer = once(child, "message");
  child.send("report");
  return ((await answer) as [LongTraceReport])[0];
}

function ask(method: string, params: readonly unknown[]): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, method: "POST", headers: { "content-type": "application/json" } }, resolve);
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  });
}

/** Count of a word in an answer, its length, and its end. */
async function read(reply: IncomingMessage, word: string): Promise<{ count: number; bytes: number; end: string }> {
  let count = 0;
  let bytes = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Words may lie across two chunks.
    const text = Buffer.concat([rest, chunk]);
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) count++;
    rest = text.subarray(-(word.length - 1));
  }
  return { count, bytes, end: rest.toString() };
}

it("a struct log of ten million steps reaches its reader whole", async () => {
  const { count, bytes, end } = await read(await ask("debug_traceCall", [CALL, "latest"]), '{"pc":');
  expect(count).toBe(STEPS + 2);
  expect(bytes).toBeGreaterThan(3 * HEAP_MB * 1024 * 1024);
  expect(end).toMatch(/\]\}\}$/);
});

it("a vmTrace of ten million steps reaches its reader whole", async () => {
  const { count, bytes, end } = await read(await ask("trace_call", [CALL, ["vmTrace"]]), '{"cost":');
  expect(count).toBe(STEPS + 2);
  expect(bytes).toBeGreaterThan(3 * HEAP_MB * 1024 * 1024);
  expect(end).toMatch(/\}\]\}\}\}$/);
});

it("work stops when the reader goes away, and the node goes on", async () => {
  const before = await report();
  const reply = await ask("debug_traceCall", [CALL, "latest"]);
  await once(reply, "readable");
  reply.read();
  reply.destroy();
  let after = await report();
  while (after.ended === before.ended) {
    await delay(50);
    after = await report();
  }
  // A whole answer has more than ten thousand.
  expect(after.pieces - before.pieces).toBeLessThan(1_000);
  const { end } = await read(await ask("eth_chainId", []), "result");
  expect(end).toContain("}");
  // Never the steps, 380 MB a trace, nor the text, which is longer than a gigabyte; measured: 260 MB, 160 of them at rest.
  expect(after.peakMb).toBeLessThan(500);
});
