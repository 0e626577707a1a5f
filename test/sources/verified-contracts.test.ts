import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { deployLedger, readLedger } from "../services/simulate/what-if/ledger.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, BOB, openNode, serve } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";
import { aSourceServer, type SourceServer, sourcifyAnswer } from "./a-source-server.ts";

const CHAIN = 5_000;
const LEDGER = readLedger("plain");
const COMPILED = { ...LEDGER, path: "src/Ledger.sol", name: "Ledger" };

async function openOrigin(origin: HindcastNode) {
  const { address, library, deposit, collect } = await deployLedger(origin, LEDGER);
  const paid = await deposit(BOB, 1_000n);
  const refused = await collect(BOB);
  const { url } = await serve(origin);
  return { origin, address, library, paid, refused, url };
}

/** A chain for tests that change it. */
const anOrigin = async () => openOrigin(await aNode({ chainId: CHAIN }));

/** The same for tests that only read. */
let shared: Awaited<ReturnType<typeof openOrigin>>;
beforeAll(async () => {
  shared = await openOrigin(await openNode({ chainId: CHAIN }));
});
afterAll(() => shared.origin.close());

const codeOf = async (node: HindcastNode, address: Hex): Promise<Hex> =>
  (await node.provider.request({ method: "eth_getCode", params: [address, "latest"] })) as Hex;

/** A chain, and a server that has the sources of its contracts. */
async function aVerifiedChain(members: Readonly<Record<string, unknown>> = {}, chain = shared) {
  const server = await aSourceServer();
  for (const [address, name] of [
    [chain.address, "Ledger"],
    [chain.library, "Rates"],
  ] as const) {
    const place = { chainId: `${CHAIN}`, address, onchainBytecode: await codeOf(chain.origin, address) };
    server.add(CHAIN, address, sourcifyAnswer({ ...COMPILED, name }, place, members));
  }
  return { ...chain, server };
}

/** Waits as long as a loaded machine needs. */
const patient = (...urls: readonly string[]) => ({ urls, timeoutMs: 60_000 });

const aFork = (
  url: string,
  sources: NodeOptions["sources"],
  options: Partial<NodeOptions> = {},
): Promise<HindcastNode> =>
  aNode({ fork: { url, cache: false }, ...(sources === undefined ? {} : { sources }), ...options });

