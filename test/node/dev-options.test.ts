import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";

const SENDERS = [0, 1, 2] as const;

async function aNode(options: NodeOptions) {
  const node = await createNode({ accounts: 3, ...options });
  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    node.provider.request({ method, params } as never);
  const accounts = (await ask("eth_accounts")) as string[];
  return { node, ask, accounts, [Symbol.asyncDispose]: () => node.close() };
}

describe("transactionOrder", () => {
  it.each([
    ["fees", [2, 1, 0]],
    ["fifo", [0, 1, 2]],
  ] as const)("%s fills a block in that order", async (transactionOrder, expected) => {
    await using chain = await aNode({ transactionOrder, mining: "manual" });
    const { ask, accounts } = chain;
    for (const index of SENDERS) {
      await ask("eth_sendTransaction", {
        from: accounts[index],
        to: accounts[0],
        maxFeePerGas: "0x77359400",
        maxPriorityFeePerGas: `0x${(index + 1).toString(16)}`,
      });
    }
    await ask("evm_mine");
    const block = (await ask("eth_getBlockByNumber", "latest", true)) as { transactions: { from: string }[] };
    expect(block.transactions.map(({ from }) => accounts.indexOf(from))).toEqual(expected);
  });

  it("fifo keeps a sender's transactions in nonce order", async () => {
    await using chain = await aNode({ transactionOrder: "fifo", mining: "manual" });
    const { ask, accounts } = chain;
    for (const nonce of ["0x1", "0x0"]) await ask("eth_sendTransaction", { from: accounts[0], to: accounts[1], nonce });
    await ask("evm_mine");
    const block = (await ask("eth_getBlockByNumber", "latest", true)) as { transactions: { nonce: string }[] };
    expect(block.transactions.map(({ nonce }) => nonce)).toEqual(["0x0", "0x1"]);
  });
});

describe("clientVersion", () => {
  it("is what a node calls itself, for tools that take known names only", async () => {
    await using chain = await aNode({ clientVersion: "HardhatNetwork/mine" });
    expect(await chain.ask("web3_clientVersion")).toBe("HardhatNetwork/mine");
    expect(await chain.ask("hardhat_metadata")).toMatchObject({ clientVersion: "HardhatNetwork/mine" });
  });

  it("begins with anvil, which Hardhat's helpers take, and names this node, its version and engine", async () => {
    await using chain = await aNode({});
    expect(await chain.ask("web3_clientVersion")).toMatch(/^anvil\/hindcast\/v\d+\.\d+\.\d+\/wasm$/);
  });
});

describe("codeSizeLimit", () => {
  /** Init code that deploys this many zero bytes: PUSH3 size PUSH1 0 RETURN. */
  const deploying = (size: number): string => `0x62${size.toString(16).padStart(6, "0")}6000f3`;

  async function deploy(options: NodeOptions, size: number, padding = 0): Promise<unknown> {
    await using chain = await aNode({ hardfork: "cancun", ...options });
    const { ask, accounts } = chain;
    const data = deploying(size) + "00".repeat(padding);
    const hash = await ask("eth_sendTransaction", { from: accounts[0], data, gas: "0x1c9c380" });
    return ((await ask("eth_getTransactionReceipt", hash)) as { status: string }).status;
  }

  it("is 24,576 bytes unless it is set", async () => {
    expect(await deploy({}, 24_576)).toBe("0x1");
    expect(await deploy({}, 24_577)).toBe("0x0");
  });

  it("lets larger contracts in, to the byte", async () => {
    expect(await deploy({ codeSizeLimit: 100_000 }, 100_000)).toBe("0x1");
    expect(await deploy({ codeSizeLimit: 100_000 }, 100_001)).toBe("0x0");
  });

  it("may be smaller, too", async () => {
    expect(await deploy({ codeSizeLimit: 10 }, 11)).toBe("0x0");
  });

  it("allows twice as much init code", async () => {
    const length = deploying(1).length / 2 - 1;
    expect(await deploy({ codeSizeLimit: 30_000 }, 1, 60_000 - length)).toBe("0x1");
    await expect(deploy({ codeSizeLimit: 30_000 }, 1, 60_001 - length)).rejects.toThrow("max initcode size exceeded");
    await expect(deploy({}, 1, 60_000 - length)).rejects.toThrow("max initcode size exceeded");
  });
});

it("mining by interval with automine makes a block per transaction as well", async () => {
  await using chain = await aNode({ mining: { intervalMs: 10, automine: true } });
  const { ask, accounts, node } = chain;
  const hash = await ask("eth_sendTransaction", { from: accounts[0], to: accounts[1] });
  expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  const mined = node.head.header.number;
  await new Promise<void>((resolve) => node.onHeadChange(() => resolve()));
  expect(node.head.header.number).toBeGreaterThan(mined);
  await ask("evm_setAutomine", false);
  expect(node.miningMode).toEqual({ intervalMs: 10 });
});

it("autoImpersonate lets any address send without a key, branches included", async () => {
  await using chain = await aNode({ autoImpersonate: true });
  const stranger = `0x${"ab".repeat(20)}`;
  await chain.ask("anvil_setBalance", stranger, "0xde0b6b3a7640000");
  const send = { from: stranger, to: chain.accounts[0], value: "0x1" };
  expect(await chain.ask("eth_sendTransaction", send)).toMatch(/^0x/);
  await using branch = await chain.node.branch();
  expect(await branch.provider.request({ method: "eth_sendTransaction", params: [send] } as never)).toMatch(/^0x/);
});
