/** The network id of a fork, which some chains have beside their chain id: Ethereum Classic has 1 and 61. */
import { describe, expect, it } from "vitest";
import type { NodeOptions } from "../../src/node/options/options.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNode } from "../support/a-node.ts";
import { anUpstream, type TestUpstream, UpstreamFailure } from "../support/an-upstream.ts";

type Answering = Awaited<ReturnType<typeof aNode>>;

/** What a node answers to the two methods, and its chain id. */
async function idsOf({ provider }: Answering): Promise<readonly unknown[]> {
  const methods = ["net_version", "eth_networkId", "eth_chainId"];
  return Promise.all(methods.map((method) => provider.send(method, [])));
}

/** An upstream with chain id 61, and the network id that is given. */
async function anUpstreamOf(networkId: unknown): Promise<TestUpstream> {
  const node = await aNode({ chainId: 61 });
  return anUpstream(node.provider as RemoteProvider, {
    answer: ({ method }, ask) => {
      if (method === "net_version" && networkId === undefined) throw new UpstreamFailure(-32601, "method not found");
      return method === "net_version" ? Promise.resolve(networkId) : ask();
    },
  });
}

async function aFork(networkId: unknown, options: NodeOptions = {}): Promise<Answering> {
  const { url } = await anUpstreamOf(networkId);
  return aNode({ accounts: 0, ...options, fork: { url, cache: false } });
}

describe("net_version", () => {
  it.each<[string, unknown, string]>([
    ["a decimal text", "1", "1"],
    ["a QUANTITY", "0x7", "7"],
    ["a JSON number", 5777, "5777"],
    ["a time, as Ganache does", "1764172800123", "1764172800123"],
    ["no network id", undefined, "61"],
    ["a text that is none", "mainnet", "61"],
    ["null", null, "61"],
  ])("of a fork is the upstream's if it gives %s, else the chain id", async (_, given, expected) => {
    const fork = await aFork(given);
    expect(await idsOf(fork)).toEqual([expected, expected, "0x3d"]);
  });

  it("of a fork is found in the cache", async () => {
    const { url, calls } = await anUpstreamOf("1");
    const cache = { folder: await aFolder() };
    const first = await aNode({ accounts: 0, fork: { url, cache } });
    const blockHash = `0x${Buffer.from(first.fork?.blockHash ?? []).toString("hex")}`;
    expect(calls.filter(({ method }) => method === "net_version")).toHaveLength(1);
    const second = await aNode({ accounts: 0, fork: { url, cache, blockHash, offline: true } });
    expect(await idsOf(second)).toEqual(["1", "1", "0x3d"]);
  });

  it("is the one of the option, on forks and on development chains", async () => {
    expect(await idsOf(await aFork("1", { networkId: 9 }))).toEqual(["9", "9", "0x3d"]);
    expect(await idsOf(await aNode({ networkId: 2n ** 64n }))).toEqual([
      "18446744073709551616",
      "18446744073709551616",
      "0x7a69",
    ]);
  });

  it("is the chain id of a fork that was given another one", async () => {
    expect(await idsOf(await aFork("1", { chainId: 1234 }))).toEqual(["1234", "1234", "0x4d2"]);
    const fork = await aFork("1");
    await fork.provider.send("anvil_setChainId", [77]);
    expect(await idsOf(fork)).toEqual(["77", "77", "0x4d"]);
  });

  it("follows a reset to another fork and to a development chain", async () => {
    const fork = await aFork("1");
    const { url } = await anUpstreamOf("8");
    await fork.provider.send("anvil_reset", [{ forking: { jsonRpcUrl: url } }]);
    expect(await idsOf(fork)).toEqual(["8", "8", "0x3d"]);
    await fork.provider.send("hardhat_reset", []);
    expect(await idsOf(fork)).toEqual(["31337", "31337", "0x7a69"]);
  });
});
