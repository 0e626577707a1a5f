/** The rows of the table of dialects, checked against the nodes that the dialects name. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { Dialect } from "../../src/node/options/dialect.ts";
import { anvilBinary, installPeers, startGanache, startPeer } from "../support/peers.mjs";
import { canRunHardhat3, HARDHAT_3, hardhatProgram } from "./hardhat.ts";

type Peer = Awaited<ReturnType<typeof startPeer>>;

const TO = `0x${"c0".repeat(20)}`;
/** Execution runs out of gas, meets INVALID, takes from an empty stack, jumps to nowhere. */
const HALTS = ["0x5b600056", "0xfe", "0x50", "0x600056"];
const SET_CODE = { anvil: "anvil_setCode", hardhat: "hardhat_setCode", ganache: "evm_setAccountCode" };

let installed: Awaited<ReturnType<typeof installPeers>>;

beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1", "ganache@7.9.2", ...(canRunHardhat3 ? HARDHAT_3 : [])]);
}, 300_000);
afterAll(() => installed.remove());

async function startHardhat(): Promise<Peer> {
  const folder = join(installed.folder, "project");
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

interface Answer {
  readonly error?: { readonly data?: unknown };
}

/** The data itself, or that of the object in which Hardhat has it beside a message. */
function dataOf({ error }: Answer): unknown {
  expect(error).toBeDefined();
  const data = error?.data;
  return typeof data === "object" && data !== null ? (data as { readonly data?: unknown }).data : data;
}

describe.each(PEERS)("%s", (dialect, start) => {
  it("sends the data of halts that its dialect sends", async () => {
    const peer = await start();
    await using node = await createNode({ dialect });
    const { url } = await node.listen({ port: 0 });
    const ask = async (at: string, method: string, ...params: unknown[]): Promise<Answer> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const reply = await fetch(at, { method: "POST", headers: { "content-type": "application/json" }, body });
      return (await reply.json()) as Answer;
    };
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
});