const ask = (node: HindcastNode, method: string, ...params: readonly unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

describe("a contract of a fork that a server knows", () => {
  it("has names, source lines, storage and a profile, without any artifact", async () => {
    const chain = await aVerifiedChain();
    const node = await aFork(chain.url, patient(chain.server.url));
    const text = await node.renderTrace(chain.paid);
    expect(text).toContain("Ledger::deposit{value: 1000}()");
    expect(text).toContain("Rates::feeOf(1000, 25) [delegatecall]");
    expect(text).toContain("emit Deposited(from: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, amount: 975)");

    const refused = (await ask(node, "hindcast_explainTransaction", chain.refused)) as {
      readonly text: string;
      readonly frames: readonly unknown[];
    };
    expect(refused.frames).toMatchObject([
      {
        ...{ contract: "Ledger", function: "collect", file: "src/Ledger.sol", line: 33 },
        ...{ recognition: "exact", sourceMatch: "full", isApproximate: false },
      },
    ]);
    expect(refused.text).toContain("at Ledger.collect (src/Ledger.sol:33:9) [source from a server]");

    expect(await ask(node, "hindcast_stateChanges", chain.paid)).toMatchObject({
      storage: [
        { contract: "Ledger", name: "fees", before: "0", after: "25" },
        { name: "balances[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]", before: "0", after: "975" },
      ],
    });
    expect(await ask(node, "hindcast_getStorage", chain.address)).toMatchObject({
      contract: "Ledger",
      slots: [{ variables: [{ name: "fees", type: "uint256", value: "25" }] }],
    });
    const { functions } = (await ask(node, "hindcast_gasProfile", chain.paid)) as {
      readonly functions: readonly { readonly name: string }[];
    };
    expect(functions.map(({ name }) => name)).toContain("Ledger.deposit");
    expect(await ask(node, "hindcast_getCalls", chain.paid)).toMatchObject({
      calls: [
        { contract: "Ledger", function: "deposit" },
        { contract: "Rates", function: "feeOf" },
      ],
      storage: [{ variables: [{ name: "fees" }] }, {}],
    });
    expect(await ask(node, "hindcast_getBuilds", chain.paid)).toHaveLength(2);
  });

  it("shows its sources and its ABI with the mark of a full match", async () => {
    const { server, address, url } = await aVerifiedChain();
    const fresh = await aFork(url, patient(server.url));
    const sources = (await ask(fresh, "hindcast_getSources", address)) as {
      readonly files: { readonly path: string }[];
    };
    expect(sources).toMatchObject({ contract: "Ledger", sourceMatch: "full" });
    expect(sources.files.map(({ path }) => path)).toEqual(["src/Ledger.sol"]);
    expect(await ask(fresh, "hindcast_getContract", address)).toMatchObject({ name: "Ledger", sourceMatch: "full" });
  });

  it("is asked for once, by chain id and address alone", async () => {
    const { server, url, paid, refused, address, library } = await aVerifiedChain();
    const fresh = await aFork(url, patient(server.url));
    for (const hash of [paid, paid, refused]) await fresh.renderTrace(hash);
    const paths = server.requests.map(({ url: path }) => path.split("?")[0]?.toLowerCase());
    expect(paths.sort()).toEqual([library, address].map((of) => `get /server/v2/contract/${CHAIN}/${of}`).sort());
    for (const { body, headers } of server.requests) {
      expect(body).toBe("");
      expect(headers).not.toHaveProperty("authorization");
      expect(headers).not.toHaveProperty("referer");
      expect(headers).not.toHaveProperty("cookie");
    }
  });

  it("explains a call that fails, also in the error of eth_call", async () => {
    const { server, url, address } = await aVerifiedChain();
    const fresh = await aFork(url, patient(server.url), { solidityStack: true });
    const data = encodeFunctionData({ abi: LEDGER.ledger.abi, functionName: "collect" });
    await expect(ask(fresh, "eth_call", { from: BOB, to: address, data }, "latest")).rejects.toMatchObject({
      message: expect.stringContaining("at Ledger.collect (src/Ledger.sol:33:9)"),
    });
  });

  it("is not looked up where an artifact describes it", async () => {
    const { server, url, paid } = await aVerifiedChain();
    const fresh = await aFork(url, patient(server.url));
    fresh.abi.addBuild(LEDGER.input, LEDGER.output);
    expect(await fresh.renderTrace(paid)).toContain("Ledger::deposit");
    expect(server.requests).toEqual([]);
  });
});

describe("a source that is not the code's", () => {
  it("is not believed", async () => {
    const { origin, url, address, paid } = shared;
    const server = await aSourceServer();
    const place = { chainId: `${CHAIN}`, address, onchainBytecode: "0x6001" };
    server.add(
      CHAIN,
      address,
      sourcifyAnswer({ ...COMPILED, path: "src/LoggedLedger.sol", name: "LoggedLedger" }, place),
    );
    const node = await aFork(url, patient(server.url));
    expect(await node.renderTrace(paid)).not.toContain("Ledger");
    expect(await ask(node, "hindcast_getSources", address)).toBeNull();
    expect(await codeOf(origin, address)).not.toBe("0x6001");
  });

  it.each([
    ["no match at all", { match: null, runtimeMatch: null, creationMatch: null }],
    ["a match by another word", { match: "yes", runtimeMatch: "yes", creationMatch: "yes" }],
    ["no recompiled code", { runtimeBytecode: {} }],
    ["a name that is none", { compilation: { name: "\u001b[2J", fullyQualifiedName: "a.sol:\u001b[2J" } }],
    ["a path with control characters", { compilation: { name: "A", fullyQualifiedName: "a\u0007.sol:A" } }],
    ["an ABI that is none", { abi: [{ type: "function", name: 5 }] }],
    ["a function with a name that is none", { abi: [{ type: "function", name: "\u001b[1m", inputs: [] }] }],
  ])("is not believed with %s", async (_title, members) => {
    const { server, url, paid, address } = await aVerifiedChain(members);
    const node = await aFork(url, patient(server.url));
    const text = await node.renderTrace(paid);
    expect(text).not.toContain("deposit");
    expect(text).not.toContain("\u001b");
    expect(await ask(node, "hindcast_getSources", address)).toBeNull();
  });

  it("is a partial match if the server says so", async () => {
    const { server, url, address } = await aVerifiedChain({
      match: "match",
      runtimeMatch: "match",
      creationMatch: null,
    });
    const node = await aFork(url, patient(server.url));
    expect(await ask(node, "hindcast_getSources", address)).toMatchObject({
      contract: "Ledger",
      sourceMatch: "partial",
    });
  });

  it("is a partial match if only its metadata differs, whatever the server says", async () => {
    const { server, url, address, origin } = await aVerifiedChain({}, await anOrigin());
    const code = await codeOf(origin, address);
    // The hash in the metadata; its last bytes are the version of solc and the length.
    const changed = `${code.slice(0, -60)}${code.at(-60) === "0" ? "1" : "0"}${code.slice(-59)}`;
    await ask(origin, "hardhat_setCode", address, changed);
    await origin.mine();
    const node = await aFork(url, patient(server.url));
    expect(await ask(node, "hindcast_getSources", address)).toMatchObject({
      contract: "Ledger",
      sourceMatch: "partial",
    });
  });

  it("is believed if the recorded code is the chain's, though the recompiled one needs unknown changes", async () => {
    const { origin, url, address, paid } = shared;
    const server = await aSourceServer();
    const onchainBytecode = await codeOf(origin, address);
    const place = { chainId: `${CHAIN}`, address, onchainBytecode };
    const answer = sourcifyAnswer(COMPILED, place) as { readonly runtimeBytecode: object };
    const runtimeBytecode = { ...answer.runtimeBytecode, immutableReferences: {} };
    server.add(CHAIN, address, { ...answer, runtimeBytecode });
    const node = await aFork(url, patient(server.url));
    expect(await node.renderTrace(paid)).toContain("Ledger::deposit");
  });
});

describe("the cache of sources", () => {
  it("serves an offline fork from its folder", async () => {
    const { server, url, paid, refused } = await aVerifiedChain();
    const cache = { folder: await aFolder() };
    const online = await aNode({ fork: { url, cache }, sources: patient(server.url) });
    const [tree, stack] = [await online.renderTrace(paid), await online.renderTrace(refused)];
    const asked = server.requests.length;
    const blockHash = encodeData(online.fork?.blockHash ?? new Uint8Array());
    const offline = await aNode({
      fork: { url, cache, offline: true, blockHash, chainId: CHAIN },
      sources: patient(server.url),
    });
    expect(await offline.renderTrace(paid)).toBe(tree);
    expect(await offline.renderTrace(refused)).toBe(stack);
    expect(tree).toContain("Ledger::deposit");
    expect(server.requests).toHaveLength(asked);
  });

  it("remembers what a server does not know, also for the next node", async () => {
    const { url, paid } = shared;
    const server = await aSourceServer();
    const fork = { url, cache: { folder: await aFolder() } };
    for (let times = 0; times < 2; times++) {
      const node = await aNode({ fork, sources: patient(server.url) });
      await node.renderTrace(paid);
      await node.renderTrace(paid);
    }
    expect(server.requests).toHaveLength(2);
  });
});

describe("a server of sources", () => {
  const text =
    (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
    (response: ServerResponse) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body);
    };

  const told = async (answer: (response: ServerResponse) => void): Promise<readonly string[]> => {
    const { url, paid, address, library } = shared;
    const server = await aSourceServer();
    for (const of of [address, library]) server.add(CHAIN, of, answer);
    const notices: string[] = [];
    const node = await aFork(url, patient(server.url), { onNotice: (notice) => notices.push(notice) });
    expect(await node.renderTrace(paid)).not.toContain("Ledger");
    return notices;
  };

  it("does not make a trace wait: its answer is there for a later one", async () => {
    const { server, url, address, paid } = await aVerifiedChain();
    const answer = server.answers.get(`/server/v2/contract/${CHAIN}/${address}`);
    // The request may arrive after the trace that asked for it.
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.add(CHAIN, address, (response) => void released.then(() => text(JSON.stringify(answer))(response)));
    const node = await aFork(url, { urls: server.url, timeoutMs: 20 });
    expect(await node.renderTrace(paid)).not.toContain("Ledger");
    release();
    await vi.waitFor(async () => expect(await node.renderTrace(paid)).toContain("Ledger::deposit"), {
      timeout: 60_000,
    });
    expect(server.requests).toHaveLength(2);
  });

  it("that fails is left alone for a while, and its failure reported once", async () => {
    const { url, paid, refused, address, library } = shared;
    const server = await aSourceServer();
    for (const of of [address, library]) server.add(CHAIN, of, text("down", {}, 503));
    const notices: string[] = [];
    const node = await aFork(url, patient(server.url), { onNotice: (notice) => notices.push(notice) });
    await node.renderTrace(paid);
    const asked = server.requests.length;
    await node.renderTrace(paid);
    await node.renderTrace(refused);
    expect(server.requests).toHaveLength(asked);
    expect(notices).toEqual([`No sources from ${new URL(server.url).origin}: HTTP 503. It is asked again later.`]);
  });

  it("that does not know the chain is asked once for each contract", async () => {
    const unsupported = {
      customCode: "unsupported_chain",
      message: "The chain with chainId 5000 is not supported",
      errorId: "1",
    };
    expect(await told(text(JSON.stringify(unsupported), {}, 400))).toEqual([]);
  });

  it("is not followed to another one", async () => {
    const elsewhere = await aSourceServer();
    const notices = await told(text("", { location: `${elsewhere.url}/v2/contract/1/0x` }, 302));
    expect(notices).toEqual([expect.stringContaining("the server redirects to another one")]);
    expect(elsewhere.requests).toEqual([]);
  });

  slowIt("cannot fill the memory with an answer that unpacks to more than 16 MiB", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, 0x20));
    const notices = await told(text(bomb, { "content-encoding": "gzip" }));
    expect(notices).toEqual([expect.stringContaining("more than 16777216 bytes")]);
  });

  it.each([
    ["no JSON", "<html>"],
    ["a list", "[]"],
    ["nothing", "null"],
    ["deep nesting", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ])("that answers with %s is not believed", async (_title, body) => {
    expect(await told(text(body))).toEqual([]);
  });

  it("is followed by the next one where it knows nothing", async () => {
    const { server, url, paid } = await aVerifiedChain();
    const first: SourceServer = await aSourceServer();
    const node = await aFork(url, patient(first.url, server.url));
    expect(await node.renderTrace(paid)).toContain("Ledger::deposit");
    expect(first.requests).toHaveLength(2);
  });
});

