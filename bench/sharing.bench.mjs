// Nodes that follow another one: how late they are, what following costs beside executing, and what more readers serve, asked
// one by one and behind nginx, where that is installed. All are processes of the built command, on this machine, whose cores
// they and the client share.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createNode } from "../dist/bundle/index.js";
import { summary } from "./measure.mjs";

const CLI = fileURLToPath(new URL("../dist/bundle/hindcast.js", import.meta.url));
const LIBRARY = new URL("../dist/bundle/index.js", import.meta.url).href;
const TOKEN = "a token for this bench";
const FROM = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const CONTRACT = `0x${"00".repeat(18)}c0de`;
/** Adds 1 to slot 0 and logs it. */
const COUNTER = "0x6000546001018060005560005260206000a000";
/** Seconds of the genesis block, which an import needs as well. */
const BEGINNING = 1_700_000_000;
const TRANSFERS = { blocks: 60, each: 250 };
const WARM_UP = 20;
const quantity = (value) => `0x${value.toString(16)}`;

export const name = "shared chains";

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "hindcast-sharing-"));
  const nodes = [];
  const start = async (...flags) => {
    const node = await startNode(flags);
    nodes.push(node);
    return node;
  };
  try {
    const writer = await start("--share", "--timestamp", String(BEGINNING));
    const readers = [await start("--follow", writer.url), await start("--follow", writer.url)];
    const results = {
      // First: an edited state cannot be imported.
      ...(await applying(writer, readers[0], folder)),
      ...(await lag(writer, readers[0])),
      ...(await throughput(writer, readers)),
    };
    if (!hasNginx()) {
      console.error("  left out: nginx is not installed (apt-get install nginx-light)");
      return results;
    }
    readers.push(await start("--follow", writer.url), await start("--follow", writer.url));
    return { ...results, ...(await behindNginx(writer, readers, folder)) };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds between a block's announcements by the writer and by a reader. */
async function lag(writer, reader) {
  await writer.ask("anvil_setCode", CONTRACT, COUNTER);
  const seen = [writer, reader].map(() => new Map());
  const sockets = await Promise.all([writer, reader].map((node, index) => headsOf(node, seen[index])));
  const sent = [];
  for (let round = 0; round < 300; round++) {
    const start = performance.now();
    await writer.ask("eth_sendTransaction", { from: FROM, to: CONTRACT, gas: "0x186a0" });
    sent.push(performance.now() - start);
  }
  while (seen[1].size < seen[0].size) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const socket of sockets) socket.close();
  const lags = [...seen[0]].slice(50).map(([hash, at]) => seen[1].get(hash) - at);
  return {
    "head at a reader after the writer's": { ...summary(lags), note: `p99 ${percentile(lags, 0.99).toFixed(1)} ms` },
    "transaction at a writer with two readers": summary(sent.slice(50)),
  };
}

async function headsOf(node, seen) {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(node.url.replace("http", "ws"));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.on("message", (text) => {
    const hash = JSON.parse(text).params?.result?.hash;
    if (hash !== undefined) seen.set(hash, performance.now());
  });
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }));
  return socket;
}

/** Processor time of a reader that follows blocks, beside that of a node that imports the same blocks. */
async function applying(writer, reader, folder) {
  await writer.ask("evm_setAutomine", false);
  await caughtUp(writer, reader);
  // Not counted: until its code is compiled.
  await mineBlocks(writer, WARM_UP);
  await caughtUp(writer, reader);
  const before = processorMs(reader);
  await mineBlocks(writer, TRANSFERS.blocks);
  await caughtUp(writer, reader);
  const followed = processorMs(reader) - before;
  await writer.ask("evm_setAutomine", true);
  const imported = await importing(writer, folder);
  const count = TRANSFERS.blocks * TRANSFERS.each;
  return {
    "processor time of a reader per transfer": {
      runs: count,
      medianMs: followed / count,
      p95Ms: followed / count,
      minMs: followed / count,
      note: `${(followed / imported).toFixed(2)} of importing the blocks`,
    },
  };
}

