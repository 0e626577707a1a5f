/** The rows of the table of dialects, checked against the nodes that the dialects name. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { Dialect } from "../../src/node/options/dialect.ts";
import { anvilBinary, installPeers, startGanache, startPeer } from "../support/peers.mjs";
import { type AskedNode, askedNode, CASES, type Answer as CaseAnswer, type PeerName } from "./dialect-cases.ts";
import { canRunHardhat3, HARDHAT_3, hardhatProgram } from "./hardhat.ts";

type Peer = Awaited<ReturnType<typeof startPeer>>;

const TO = `0x${"c0".repeat(20)}`;
/** Execution runs out of gas, meets INVALID, takes from an empty stack, jumps to nowhere. */
const HALTS = ["0x5b600056", "0xfe", "0x50", "0x600056"];
const SET_CODE = { anvil: "anvil_setCode", hardhat: "hardhat_setCode", ganache: "evm_setAccountCode" };

let started = 0;
let installed: Awaited<ReturnType<typeof installPeers>>;

beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1", "ganache@7.9.2", ...(canRunHardhat3 ? HARDHAT_3 : [])]);
}, 300_000);
afterAll(() => installed.remove());

async function startHardhat(): Promise<Peer> {
  const folder = join(installed.folder, `project-${started++}`);
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "type": "module", "private": true }');
  await writeFile(join(folder, "hardhat.config.ts"), "export default {};\n");
  await symlink(join(installed.folder, "node_modules"), join(folder, "node_modules"));
  const [, script] = hardhatProgram(3, installed.folder);
  const [command] = hardhatProgram(3, folder);
  return startPeer(command, [script, "node", "--port", "0"], folder);
}

const PEERS: readonly (readonly [Exclude<Dialect, "hindcast">, () => Promise<Peer>])[] = [
  ["anvil", () => startPeer(anvilBinary(installed.folder), ["--port", "0"])],
  ["ganache", () => startGanache(installed.folder)],
  ...(canRunHardhat3 ? ([["hardhat", startHardhat]] as const) : []),
];

async function ask(at: string, method: string, ...params: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const reply = await fetch(at, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await reply.json()) as Answer;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly data?: unknown };
}

/**
 * A program that Hardhat runs: it answers requests on a new chain for each POST to /new, so that no case meets what another
 * one left. Hardhat 3 makes a chain, Hardhat 2 resets its own.
 */
const SERVING = {
  3: `import { createServer } from "node:http";
import hre from "hardhat";
const create = async () => (await hre.network.create()).provider;
`,
  2: `const { createServer } = require("node:http");
const { network } = require("hardhat");
const create = async () => {
  await network.provider.send("hardhat_reset", []);
  await network.provider.send("evm_setAutomine", [true]);
  return network.provider;
};
`,
} as const;
const ANSWERING = `let provider;
const answer = async (url, body) => {
  if (url === "/new") {
    provider = await create();
    return {};
  }
  try {
    return { result: await provider.request(JSON.parse(body)) };
  } catch ({ code = -32603, message, data }) {
    return { error: { code, message, data } };
  }
};
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (text) => { body += text; });
  request.on("end", async () => response.end(JSON.stringify(await answer(request.url, body))));
});
server.listen(0, "127.0.0.1", () => console.log("server at http://127.0.0.1:" + server.address().port));
`;

/** Hardhat in a project of its own, for the cases. */
async function serveHardhat(version: 2 | 3): Promise<Peer> {
  const modules = version === 2 ? hardhat2.folder : installed.folder;
  const folder = join(modules, `cases-${started++}`);
  await mkdir(folder);
  const isModule = version === 3;
  await writeFile(join(folder, "package.json"), `{ "private": true${isModule ? ', "type": "module"' : ""} }`);
  await writeFile(
    join(folder, "hardhat.config.js"),
    `${isModule ? "export default" : "module.exports ="} { solidity: "0.8.28" };`,
  );
  await writeFile(join(folder, "serve.js"), `${SERVING[version]}${ANSWERING}`);
  await symlink(join(modules, "node_modules"), join(folder, "node_modules"));
  const [command, script] = hardhatProgram(version, folder);
  return startPeer(command, [script, "run", "--no-compile", "serve.js"], folder);
}

let hardhat2: Awaited<ReturnType<typeof installPeers>>;

