import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../support/a-folder.ts";
import {
  ALICE,
  addressText,
  aNode,
  aServedNode,
  BOB,
  type Json,
  NOW,
  PARITY_PATH,
  quantity,
} from "../../support/a-node.ts";
import { send } from "../../support/contracts.ts";

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;
const balanceOf = async (node: HindcastNode, address: string): Promise<bigint> =>
  BigInt(await ask<string>(node, "eth_getBalance", address, "latest"));

describe("a node's hardfork", () => {
  it.each(["frontier", "homestead", "osaka"])("has the name that it was asked for: %s", async (hardfork) => {
    await using node = await createNode({ hardfork });
    expect(((await ask(node, "anvil_nodeInfo")) as Json).hardFork).toBe(hardfork);
    const asked = ask(node, "trace_call", { to: BOB, type: "0x9" }, []);
    await expect(asked).rejects.toThrow(`type 9 in ${hardfork}`);
  });
});

describe("a node without options", () => {
  it("is the development chain of the documents", async () => {
    const before = Math.floor(Date.now() / 1000);
    await using node = await createNode();
    const opened = Math.floor(Date.now() / 1000);
    expect(await ask(node, "eth_chainId")).toBe("0x7a69");
    expect(await ask(node, "net_version")).toBe("31337");
    expect(((await ask(node, "anvil_nodeInfo")) as Json).hardFork).toBe("osaka");
    const accounts = await ask<string[]>(node, "eth_accounts");
    expect(accounts).toHaveLength(10);
    expect(accounts.slice(0, 2)).toEqual([ALICE, BOB]);
    for (const account of accounts) expect(await balanceOf(node, account)).toBe(10_000n * ETHER);
    const block = await ask<Json>(node, "eth_getBlockByNumber", "latest", false);
    expect(block).toMatchObject({ number: "0x0", gasLimit: quantity(30_000_000), baseFeePerGas: quantity(GWEI) });
    expect(Number(block.timestamp)).toBeGreaterThanOrEqual(before);
    expect(Number(block.timestamp)).toBeLessThanOrEqual(opened);
    expect(await ask(node, "eth_maxPriorityFeePerGas")).toBe(quantity(GWEI));
    expect(await ask(node, "eth_coinbase")).toBe(addressText(0));
    expect(node.miningMode).toBe("auto");
    await send(node, { to: BOB, value: "0x1" });
    expect(node.head.header.number).toBe(1n);
    expect(encodeData(node.head.header.coinbase)).toBe(addressText(0));
    const deployer = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
    expect(await ask(node, "eth_getCode", deployer, "latest")).not.toBe("0x");
    // EIP-4788, EIP-2935, EIP-7002, EIP-7251.
    for (const contract of [
      "0x000f3df6d732807ef1319fb7b8bb8522d0beac02",
      "0x0000f90827f1c53a10cb7a02335b175320002935",
      "0x00000961ef480eb55e80d19ad83579a64c007002",
      "0x0000bbddc7ce488642fb579f8b00f3a590007251",
    ]) {
      expect(await ask(node, "eth_getCode", contract, "latest"), contract).not.toBe("0x");
    }
  });

  it("suggests 2 gwei before London", async () => {
    await using node = await createNode({ hardfork: "berlin" });
    expect(await ask(node, "eth_gasPrice")).toBe(quantity(2n * GWEI));
  });
});

