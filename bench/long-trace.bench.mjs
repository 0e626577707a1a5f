// Traces of ten million steps over HTTP, each from a process of its own whose heap is 256 MB: speed and memory.
import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";

export const name = "ten million steps over HTTP, heap of 256 MB";

const WORKER = fileURLToPath(new URL("./long-trace-worker.mjs", import.meta.url));
const ADDRESS = `0x${"77".repeat(20)}`;
const STEPS = 10_000_000;
const CALL = { to: ADDRESS, gas: `0x${(21_000 + 3 + (STEPS / 5) * 18).toString(16)}` };

export async function rows() {
  return {
    "struct log": await row("debug_traceCall", [CALL, "latest"]),
    vmTrace: await row("trace_call", [CALL, ["vmTrace"]]),
  };
}

async function row(method, params) {
  const child = fork(WORKER, [ADDRESS], { execArgv: ["--max-old-space-size=256"] });
  try {
    const [port] = await once(child, "message");
    const before = await used(child);
    const start = performance.now();
    const { bytes, firstMs } = await read(port, { jsonrpc: "2.0", id: 1, method, params }, start);
    const ms = Math.round(performance.now() - start);
    const after = await used(child);
    if (bytes < 50 * STEPS) throw new Error(`${method}: the answer has ${bytes} bytes only`);
    const note = [
      `${Math.round(bytes / 1e6)} MB`,
      `first byte after ${Math.round(firstMs)} ms`,
      `${((after.cpuMs - before.cpuMs) / 1000).toFixed(1)} s of processor time`,
      `peak RSS ${after.peakMegabytes} MB, ${before.peakMegabytes} before`,
    ].join(", ");
    return { runs: 1, medianMs: ms, p95Ms: ms, minMs: ms, note };
  } finally {
    child.kill();
  }
}

async function used(child) {
  const answer = once(child, "message");
  child.send("used");
  return (await answer)[0];
}

async function read(port, body, start) {
  const headers = { "content-type": "application/json" };
  const reply = await new Promise((resolve, reject) => {
    request({ port, method: "POST", headers }, resolve).on("error", reject).end(JSON.stringify(body));
  });
  let bytes = 0;
  let firstMs;
  for await (const chunk of reply) {
    firstMs ??= performance.now() - start;
    bytes += chunk.length;
  }
  return { bytes, firstMs };
}