describe("the cases of the rows", () => {
  const asked = async (at: string, fresh: boolean): Promise<AskedNode["ask"]> => {
    if (fresh) await fetch(`${at}/new`, { method: "POST" });
    return (method, ...params) => ask(at, method, ...params) as Promise<CaseAnswer>;
  };
  const running = new Map<PeerName, Peer>();
  beforeAll(async () => {
    hardhat2 = await installPeers(["hardhat@2.28"]);
    running.set("hardhat 2", await serveHardhat(2));
    if (canRunHardhat3) running.set("hardhat 3", await serveHardhat(3));
  }, 300_000);
  afterAll(async () => {
    for (const peer of running.values()) await peer.stop();
    await hardhat2.remove();
  });

  const NAMES: readonly (readonly [PeerName, Exclude<Dialect, "hindcast">])[] = [
    ["anvil", "anvil"],
    ["hardhat 2", "hardhat"],
    ...(canRunHardhat3 ? ([["hardhat 3", "hardhat"]] as const) : []),
    ["ganache", "ganache"],
  ];

  describe.each(NAMES)("%s", (name, dialect) => {
    it.each(CASES.filter(({ exceptions = {} }) => exceptions[name] === undefined))(
      "answers as its dialect: $row, $asks",
      async ({ ask: question, answers }) => {
        const served = running.get(name);
        const peer =
          served ??
          (await (name === "anvil"
            ? startPeer(anvilBinary(installed.folder), ["--port", "0"])
            : startGanache(installed.folder)));
        try {
          const node = await askedNode(dialect, await asked(peer.url, served !== undefined));
          expect(await question(node)).toEqual(answers[dialect]);
        } finally {
          if (served === undefined) await peer.stop();
        }
      },
      60_000,
    );
  });
});

/** The data itself, or that of the object in which Hardhat has it beside a message. */
function dataOf({ error }: Answer): unknown {
  expect(error).toBeDefined();
  const data = error?.data;
  return typeof data === "object" && data !== null ? (data as { readonly data?: unknown }).data : data;
}

/** Requests that the dialects of other nodes answer. */
const POOR = `0x${"ab".repeat(20)}`;
const LENIENT: Readonly<Record<string, readonly (readonly [method: string, ...params: unknown[]])[]>> = {
  anvil: [],
  hardhat: [
    ["eth_call", { from: POOR, to: TO, value: "0x7", gasPrice: "0x77359400" }, "latest"],
    ["eth_estimateGas", { from: POOR, to: TO, value: "0x7" }],
    ["eth_estimateGas", { from: POOR, to: TO, value: "0x7", gasPrice: "0x77359400" }],
  ],
  ganache: [
    ["eth_estimateGas", { from: POOR, to: TO, value: "0x7" }],
    ["eth_estimateGas", { from: POOR, to: TO, value: "0x7", gasPrice: "0x77359400" }],
  ],
};
const NUMBERS = [
  ["eth_getBlockByNumber", 0, false],
  ["eth_getBlockTransactionCountByNumber", 0],
  ["eth_estimateGas", { to: TO, value: 0, gas: 50_000 }],
] as const;

describe.each(PEERS)("%s", (dialect, start) => {
  it("sends the data of halts that its dialect sends", async () => {
    const peer = await start();
    await using node = await createNode({ dialect });
    const { url } = await node.listen({ port: 0 });
    try {
      for (const code of HALTS) {
        const data = [];
        for (const at of [peer.url, url]) {
          expect(await ask(at, SET_CODE[dialect], TO, code)).not.toHaveProperty("error");
          data.push(dataOf(await ask(at, "eth_call", { to: TO, gas: "0x186a0" }, "latest")));
        }
        expect([code, data[1]]).toEqual([code, data[0]]);
      }
    } finally {
      await peer.stop();
    }
  }, 120_000);

  it("answers what its dialect answers of senders without funds and of JSON numbers", async () => {
    const peer = await start();
    await using node = await createNode({ dialect });
    const { url } = await node.listen({ port: 0 });
    try {
      // Returns what the caller has left, and what has arrived.
      const setCode = [SET_CODE[dialect], TO, "0x33316000524760205260406000f3"] as const;
      for (const at of [peer.url, url]) expect(await ask(at, ...setCode)).not.toHaveProperty("error");
      for (const request of [...(LENIENT[dialect] ?? []), ...NUMBERS]) {
        const [theirs, ours] = [await ask(peer.url, ...request), await ask(url, ...request)];
        expect([request, theirs.error, ours.error]).toEqual([request, undefined, undefined]);
        if (request[0] === "eth_call") expect(ours.result).toBe(theirs.result);
      }
    } finally {
      await peer.stop();
    }
  }, 120_000);
});