describe("an option", () => {
  it("chainId binds signatures and is told", async () => {
    for (const chainId of [1, 7n, 2n ** 60n]) {
      const node = await aNode({ chainId });
      expect(await ask(node, "eth_chainId")).toBe(quantity(chainId));
      const hash = await send(node, { to: BOB });
      expect(await ask(node, "eth_getTransactionByHash", hash)).toMatchObject({ chainId: quantity(chainId) });
    }
  });

  it("accounts, balance, mnemonic and derivationPath make the accounts", async () => {
    const node = await aNode({
      accounts: 2,
      balance: 5n,
      mnemonic: "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
    });
    // The first address of that mnemonic in every wallet.
    expect((await ask<string[]>(node, "eth_accounts"))[0]).toBe("0x9858effd232b4033e47d90003d41ec34ecaeda94");
    expect(await ask<string[]>(node, "eth_accounts")).toHaveLength(2);
    expect(await balanceOf(node, "0x9858effd232b4033e47d90003d41ec34ecaeda94")).toBe(5n);
    const other = await aNode({ derivationPath: "m/44'/60'/0'/1/" });
    expect(await ask<string[]>(other, "eth_accounts")).not.toContain(ALICE);
    const shifted = await aNode({ accounts: 0 });
    expect(await ask<string[]>(shifted, "eth_accounts")).toEqual([]);
  });

  it("gasLimit, baseFeePerGas, timestamp and coinbase go into the blocks", async () => {
    const coinbase = addressText(0xcb);
    const node = await aNode({ gasLimit: 8_000_000, baseFeePerGas: 7n, timestamp: 1_000n, coinbase });
    const first = await ask<Json>(node, "eth_getBlockByNumber", "0x0", false);
    expect(first).toMatchObject({ gasLimit: quantity(8_000_000), baseFeePerGas: "0x7", timestamp: quantity(1_000) });
    await node.mine();
    const second = await ask<Json>(node, "eth_getBlockByNumber", "0x1", false);
    expect(second).toMatchObject({ gasLimit: quantity(8_000_000), miner: coinbase });
    expect(BigInt(second.timestamp as string)).toBe(1_001n);
  });

  it("gasPrice and priorityFeePerGas are what is suggested", async () => {
    const legacy = await aNode({ hardfork: "istanbul", gasPrice: 5n });
    expect(await ask(legacy, "eth_gasPrice")).toBe("0x5");
    const tipped = await aNode({ priorityFeePerGas: 6n });
    expect(await ask(tipped, "eth_maxPriorityFeePerGas")).toBe("0x6");
  });

  it("mining decides who makes blocks", async () => {
    const manual = await aNode({ mining: "manual" });
    await send(manual, { to: BOB, gas: "0x5208" });
    expect(manual.head.header.number).toBe(0n);
    const timed = await aNode({ mining: { intervalMs: 5 } });
    await new Promise<void>((resolve) => {
      const stop = timed.onHeadChange(() => {
        stop();
        resolve();
      });
    });
    expect(timed.head.header.number).toBeGreaterThanOrEqual(1n);
    expect(timed.miningMode).toEqual({ intervalMs: 5 });
    timed.setMiningMode("manual");
    expect(() => timed.setMiningMode("sometimes" as never)).toThrow("The mining mode is not valid.");
    expect(timed.miningMode).toBe("manual");
  });

  it("mining by an interval that no timer of Node's can wait for waits, and does not mine at once", async () => {
    const node = await aNode({ mining: { intervalMs: 2 ** 33 } });
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(node.head.header.number).toBe(0n);
  });

  it("clock makes the same history anywhere", async () => {
    const tell = async (): Promise<string> => {
      let now = NOW;
      await using node = await createNode({ clock: () => now++ });
      await send(node, { to: BOB, value: "0x1" });
      await node.mine({ blocks: 3 });
      return encodeData(node.head.hash);
    };
    expect(await tell()).toBe(await tell());
  });

  it("create2Deployer and slotsInAnEpoch are taken", async () => {
    const node = await aNode({ create2Deployer: false, slotsInAnEpoch: 2 });
    expect(await ask(node, "eth_getCode", "0x4e59b44847b379578588920ca78fbf26c0b4956c", "latest")).toBe("0x");
    await node.mine({ blocks: 5 });
    expect(await ask<Json>(node, "eth_getBlockByNumber", "safe", false)).toMatchObject({ number: "0x3" });
    expect(await ask<Json>(node, "eth_getBlockByNumber", "finalized", false)).toMatchObject({ number: "0x1" });
  });

  it("responseShape chooses the provider's form, not that of addresses", async () => {
    const { node, plain } = await aServedNode({ responseShape: "parity" });
    const hash = await send(node, { to: BOB });
    expect(await ask(node, "eth_getTransactionByHash", hash)).toHaveProperty("standardV");
    expect(await plain.ask("eth_getTransactionByHash", hash)).not.toHaveProperty("standardV");
    expect(PARITY_PATH).toContain("v4");
  });

  it("dataDir keeps the chain; limits, poolLimits and maxBatchLength bound it; onRequest hears", async () => {
    const heard: string[] = [];
    const options: NodeOptions = {
      dataDir: await aFolder(),
      poolLimits: { maxTransactions: 1 },
      limits: { callGasLimit: 30_000n },
      maxBatchLength: 2,
      onRequest: (method) => void heard.push(method),
    };
    const node = await createNode({ clock: () => NOW, ...options });
    await node.mine();
    const { hash } = node.head;
    await node.close();
    const { node: again, plain } = await aServedNode(options);
    expect(again.head.hash).toEqual(hash);
    expect((await plain.failure("eth_call", { to: BOB, gas: "0x5207" })).message).toContain("intrinsic gas too low");
    const request = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    expect((await plain.post(`[${request},${request},${request}]`)).text).toContain("at most 2 are allowed");
    expect(heard).toContain("eth_call");
  });

  it("those that are there and undefined have their defaults", async () => {
    const bounds = { limits: { callGasLimit: undefined }, poolLimits: { maxTransactions: undefined } };
    await using node = await createNode({ hardfork: undefined, accounts: undefined, ...bounds } as never);
    expect(node.accounts.length).toBe(10);
    expect(await ask(node, "eth_call", { to: BOB })).toBe("0x");
    expect(await send(node, { to: BOB })).toMatch(/^0x/);
  });

  it("genesis makes another chain, which mines only when told to", async () => {
    const config = { chainId: 5, londonBlock: 0 };
    const genesis = { config, alloc: { [ALICE]: { balance: "0x9" } }, timestamp: "0x5", gasLimit: "0x989680" };
    for (const given of [genesis, JSON.stringify(genesis)]) {
      const node = await aNode({ genesis: given });
      expect(node.miningMode).toBe("manual");
      expect(await balanceOf(node, ALICE)).toBe(9n);
      expect(node.head.header.timestamp).toBe(5n);
    }
    expect((await aNode({ genesis, mining: "auto" })).miningMode).toBe("auto");
  });
});

