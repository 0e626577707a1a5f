import { readFileSync } from "node:fs";
import { request } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import { Interface } from "ethers";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { ListenOptions } from "../../src/node/options/options.ts";
import { checksumAddress } from "../../src/primitives/address.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { deployLedger, readLedger } from "../services/simulate/what-if/ledger.ts";
import { ALICE, aNode, BOB, openNode, serve } from "../support/a-node.ts";
import { receiptOf, send } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";

const CHAIN = 31_337;
type Json = Readonly<Record<string, unknown>>;

/** A chain whose contracts the node knows, as a browser or a program reads it. */
async function openChain(node: HindcastNode, listen: ListenOptions = {}) {
  const build = readLedger("plain");
  node.abi.addBuild(build.input, build.output);
  const ledger = await deployLedger(node, build);
  const address = checksumAddress(decodeData(ledger.address));
  const { url } = await serve(node, listen);
  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(`/sourcify/${path}`, url), init);
  return { ...ledger, address, build, node, url, get };
}

/** A chain for one test, which may change it. */
const aChain = async (listen: ListenOptions = {}) => openChain(await aNode(), listen);

/** For tests that only read. */
let shared: Awaited<ReturnType<typeof openChain>>;
beforeAll(async () => {
  shared = await openChain(await openNode());
});
afterAll(() => shared.node.close());