/** Blocks of transfers, each to an account of its own. */
async function mineBlocks(writer, count) {
  for (let block = 0; block < count; block++) {
    const nonce = Number(await writer.ask("eth_getTransactionCount", FROM, "latest"));
    const call = { from: FROM, value: "0x1", gas: "0x5208" };
    await Promise.all(
      Array.from({ length: TRANSFERS.each }, (_, index) => {
        const to = `0x${(index + 4096).toString(16).padStart(40, "f")}`;
        return writer.ask("eth_sendTransaction", { ...call, to, nonce: quantity(nonce + index) });
      }),
    );
    await writer.ask("evm_mine");
  }
}

/** Processor time of a process that imports the blocks: they are exported by a node that loads the writer's state. */
async function importing(writer, folder) {
  const state = Buffer.from((await writer.ask("anvil_dumpState")).slice(2), "hex");
  const node = await createNode({ timestamp: BigInt(BEGINNING) });
  await node.loadState(state);
  const blocks = [];
  for await (const block of node.exportChain()) blocks.push(block);
  await node.close();
  const file = join(folder, "chain.rlp");
  writeFileSync(`${file}-first`, Buffer.concat(blocks.slice(0, WARM_UP)));
  writeFileSync(file, Buffer.concat(blocks.slice(WARM_UP)));
  const program = `
    import { createNode } from ${JSON.stringify(LIBRARY)};
    import { readFileSync } from "node:fs";
    const node = await createNode({ timestamp: ${BEGINNING}n });
    await node.importChain(readFileSync(${JSON.stringify(`${file}-first`)}));
    const before = process.cpuUsage();
    await node.importChain(readFileSync(${JSON.stringify(file)}));
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000);
    await node.close();`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }));
}

/** What is asked of all nodes. */
async function questions(writer) {
  const head = await writer.ask("eth_blockNumber");
  const call = { from: FROM, to: CONTRACT, gas: "0x186a0" };
  return {
    eth_call: ["eth_call", call, head],
    "trace_callMany of 20": [
      "trace_callMany",
      Array.from({ length: 20 }, () => [call, ["trace", "stateDiff", "vmTrace"]]),
      head,
    ],
    "eth_getLogs of 300": ["eth_getLogs", { fromBlock: "0x1", toBlock: "0x12c", address: CONTRACT }],
    trace_filter: ["trace_filter", { fromBlock: "0x1", toBlock: "0x12c", count: 100 }],
  };
}

async function throughput(writer, readers) {
  await Promise.all(readers.map((reader) => caughtUp(writer, reader)));
  const result = {};
  for (const [row, asked] of Object.entries(await questions(writer))) {
    const alone = [];
    const rates = { 1: [], 2: [] };
    for (let round = 0; round < 3; round++) {
      alone.push(await rate([writer], asked));
      for (const count of [1, 2]) rates[count].push(await rate([writer, ...readers.slice(0, count)], asked));
    }
    const base = median(alone);
    result[`${row}, writer and two readers`] = {
      ...summary(rates[2].map((each) => 1_000 / each)),
      note: `${Object.entries(rates)
        .map(([count, list]) => `${count} reader${count === "1" ? "" : "s"} ${(median(list) / base).toFixed(2)}`)
        .join(", ")} of the requests that the writer alone serves`,
    };
  }
  return result;
}

