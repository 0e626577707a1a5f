/** The rows of the table of dialects, and the questions around them, asked of the nodes that the dialects name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { Dialect } from "../../src/node/options/dialect.ts";
import { ProviderRpcError } from "../../src/rpc/provider.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";
import { type Answer, type AskedNode, askedNode, CASES, type PeerName } from "./dialect-cases.ts";
import { canRunHardhat3, HARDHAT_3 } from "./hardhat.ts";

import { exceptionOf } from "./questions/exceptions.ts";
import { followed, lacksMethod } from "./questions/question.ts";
import { QUESTIONS } from "./questions/questions.ts";
import { startServed } from "./served-node.ts";

type Peer = Awaited<ReturnType<typeof startPeer>>;

const DIALECTS: readonly (readonly [PeerName, Exclude<Dialect, "hindcast">])[] = [
  ["anvil", "anvil"],
  ["hardhat 2", "hardhat"],
  ...(canRunHardhat3 ? ([["hardhat 3", "hardhat"]] as const) : []),
  ["ganache", "ganache"],
];
/** These begin a new chain on request. Anvil is started for each question. */
const served = new Map<PeerName, Peer>();
let installed: Awaited<ReturnType<typeof installPeers>>;
let hardhat2: Awaited<ReturnType<typeof installPeers>>;

beforeAll(async () => {
  [installed, hardhat2] = await Promise.all([
    installPeers(["@foundry-rs/anvil@1.7.1", "ganache@7.9.2", ...(canRunHardhat3 ? HARDHAT_3 : [])]),
    installPeers(["hardhat@2.28.6"]),
  ]);
  served.set("hardhat 2", await startServed("hardhat 2", hardhat2.folder));
  served.set("ganache", await startServed("ganache", installed.folder));
  if (canRunHardhat3) served.set("hardhat 3", await startServed("hardhat 3", installed.folder));
});
afterAll(async () => {
  for (const peer of served.values()) await peer.stop();
  await Promise.all([installed.remove(), hardhat2.remove()]);
});

function over(at: string): AskedNode["ask"] {
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const reply = await fetch(at, { method: "POST", headers: { "content-type": "application/json" }, body });
    return (await reply.json()) as Answer;
  };
}

/** Milliseconds after which a node counts as one that does not answer: Ganache waits for what is never mined. */
const PATIENCE_MS = 20_000;

async function inTime(asking: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, "no answer");
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a new chain of the peer answers. */
async function asked(
  name: PeerName,
  dialect: Dialect,
  question: (node: AskedNode) => Promise<unknown>,
): Promise<unknown> {
  const running = served.get(name);
  if (running !== undefined) {
    await fetch(`${running.url}/new`, { method: "POST" });
    return inTime(askedNode(dialect, over(running.url)).then(question));
  }
  const peer = await startPeer(anvilBinary(installed.folder), ["--port", "0"]);
  try {
    return await inTime(askedNode(dialect, over(peer.url)).then(question));
  } finally {
    await peer.stop();
  }
}

async function askedOurs(dialect: Dialect, question: (node: AskedNode) => Promise<unknown>): Promise<unknown> {
  await using node = await createNode({ dialect });
  const ask: AskedNode["ask"] = async (method, ...params) => {
    try {
      return { result: await node.provider.send(method, params) };
    } catch (error) {
      if (error instanceof ProviderRpcError) return { error };
      throw error;
    }
  };
  return await question(await askedNode(dialect, ask));
}

describe.each(DIALECTS)("%s", (name, dialect) => {
  it.each(CASES.filter(({ exceptions = {} }) => exceptions[name] === undefined))(
    "answers as its dialect: $row, $asks",
    async ({ ask, answers }) => expect(await asked(name, dialect, ask)).toEqual(answers[dialect]),
  );

  it.each(QUESTIONS.filter(({ only }) => only === undefined || only.includes(dialect)))(
    "is asked for $asks",
    async ({ asks, ask }) => {
      const theirs = await asked(name, dialect, ask);
      if (lacksMethod(theirs)) return;
      const [followedOne, ours] = [theirs, await askedOurs(dialect, ask)].map((answer) => followed(answer, dialect));
      if (exceptionOf(name, asks) === undefined) expect(ours).toEqual(followedOne);
      else expect(ours).not.toEqual(followedOne);
    },
  );
});
