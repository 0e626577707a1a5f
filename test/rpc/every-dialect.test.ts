/** Behaviour that was learned from other development nodes, and holds in every dialect. */
import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { Dialect } from "../../src/node/options/dialect.ts";

type Send = (method: string, ...params: unknown[]) => Promise<unknown>;

const TO = `0x${"c0".repeat(20)}`;
const OTHER = `0x${"d0".repeat(20)}`;

describe("eth_pendingTransactions", () => {
  it("lists those of impersonated accounts, and those behind a missing nonce", async () => {
    await using node = await createNode({ mining: "manual" });
    const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
    const [from] = (await ask("eth_accounts")) as string[];
    await ask("anvil_setBalance", OTHER, "0xde0b6b3a7640000");
    await ask("anvil_impersonateAccount", OTHER);
    const sent = [
      await ask("eth_sendTransaction", { from, to: TO }),
      await ask("eth_sendTransaction", { from, to: TO, nonce: "0x9" }),
      await ask("eth_sendTransaction", { from: OTHER, to: TO }),
    ];
    const waiting = (await ask("eth_pendingTransactions")) as { readonly hash: string }[];
    expect(waiting.map(({ hash }) => hash).sort()).toEqual([...sent].sort());
  });
});

describe("evm_setBlockGasLimit", () => {
  it("is refused with zero", async () => {
    await using node = await createNode();
    const set = node.provider.send("evm_setBlockGasLimit", ["0x0"]);
    await expect(set).rejects.toMatchObject({ code: -32602, message: "Block gas limit must be greater than 0." });
  });

  it("drops waiting transactions with more gas than a block then has", async () => {
    await using node = await createNode({ mining: "manual" });
    const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
    const [first, second] = (await ask("eth_accounts")) as string[];
    await ask("eth_sendTransaction", { from: first, to: TO, gas: "0x100000" });
    const small = await ask("eth_sendTransaction", { from: second, to: TO, gas: "0x5208" });
    await ask("evm_setBlockGasLimit", "0x80000");
    expect(await ask("eth_pendingTransactions")).toMatchObject([{ hash: small }]);
  });
});

it.each([true, false])(
  "a block id with a number and requireCanonical %j is refused (EIP-1898)",
  async (requireCanonical) => {
    await using node = await createNode();
    const asked = node.provider.send("eth_getBalance", [TO, { blockNumber: "0x0", requireCanonical }]);
    await expect(asked).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("requireCanonical") });
  },
);

it("a reset gives the node another instance id", async () => {
  await using node = await createNode();
  const id = async () => ((await node.provider.send("hardhat_metadata")) as { readonly instanceId: string }).instanceId;
  const before = await id();
  expect(await id()).toBe(before);
  await node.provider.send("hardhat_reset");
  expect(await id()).not.toBe(before);
});

it("the metadata name a forked chain only on forks", async () => {
  await using node = await createNode();
  for (const method of ["hardhat_metadata", "anvil_metadata"])
    expect(await node.provider.send(method)).not.toHaveProperty("forkedNetwork");
});

describe("notices for the person who runs the node", () => {
  async function noticed(dialect: Dialect, ask: (send: Send) => Promise<unknown>): Promise<string[]> {
    const notices: string[] = [];
    await using node = await createNode({ dialect, onNotice: (notice) => notices.push(notice) });
    await ask((method, ...params) => node.provider.send(method, params));
    return notices;
  }

  it("say that a transaction waits for an earlier nonce, with automine on", async () => {
    const notices = await noticed("hindcast", async (send) => {
      const [from] = (await send("eth_accounts")) as string[];
      await send("eth_sendTransaction", { from, to: TO, nonce: "0x0" });
      await send("eth_sendTransaction", { from, to: TO, nonce: "0x5" });
      await send("evm_setAutomine", false);
      await send("eth_sendTransaction", { from, to: TO, nonce: "0x6" });
    });
    expect(notices).toEqual([
      expect.stringMatching(/^0x[0-9a-f]{64} is queued: its nonce is 5, and its sender's next one is 1$/),
    ]);
  });

  it.each([
    ["hindcast", 1],
    ["hardhat", 0],
  ] as const)("say once that an interval above 1,000 may be meant in milliseconds (%s: %i)", async (dialect, count) => {
    const notices = await noticed(dialect, async (send) => {
      for (const interval of [1_000, 5_000, [2_000, 6_000], 0]) await send("evm_setIntervalMining", interval);
    });
    expect(notices).toHaveLength(count);
    for (const notice of notices) expect(notice).toMatch(/takes seconds: 5000 are 1\.4 hours/);
  });

  it("are not made while logging is off, and their errors stay theirs", async () => {
    const notices = await noticed("hindcast", async (send) => {
      await send("hardhat_setLoggingEnabled", false);
      await send("evm_setIntervalMining", 5_000);
      await send("evm_setIntervalMining", 0);
    });
    expect(notices).toEqual([]);
    const errors: unknown[] = [];
    const onNotice = (): never => {
      throw new Error("from the listener");
    };
    await using node = await createNode({ onNotice, onError: (error) => errors.push(error) });
    expect(await node.provider.send("evm_setIntervalMining", [5_000])).toBeNull();
    await node.provider.send("evm_setIntervalMining", [0]);
    expect(errors).toMatchObject([{ message: "from the listener" }]);
  });
});

describe("listeners of the provider", () => {
  it("once hears one event, off and removeAllListeners end the others", async () => {
    await using node = await createNode();
    const { provider } = node;
    const heard: string[] = [];
    const hears = (name: string) => (): void => {
      heard.push(name);
    };
    const [once, kept, off] = [hears("once"), hears("kept"), hears("off")];
    await provider.send("eth_subscribe", ["newHeads"]);
    provider.once("message", once).addListener("message", kept).on("message", off);
    await node.mine();
    provider.off("message", off);
    await node.mine();
    provider.removeAllListeners("message");
    await node.mine();
    expect(heard).toEqual(["once", "kept", "off", "kept"]);
  });

  it("notifications are told by the events of Hardhat 2 and Ganache too", async () => {
    await using node = await createNode();
    const { provider } = node;
    const heard: unknown[] = [];
    for (const event of ["message", "notification", "data"]) provider.on(event, (value) => heard.push(value));
    const subscription = await provider.send("eth_subscribe", ["newHeads"]);
    await node.mine();
    const told = { subscription, result: expect.objectContaining({ number: "0x1" }) };
    expect(heard).toEqual([
      { type: "eth_subscription", data: told },
      told,
      { jsonrpc: "2.0", method: "eth_subscription", params: told },
    ]);
  });

  it("a listener for one event can be taken off before it", async () => {
    await using node = await createNode();
    let count = 0;
    const listener = (): void => {
      count++;
    };
    await node.provider.send("eth_subscribe", ["newHeads"]);
    node.provider.once("message", listener).removeListener("message", listener);
    await node.mine();
    expect(count).toBe(0);
  });
});