/** The same requests through nginx, which gives each to the reader with the fewest, beside one reader that is asked directly. */
async function behindNginx(writer, readers, folder) {
  await Promise.all(readers.map((reader) => caughtUp(writer, reader)));
  const proxies = [];
  for (const count of [1, 2, 4]) proxies.push([count, await startNginx(readers.slice(0, count), folder)]);
  const result = {};
  try {
    for (const [row, asked] of Object.entries(await questions(writer))) {
      const alone = [];
      const rates = new Map(proxies.map(([count]) => [count, []]));
      for (let round = 0; round < 3; round++) {
        alone.push(await rate([readers[0]], asked, 8));
        for (const [count, proxy] of proxies) rates.get(count).push(await rate([proxy], asked, 8));
      }
      const base = median(alone);
      const shares = [...rates].map(([count, list]) => `${count}: ${(median(list) / base).toFixed(2)}`);
      result[`${row}, four readers behind nginx`] = {
        ...summary(rates.get(4).map((each) => 1_000 / each)),
        note: `of the requests that one reader serves without it, by number of readers ${shares.join(", ")}`,
      };
    }
  } finally {
    for (const [, proxy] of proxies) await proxy.stop();
  }
  return result;
}

function hasNginx() {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function startNginx(readers, folder) {
  const port = await freePort();
  const file = join(folder, `nginx-${port}.conf`);
  const servers = readers.map(({ url }) => `server ${new URL(url).host};`).join(" ");
  writeFileSync(
    file,
    `daemon off; pid ${file}.pid; error_log stderr error; worker_processes 1;
    events { worker_connections 1024; }
    http {
      access_log off; client_body_temp_path ${file}-body; proxy_temp_path ${file}-proxy;
      fastcgi_temp_path ${file}-fastcgi; uwsgi_temp_path ${file}-uwsgi; scgi_temp_path ${file}-scgi;
      upstream readers { least_conn; ${servers} keepalive 64; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://readers; proxy_http_version 1.1;
          proxy_set_header Connection ""; proxy_set_header Host 127.0.0.1;
        }
      }
    }`,
  );
  const child = spawn("nginx", ["-c", file], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const url = `http://127.0.0.1:${port}`;
  const ask = (method, ...params) => post(agent, url, method, params);
  for (let attempt = 0; ; attempt++) {
    try {
      await ask("eth_blockNumber");
      break;
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return {
    ask,
    stop: async () => {
      agent.destroy();
      child.kill();
      await ended;
    },
  };
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Requests a second that these nodes answer together. */
async function rate(nodes, [method, ...params], inFlight = 4) {
  const until = performance.now() + 1_500;
  let count = 0;
  const work = async (node) => {
    while (performance.now() < until) {
      await node.ask(method, ...params);
      count++;
    }
  };
  const start = performance.now();
  await Promise.all(nodes.flatMap((node) => Array.from({ length: inFlight }, () => work(node))));
  return (count * 1_000) / (performance.now() - start);
}

const sorted = (list) => [...list].sort((left, right) => left - right);
const median = (list) => sorted(list)[Math.floor(list.length / 2)];
const percentile = (list, share) => sorted(list)[Math.floor(list.length * share)];

async function caughtUp(writer, reader) {
  for (;;) {
    const [left, right] = await Promise.all([writer, reader].map((node) => node.ask("hindcast_status")));
    if (left.sequence === right.sequence) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Processor time of a process so far. */
function processorMs({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function startNode(flags) {
  const child = spawn(process.execPath, [CLI, "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HINDCAST_SHARE_TOKEN: TOKEN },
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    let text = "";
    const look = (part) => {
      text += part;
      const found = /^Listening on (\S+)$/m.exec(text);
      if (found === null) return;
      // The log of thousands of transactions, looked through again for each line, would be measured as the node's.
      child.stdout.off("data", look).resume();
      resolve(`http://${found[1]}`);
    };
    child.stdout.setEncoding("utf8").on("data", look);
    child.once("close", () => reject(new Error("the node ended")));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  return {
    url,
    pid: child.pid,
    ask: (method, ...params) => post(agent, url, method, params),
    stop: async () => {
      agent.destroy();
      child.kill();
      await ended;
    },
  };
}

function post(agent, url, method, params) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const outgoing = request(url, { method: "POST", agent, headers }, (reply) => {
      const chunks = [];
      reply.on("data", (chunk) => chunks.push(chunk));
      reply.on("error", reject);
      reply.on("end", () => {
        const { result, error } = JSON.parse(Buffer.concat(chunks).toString());
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
