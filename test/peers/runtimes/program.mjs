// Run by each runtime with the path of the package's bundle, and that of a JSON file of methods. Prints what it found as JSON.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runExamples } from "../../../.ci/example-chain.mjs";

const [bundle, methods] = process.argv.slice(2);
const { createNode } = await import(pathToFileURL(bundle).href);
const TRACER = "{count: 0, step() { this.count++ }, fault() {}, result() { return this.count }}";
/** Runs two instructions. */
const CREATION = "0x600060005260006000f3";

/** A chain that grows by three blocks: over the provider, HTTP and WebSocket, with a tracer in a thread. */
async function grow(options) {
  const node = await createNode({ timestamp: 1_700_000_000n, ...options });
  try {
    const ask = (method, ...params) => node.provider.request({ method, params });
    const [from, to] = await ask("eth_accounts");
    const start = await ask("eth_blockNumber");
    const paid = await ask("eth_sendTransaction", { from, to, value: "0x1" });
    const created = await ask("eth_sendTransaction", { from, data: CREATION, gas: "0x186a0" });
    const count = () => ask("debug_traceTransaction", created, { tracer: TRACER });
    // A busy machine may compile QuickJS for longer than a tracer's function may run.
    const steps = await count().catch((error) => (/longer than/.test(error.message) ? count() : Promise.reject(error)));
    const { url } = await node.listen({ port: 0 });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    return {
      start,
      trace: (await ask("trace_transaction", paid)).length,
      steps,
      overHttp: (await response.json()).result,
      head: await headOver(url.replace(/^http/, "ws"), () => ask("evm_mine")),
    };
  } finally {
    await node.close();
  }
}

/** The number of the block that a subscription tells of. */
async function headOver(url, mine) {
  const socket = new WebSocket(url);
  const messages = [];
  const next = () =>
    new Promise((resolve) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(data));
    });
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const subscribed = next();
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
  messages.push(await subscribed);
  const head = next();
  await mine();
  messages.push(await head);
  socket.close();
  return messages[1].params.result.number;
}

const folder = mkdtempSync(join(tmpdir(), "hindcast-runtime-"));
try {
  const chains = [await grow({}), await grow({ dataDir: folder }), await grow({ dataDir: folder })];
  const answers = await runExamples(createNode, JSON.parse(readFileSync(methods, "utf8")));
  // Also when threads or timers are left, which a runtime may wait for: that is what the caller's patience is for.
  console.log(JSON.stringify({ chains, answers }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