describe("an option that is wrong", () => {
  const provider = { request: async () => null };
  const hash = `0x${"ab".repeat(32)}`;
  const contradictoryForks: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ provider, url: "http://a" }, "fork.url and fork.provider"],
    [{ provider, urls: ["http://a"] }, "fork.urls and fork.provider"],
    [{ url: "http://a", urls: ["http://b"] }, "fork.url and fork.urls"],
    [{ provider, headers: { authorization: "x" } }, "fork.provider and fork.headers"],
    [{ provider, blockNumber: 1, blockHash: hash }, "fork.blockNumber and fork.blockHash"],
    [{ provider, blockHash: hash, transactionHash: hash }, "fork.blockHash and fork.transactionHash"],
    [{ provider, blockNumber: "latest", transactionHash: hash }, "fork.blockNumber and fork.transactionHash"],
  ];
  const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ harfork: "osaka" }, "There is no option harfork."],
    [{ toString: 1 }, "There is no option toString."],
    [{ chainID: 5 }, "There is no option chainID. Did you mean chainId?"],
    [{ limits: { callTimeoutMS: 5 } }, "There is no option limits.callTimeoutMS. Did you mean callTimeoutMs?"],
    [{ hardfork: "atlantis" }, 'Unknown hardfork "atlantis"'],
    [{ hardfork: 7 }, "The option hardfork is not valid: 7. It must be a string."],
    ...[0, -1, 1.5, 2 ** 53, "1", null, 2n ** 256n].map((chainId) => [{ chainId }, "The option chainId"] as const),
    ...[-1, 1.5, "10", 10n, Number.NaN].map((accounts) => [{ accounts }, "The option accounts"] as const),
    ...[-1n, 100, "1", 2n ** 256n].map((balance) => [{ balance }, "The option balance"] as const),
    [{ mnemonic: "test test test" }, "The mnemonic is not valid"],
    [{ mnemonic: ["test"] }, "The option mnemonic"],
    ...["44/60", "m/x", "m//0", "m/99999999999"].map((path) => [{ derivationPath: path }, "derivationPath"] as const),
    ...[4_999, 1.5, "30000000", 2n ** 63n].map((gasLimit) => [{ gasLimit }, "The option gasLimit"] as const),
    [{ baseFeePerGas: -1n }, "baseFeePerGas"],
    [{ gasPrice: 5 }, "gasPrice"],
    [{ priorityFeePerGas: "1" }, "priorityFeePerGas"],
    ...["0x12", BOB.slice(2), `${BOB}00`, 7].map((coinbase) => [{ coinbase }, "The option coinbase"] as const),
    ...["never", {}, { intervalMs: 0 }, { intervalMs: "5" }, { intervalMs: 5, every: 1 }, true].map(
      (mining) => [{ mining }, "The option mining"] as const,
    ),
    ...[-1, 1.5, "now", 2n ** 64n].map((timestamp) => [{ timestamp }, "The option timestamp"] as const),
    [{ clock: 5 }, "The option clock"],
    [{ timestamp: 1_700_000_000_000 }, "It must be seconds as a whole number below 2^64, not milliseconds."],
    [{ clock: () => 1_700_000_000_000 }, "It must give whole seconds"],
    [{ accounts: 1_000_001 }, "a whole number from 0 to 1000000"],
    [{ clock: () => 1.5 }, "The option clock gave 1.5. It must give whole seconds"],
    [{ create2Deployer: "no" }, "create2Deployer"],
    [{ slotsInAnEpoch: -1 }, "slotsInAnEpoch"],
    [{ responseShape: "geth" }, 'responseShape is not valid: "geth". It must be one of "standard", "parity".'],
    [{ traceClient: "nethermind" }, "traceClient"],
    ...["", 7].map((clientVersion) => [{ clientVersion }, "The option clientVersion"] as const),
    [{ transactionOrder: "random" }, "transactionOrder"],
    [{ autoImpersonate: 1 }, "autoImpersonate"],
    [{ codeSizeLimit: -1 }, "codeSizeLimit"],
    [{ poolLimits: { maxTransactions: -1 } }, "The option poolLimits.maxTransactions is not valid: -1."],
    [{ poolLimits: { most: 1 } }, "There is no option poolLimits.most. Use some of: maxTransactions, maxPerSender"],
    [{ poolLimits: { maxBlobs: 1.5 } }, "poolLimits.maxBlobs is not valid: 1.5. It must be a whole number from 0"],
    [{ limits: { callGasLimit: 5 } }, "limits.callGasLimit is not valid: 5. It must be gas as a bigint from 0."],
    [{ limits: { callTimeoutMs: Number.NaN } }, "The option limits.callTimeoutMs is not valid: NaN."],
    [{ limits: 5 }, "The option limits is not valid: 5. It must be an object with some of callGasLimit"],
    [{ limits: Promise.resolve({}) }, "The option limits"],
    [{ genesis: new Map() }, "The option genesis"],
    [new Map([["chainId", 5]]) as never, "Options are an object, not a Map."],
    [Promise.resolve({ chainId: 5 }) as never, "Options are an object, not a Promise."],
    [{ maxBatchLength: 0 }, "maxBatchLength"],
    [{ maxCacheBytes: 1000 }, "The option maxCacheBytes is not valid: 1000. It must be a whole number from 1048576"],
    [{ onRequest: "log" }, "onRequest"],
    [{ onError: 1 }, "onError"],
    [{ dataDir: "" }, "dataDir"],
    [{ genesis: 7 }, "The option genesis"],
    [{ genesis: { config: {} }, chainId: 5 }, "The option chainId is for development chains; a genesis settles it."],
    [{ genesis: { config: {} }, hardfork: "london" }, "The option hardfork is for development chains"],
    ...contradictoryForks.map(
      ([fork, both]) => [{ fork }, `The options ${both} exclude each other. Leave one of the two out.`] as const,
    ),
    [{ fork: { url: "http://a", offline: true, cache: false } }, "A fork that is offline reads only its cache"],
    [{ fork: { url: "http://a", cache: "here" } }, "It must be true, false, or an object with folder and maxBytes."],
    [{ fork: { url: "http://a", cache: { maxBytes: -1 } } }, "The option fork.cache"],
    [{ fork: { url: "http://a", cache: { foldr: "x" } } }, "fork.cache"],
    [{ fork: {} }, "A fork needs a URL or a provider."],
    [{ fork: { urls: [] } }, "A fork needs a URL or a provider."],
  ];

  it.each(wrong)("is refused in words, and nothing is opened: %o", async (options, words) => {
    const opening = createNode(options as NodeOptions);
    await expect(opening).rejects.toMatchObject({ name: "InvalidParamsError", code: "INVALID_OPTION" });
    await expect(opening).rejects.toThrow(words);
  });

  it.each([
    [{ port: 65_536 }, "The option port is not valid: 65536. It must be a whole number from 0 to 65535."],
    [{ port: "8545" }, "The option port"],
    [{ host: "" }, "The option host"],
    [{ allowedHosts: "*" }, 'The option allowedHosts is not valid: "*". It must be a list of strings.'],
    [{ maxBodyBytes: 0 }, "The option maxBodyBytes"],
    [{ prot: 1 }, "There is no option prot. Did you mean port?"],
  ])("of listen() is refused in words: %o", async (options, words) => {
    const node = await aNode();
    const listening = node.listen(options as never);
    await expect(listening).rejects.toMatchObject({ name: "InvalidParamsError", code: "INVALID_OPTION" });
    await expect(listening).rejects.toThrow(words);
  });

  it("that is the name of a genesis file is told from its text", async () => {
    const opening = createNode({ genesis: "./genesis.json" });
    await expect(opening).rejects.toThrow("Give what is in the file genesis.json, not its name.");
  });

  it("leaves a data folder alone", async () => {
    const dataDir = join(await aFolder(), "chain");
    await expect(createNode({ dataDir, chainId: -1 })).rejects.toThrow("The option chainId");
    await using node = await createNode({ dataDir });
    expect(node.head.header.number).toBe(0n);
  });
});