describe("a proxy", () => {
  it("is looked up at its own address, and its implementation at the implementation's", async () => {
    const { origin, url, server, address } = await aVerifiedChain({}, await anOrigin());
    const proxy = "0x00000000000000000000000000000000000c10e5";
    await ask(
      origin,
      "hardhat_setCode",
      proxy,
      `0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    );
    const data = encodeFunctionData({ abi: LEDGER.ledger.abi, functionName: "owner" });
    const hash = await send(origin, { from: ALICE, to: proxy, data, gas: "0x7a120" });
    const node = await aFork(url, patient(server.url));
    expect(await node.renderTrace(hash)).toContain("Ledger::owner() [delegatecall]");
    const asked = server.requests.map(({ url: path }) => path.split("?")[0]?.split("/").at(-1)?.toLowerCase());
    expect(asked.sort()).toEqual([proxy, address].sort());
    expect(await ask(node, "hindcast_getSources", proxy)).toMatchObject({ contract: "Ledger", sourceMatch: "full" });
  });
});

describe("the option sources", () => {
  it.each([
    ["an empty text", ""],
    ["another protocol", "ftp://sourcify.example"],
    ["no URL", "sourcify"],
    ["a query", "https://sourcify.example/?key=1"],
    ["an empty list", []],
    ["a list with something else", ["https://sourcify.example", 5]],
    ["an object without URLs", { timeoutMs: 5 }],
    ["a time below zero", { urls: "https://sourcify.example", timeoutMs: -1 }],
    ["a member that there is not", { urls: "https://sourcify.example", cache: true }],
  ])("refuses %s", async (_title, sources) => {
    await expect(aNode({ sources } as never)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining("The option sources is not valid"),
    });
  });

  it("serves a chain of its own, too", async () => {
    const { server, address, library, origin } = await aVerifiedChain();
    const node = await aNode({ chainId: CHAIN, sources: patient(server.url) });
    for (const of of [address, library]) await ask(node, "hardhat_setCode", of, await codeOf(origin, of));
    expect(await ask(node, "hindcast_getContract", address)).toMatchObject({ name: "Ledger" });
  });
});
