/** hindcast_getStorage and hindcast_getSources: an account by the sources of its contract. */
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { buildDemo, readMarket } from "../../explorer/demo-chain.mjs";
import { aNode, NOBODY, openNode, serve, wordText } from "../../support/a-node.ts";

interface Storage {
  readonly contract: string | null;
  readonly slots: readonly {
    readonly hash: string;
    readonly slot: string | null;
    readonly value: string;
    readonly variables: readonly { readonly name: string; readonly type: string | null; readonly value: string }[];
  }[];
  readonly next: string | null;
  readonly notes: readonly string[];
}

/** One chain for all tests: none changes it. */
async function openDemo() {
  const node = await openNode({ hardfork: "cancun" });
  const demo = await buildDemo(node);
  const { plain } = await serve(node);
  return { node, demo, plain };
}

let shared: Awaited<ReturnType<typeof openDemo>>;
beforeAll(async () => {
  shared = await openDemo();
});
afterAll(() => shared.node.close());

const variablesOf = ({ slots }: Storage) => slots.flatMap(({ variables }) => variables);

/** Asks the token for what its storage says of an account. */
async function balanceOf(node: HindcastNode, token: string, account: string): Promise<string> {
  const { abi } = readMarket().output.contracts["src/Market.sol"].Token;
  const data = encodeFunctionData({ abi, functionName: "balanceOf", args: [account as `0x${string}`] });
  return String(BigInt((await node.provider.send("eth_call", [{ to: token, data }])) as string));
}

describe("hindcast_getStorage", () => {
  it("names every slot of a token, and has the balances that the token answers", async () => {
    const { node, demo, plain } = shared;
    const storage = await plain.ask<Storage>("hindcast_getStorage", demo.gold);
    expect(storage).toMatchObject({ contract: "Token", next: null, notes: [] });
    expect(storage.slots.filter(({ variables }) => variables.length === 0)).toEqual([]);
    const variables = variablesOf(storage);
    expect(variables).toContainEqual({ name: "name", type: "string", value: '"Gold"' });
    const balances = variables.filter(({ name }) => name.startsWith("balanceOf["));
    expect(balances.length).toBeGreaterThan(2);
    for (const { name, value } of balances) {
      expect(await balanceOf(node, demo.gold, name.slice("balanceOf[".length, -1))).toBe(value);
    }
    expect(variables.some(({ name }) => /^allowance\[0x\w{40}\]\[0x\w{40}\]$/.test(name))).toBe(true);
  });

  it("names the storage of a proxy by the contract that it delegates to", async () => {
    const { demo, plain } = shared;
    const storage = await plain.ask<Storage>("hindcast_getStorage", demo.pool);
    expect(storage.contract).toBe("Proxy");
    const tokens = variablesOf(storage).filter(({ type }) => type === "contract Token");
    expect(tokens.map(({ value }) => value.toLowerCase()).sort()).toEqual([demo.gold, demo.silver].sort());
  });

  it("goes through the storage part by part", async () => {
    const { demo, plain } = shared;
    const whole = await plain.ask<Storage>("hindcast_getStorage", demo.gold, "latest");
    const slots: unknown[] = [];
    let start: string | null = "0x";
    while (start !== null) {
      const part: Storage = await plain.ask("hindcast_getStorage", demo.gold, "latest", { start, count: 3 });
      expect(part.slots.length).toBeLessThanOrEqual(3);
      slots.push(...part.slots);
      start = part.next;
    }
    expect(slots).toEqual(whole.slots);
  });

  it("is that of an earlier block where one is named", async () => {
    const { demo, plain } = shared;
    const { blockNumber } = await plain.ask<{ blockNumber: string }>("eth_getTransactionReceipt", demo.swap);
    const before = await plain.ask<Storage>(
      "hindcast_getStorage",
      demo.gold,
      `0x${(BigInt(blockNumber) - 1n).toString(16)}`,
    );
    const balance = variablesOf(before).find(({ name }) => name.toLowerCase() === `balanceof[${demo.pool}]`);
    expect(balance?.value).toBe(String(50_000n * 10n ** 18n));
  });

  it("has no names without sources, and nothing for an account without storage", async () => {
    const node = await aNode({ hardfork: "cancun" });
    const { plain } = await serve(node);
    await node.provider.send("hardhat_setStorageAt", [NOBODY, "0x5", wordText(7)]);
    expect(await plain.ask("hindcast_getStorage", NOBODY)).toMatchObject({
      contract: null,
      slots: [{ slot: wordText(5), value: wordText(7), variables: [] }],
    });
    expect(await plain.ask("hindcast_getStorage", `0x${"12".repeat(20)}`)).toMatchObject({ slots: [], next: null });
  });

  it("has on a fork the slots whose variables are known, and says so", async () => {
    const { node, demo } = shared;
    const fork = await createNode({ hardfork: "cancun", fork: { provider: node.provider } });
    fork.abi.addBuild(readMarket());
    const storage = (await fork.provider.send("hindcast_getStorage", [demo.gold])) as Storage;
    expect(storage.notes[0]).toMatch(/^On a fork storage cannot be listed/);
    expect(variablesOf(storage)).toContainEqual({ name: "symbol", type: "string", value: '"GLD"' });
    await fork.close();
  });
});

describe("hindcast_getSources", () => {
  it("has the files of a contract that the node was told of, and null of others", async () => {
    const { demo, plain } = shared;
    const text = readMarket().input.sources["src/Market.sol"].content;
    const sources = await plain.ask<{ contract: string; files: object[] }>("hindcast_getSources", demo.gold);
    expect(sources.contract).toBe("Token");
    expect(sources.files[0]).toEqual({ path: "src/Market.sol", text });
    expect(await plain.ask("hindcast_getSources", demo.alice)).toBeNull();
  });
});