describe("/sourcify/v2/contract/{chainId}/{address}", () => {
  it("gives the minimal members without fields", async () => {
    const { get, address } = shared;
    const reply = await get(`v2/contract/${CHAIN}/${address.toLowerCase()}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(await reply.json()).toEqual({
      ...{ match: "exact_match", creationMatch: null, runtimeMatch: "exact_match" },
      ...{ chainId: "31337", address },
    });
  });

  it("answers what Otterscan asks for a contract's page", async () => {
    const { get, address, build } = shared;
    // The requests of Otterscan with the backend format SourcifyAPIV2.
    const page = (await (
      await get(`v2/contract/${CHAIN}/${address}?fields=metadata,runtimeBytecode.sourceMap,stdJsonOutput`)
    ).json()) as {
      readonly runtimeMatch: string;
      readonly metadata: { readonly output: { readonly abi: [] }; readonly settings: Json; readonly sources: Json };
      readonly runtimeBytecode: Json;
      readonly stdJsonOutput: { readonly sources: Readonly<Record<string, { readonly id: number }>> };
    };
    expect(page.runtimeMatch).toBe("exact_match");
    expect(page.metadata.settings).toMatchObject({ compilationTarget: { "src/Ledger.sol": "Ledger" } });
    expect(page.runtimeBytecode).toEqual({ sourceMap: build.ledger.evm.deployedBytecode.sourceMap });
    expect(page.stdJsonOutput.sources["src/Ledger.sol"]?.id).toBeTypeOf("number");
    const methods = new Interface(page.metadata.output.abi);
    expect(methods.getFunction("deposit")?.selector).toBe("0xd0e30db0");
    const { sources } = (await (await get(`v2/contract/${CHAIN}/${address}?fields=sources`)).json()) as {
      readonly sources: Readonly<Record<string, { readonly content: string }>>;
    };
    for (const path of Object.keys(page.metadata.sources)) expect(sources[path]?.content).toContain("pragma solidity");
  });

  it("lists what deployment has filled in, and the members of a server of Sourcify", async () => {
    const { get, address, library, node } = shared;
    const answer = (await (await get(`v2/contract/${CHAIN}/${address}?fields=all`)).json()) as Readonly<
      Record<string, Json>
    >;
    const code = await node.provider.request({ method: "eth_getCode", params: [address as Hex, "latest"] });
    expect(answer.runtimeBytecode?.onchainBytecode).toBe(code);
    expect(answer.runtimeBytecode?.transformationValues).toMatchObject({
      libraries: { "src/Ledger.sol:Rates": library },
      immutables: { 23: `0x${ALICE.slice(2).padStart(64, "0")}`, 25: `0x${"19".padStart(64, "0")}` },
    });
    expect(answer.compilation).toMatchObject({ name: "Ledger", fullyQualifiedName: "src/Ledger.sol:Ledger" });
    expect(answer.signatures).toMatchObject({
      function: expect.arrayContaining([
        { signature: "deposit()", signatureHash4: "0xd0e30db0", signatureHash32: expect.stringMatching(/^0xd0e30db0/) },
      ]),
    });
    for (const member of [
      "abi",
      "storageLayout",
      "sources",
      "stdJsonInput",
      "stdJsonOutput",
      "sourceIds",
      "metadata",
    ]) {
      expect(answer[member]).toBeInstanceOf(Object);
    }
    const omitting = (await (
      await get(`v2/contract/${CHAIN}/${address}?omit=sources,runtimeBytecode.sourceMap`)
    ).json()) as Json;
    expect(omitting).not.toHaveProperty("sources");
    expect(omitting.runtimeBytecode).not.toHaveProperty("sourceMap");
    expect(omitting).toHaveProperty("abi");
  });

  it("says of unknown contracts, and of other chains, that there is no match", async () => {
    const { get, address } = shared;
    for (const [chainId, of] of [
      [CHAIN, "0x00000000000000000000000000000000000000fF"],
      [1, address],
    ] as const) {
      const reply = await get(`v2/contract/${chainId}/${of}`);
      expect(reply.status).toBe(404);
      const none = { match: null, creationMatch: null, runtimeMatch: null };
      expect(await reply.json()).toMatchObject({ ...none, chainId: `${chainId}` });
    }
    expect(await (await get(`v2/contract/all-chains/${address}`)).json()).toMatchObject({
      results: [{ chainId: "31337", match: "exact_match" }],
    });
    expect((await get("v2/contract/all-chains/0x00000000000000000000000000000000000000ff")).status).toBe(404);
  });

  it.each([
    ["a chain id that is no number", "v2/contract/mainnet/0x00000000000000000000000000000000000000ff", 400],
    ["a short address", `v2/contract/${CHAIN}/0xff`, 400],
    ["an address that is none", `v2/contract/${CHAIN}/0x${"zz".repeat(20)}`, 400],
    ["no address", `v2/contract/${CHAIN}`, 400],
    ["something below a contract", `v2/contract/${CHAIN}/0x${"00".repeat(20)}/abi`, 404],
    ["another path", "v2/verify/1", 404],
    ["nothing", "", 404],
  ])("refuses %s", async (_title, path, status) => {
    const { get } = shared;
    const reply = await get(path);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ customCode: expect.any(String), message: expect.any(String) });
  });

  it.each(["fields=abi,everything", "omit=constructor", "fields=abi&omit=abi", "fields=__proto__"])(
    "refuses %s",
    async (query) => {
      const { get, address } = shared;
      const reply = await get(`v2/contract/${CHAIN}/${address}?${query}`);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ customCode: "invalid_parameter" });
    },
  );
});

describe("/sourcify/contracts/{match}/{chainId}/{address}", () => {
  it.each(["", "repository/"])("gives metadata and sources as a repository does, at %j", async (prefix) => {
    const { get, address } = shared;
    const folder = `${prefix}contracts/full_match/${CHAIN}/${address}`;
    const metadata = (await (await get(`${folder}/metadata.json`)).json()) as {
      readonly sources: Readonly<Record<string, { readonly keccak256: string }>>;
    };
    const text = readFileSync(new URL("../../fixtures/solidity-replay/sources/Ledger.sol", import.meta.url), "utf8");
    const source = await get(`${folder}/sources/src/Ledger.sol`);
    expect(await source.text()).toBe(text);
    expect(source.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(source.headers.get("x-content-type-options")).toBe("nosniff");
    // The repository's newer form names files by their hashes.
    const byHash = await get(`${folder}/sources/${metadata.sources["src/Ledger.sol"]?.keccak256}`);
    expect(await byHash.text()).toBe(text);
    // Otterscan asks for partial matches only where this is not found.
    expect((await get(`${prefix}contracts/partial_match/${CHAIN}/${address}/metadata.json`)).status).toBe(404);
  });

  it("serves no file by a path that leads elsewhere", async () => {
    const { address, url } = shared;
    const { port } = new URL(url);
    const folder = `/sourcify/contracts/full_match/${CHAIN}/${address}/sources`;
    for (const name of [
      "../../../../../../etc/passwd",
      "..%2f..%2f..%2fetc%2fpasswd",
      "%2e%2e/package.json",
      "/etc/passwd",
      "%ff",
      "%",
    ]) {
      const { status, body } = await rawGet(Number(port), `${folder}/${name}`);
      expect([name, status]).toEqual([name, 404]);
      expect(body).not.toContain("root:");
    }
  });

  it("serves sources with hostile names and texts as text, by exactly their names", async () => {
    const names = ["../../../etc/passwd", "<script>alert(1)</script>.sol", "a:b@c.sol", "__proto__", "x.html"];
    const node = await aNode();
    const address = "0x00000000000000000000000000000000000000aa";
    const sources = JSON.parse(
      JSON.stringify(Object.fromEntries(names.map((name) => [name, { content: `<b>${name}</b>` }]))),
    );
    const ids = Object.fromEntries(names.map((name, id) => [name, { id }]));
    const evm = { bytecode: {}, deployedBytecode: { object: "600160025b", sourceMap: "0:1:0:-" } };
    node.abi.addBuild(
      { language: "Solidity", sources },
      { sources: ids, contracts: { "x.html": { Hostile: { abi: [], evm } } } },
    );
    await node.provider.request({ method: "hardhat_setCode", params: [address, "0x600160025b"] });
    const { url } = await serve(node);
    for (const name of ["../../../etc/passwd", "<script>alert(1)</script>.sol", "a_b_c.sol", "x.html"]) {
      const path = `/sourcify/contracts/full_match/${CHAIN}/${address}/sources/${encodeURIComponent(name)}`;
      const reply = await fetch(new URL(path, url));
      expect([name, reply.status]).toEqual([name, 200]);
      expect(await reply.text()).toMatch(/^<b>/);
      expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });
});

describe("the sources that a server gives", () => {
  it("follow its rules of hosts and origins, and are read only", async () => {
    const { get, address, url } = await aChain({ allowedOrigins: ["https://otterscan.example"] });
    const path = `v2/contract/${CHAIN}/${address}`;
    const allowed = await get(path, { headers: { origin: "https://otterscan.example" } });
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://otterscan.example");
    expect((await get(path, { headers: { origin: "https://elsewhere.example" } })).status).toBe(403);
    expect((await fetch(new URL(`/sourcify/${path}`, url), { method: "POST", body: "{}" })).status).toBe(405);
  });

  it("are not there with sourcify: false", async () => {
    const { get, address } = await aChain({ sourcify: false });
    expect((await get(`v2/contract/${CHAIN}/${address}`)).status).toBe(404);
    expect(await (await get(`v2/contract/${CHAIN}/${address}`)).text()).toBe("Nothing is served here.\n");
  });

  it.each(["yes", 1, null])("refuse %j for sourcify", async (sourcify) => {
    const node = await aNode();
    await expect(node.listen({ port: 0, sourcify } as never)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  slowIt("are those that another node's option sources reads, with syntax trees", async () => {
    const { url, node, deposit, collect } = await aChain();
    const [paid, refused] = [await deposit(BOB, 1_000n), await collect(BOB)];
    const fork = await aNode({
      fork: { url, cache: false },
      sources: { urls: new URL("/sourcify", url).href, timeoutMs: 60_000 },
    });
    expect(await fork.renderTrace(paid)).toBe(await node.renderTrace(paid));
    const stack = await fork.solidityStack(refused);
    expect(stack?.frames).toMatchObject([{ function: "collect", sourceMatch: "full" }]);
    expect((await fork.explain(paid)).gaps).toEqual([]);
  });

  it("are counted by the coverage of a node that knows them", async () => {
    const file = new URL("../../fixtures/solidity-coverage/0.8.30-plain.json.br", import.meta.url);
    const { input, output } = JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
    const { abi, evm } = output.contracts["src/Counter.sol"].Counter as {
      readonly abi: Abi;
      readonly evm: { readonly bytecode: { readonly object: string } };
    };
    const origin = await aNode();
    origin.abi.addBuild(input, output);
    const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args: [1n] });
    const { contractAddress: to } = await receiptOf(origin, await send(origin, { from: ALICE, data }));
    const { url } = await serve(origin);
    const fork = await aNode({
      fork: { url, cache: false },
      sources: { urls: new URL("/sourcify", url).href, timeoutMs: 60_000 },
    });
    // Coverage counts by code, without addresses: the contract has to be known by something that looks it up.
    await fork.provider.request({ method: "hindcast_getSources", params: [to as Hex] });
    fork.coverage.start();
    const call = encodeFunctionData({ abi, functionName: "add", args: [1n] });
    await fork.provider.request({ method: "eth_call", params: [{ to: to as Hex, data: call }, "latest"] });
    const { files } = await fork.coverage.report();
    expect(files.map(({ path }) => path)).toEqual(["src/Counter.sol"]);
    expect(files[0]?.functions.some(({ times }) => times > 0)).toBe(true);
  });
});

/** GET of a path as it stands: `fetch` would take its dots out. */
function rawGet(port: number, path: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, host: "127.0.0.1" }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        body += part;
      });
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    sent.on("error", reject).end();
  });
}
