import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";

const SENDERS = [0, 1, 2] as const;

async function aNode(options: NodeOptions) {
  const node = await createNode({ accounts: 3, ...options });
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => node.provider.send(method, params);
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

describe("fundedAccounts", () => {
  const STRANGER = `0x${"ab".repeat(20)}`;
  const balanceOf = ({ ask }: Awaited<ReturnType<typeof aNode>>, address: string) =>
    ask("eth_getBalance", address, "earliest");

  it("have their balance from the first block on, the option balance unless they name one, and no key", async () => {
    const other = `0x${"cd".repeat(20)}`;
    await using chain = await aNode({
      balance: 9n,
      fundedAccounts: [{ address: STRANGER, balance: 7n }, { address: other }],
    });
    expect([await balanceOf(chain, STRANGER), await balanceOf(chain, other)]).toEqual(["0x7", "0x9"]);
    expect(chain.accounts).toHaveLength(3);
  });

  it("change the balance of an account of the node, and the last entry of an address counts", async () => {
    const address = "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    await using chain = await aNode({
      fundedAccounts: [
        { address, balance: 5n },
        { address, balance: 6n },
      ],
    });
    expect(await balanceOf(chain, address)).toBe("0x6");
  });

  it("are refused in another form, and beside a genesis, which has balances of its own", async () => {
    for (const wrong of [
      [{ address: "0x12" }],
      [{ address: STRANGER, balance: 5 }],
      [{ address: STRANGER, wei: 5n }],
      {},
    ]) {
      const options = { fundedAccounts: wrong } as unknown as NodeOptions;
      await expect(createNode(options)).rejects.toThrow("fundedAccounts");
    }
    await expect(createNode({ genesis: {}, fundedAccounts: [{ address: STRANGER }] })).rejects.toThrow(
      "fundedAccounts",
    );
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

describe("transactionGasCap", () => {
  /** Gas above EIP-7825's cap. */
  const GAS = "0x1312d00";
  /** Init code that spends all its gas: JUMPDEST PUSH0 JUMP. */
  const SPENDER = "0x5b5f56";

  it("is off: a transaction may take what a block has, and is traced and replayed", async () => {
    await using chain = await aNode({});
    const { ask, accounts } = chain;
    const hash = await ask("eth_sendTransaction", { from: accounts[0], data: SPENDER, gas: GAS });
    expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x0", gasUsed: GAS });
    expect(await ask("trace_transaction", hash)).toHaveLength(1);
    expect(await ask("debug_traceTransaction", hash, { tracer: "callTracer" })).toMatchObject({ gas: GAS });
  });

  it("holds for imported blocks, so that such a block is exported by force alone", async () => {
    await using chain = await aNode({ timestamp: 1_700_000_000n });
    await chain.ask("eth_sendTransaction", { from: chain.accounts[0], data: SPENDER, gas: GAS });
    expect(() => [...chain.node.exportChain()]).toThrow("Block 1 cannot be imported by another chain: it holds trans");
    const exported = Buffer.concat([...chain.node.exportChain({ force: true })]);
    await using other = await aNode({ timestamp: 1_700_000_000n });
    await expect(other.node.importChain(exported)).rejects.toThrow(
      "transaction gas limit too high (cap: 16777216, tx: 20000000), see EIP-7825",
    );
  });

  it("is no rule before Osaka", async () => {
    await using chain = await aNode({ hardfork: "prague", transactionGasCap: true });
    expect(await chain.ask("eth_sendTransaction", { from: chain.accounts[0], data: SPENDER, gas: GAS })).toMatch(/^0x/);
    expect([...chain.node.exportChain()]).toHaveLength(1);
  });

  it("bounds estimates where it is on", async () => {
    // Fails with less than 18,000,000 gas left: PUSH4 18000000 GAS LT PUSH1 10 JUMPI STOP JUMPDEST PUSH0 PUSH0 REVERT.
    const call = { from: `0x${"00".repeat(20)}`, data: "0x630112a8805a10600b57005b5f5ffd" };
    await using open = await aNode({});
    await using capped = await aNode({ transactionGasCap: true });
    expect(Number(await open.ask("eth_estimateGas", call))).toBeGreaterThan(18_000_000);
    await expect(capped.ask("eth_estimateGas", call)).rejects.toThrow("execution reverted");
  });
});

it("maxTransactions bounds what a block takes from the pool", async () => {
  await using chain = await aNode({ maxTransactions: 2, mining: "manual" });
  for (const from of chain.accounts) await chain.ask("eth_sendTransaction", { from, to: from });
  const counts = (await chain.node.mine({ blocks: 2 })).map(({ transactions }) => transactions.length);
  expect(counts).toEqual([2, 1]);
});

it("without poolBalanceChecks a transaction waits until its sender can pay for it", async () => {
  const poor = `0x${"ab".repeat(20)}`;
  const send = { from: poor, to: poor, value: "0x1", gas: "0x5208" };
  await using strict = await aNode({ autoImpersonate: true, mining: "manual" });
  await expect(strict.ask("eth_sendTransaction", send)).rejects.toThrow(/insufficient funds.*; the sender is 0xABaB/);
  await using open = await aNode({ autoImpersonate: true, mining: "manual", poolBalanceChecks: false });
  const hash = await open.ask("eth_sendTransaction", send);
  await open.ask("anvil_setBalance", poor, "0xde0b6b3a7640000");
  await open.ask("evm_mine");
  expect(await open.ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
});

it("a transaction whose signature was changed is refused with the sender that it has now", async () => {
  await using chain = await aNode({});
  const [from] = chain.accounts;
  const raw = (await chain.ask("eth_signTransaction", { from, to: from, gas: "0x5208", nonce: "0x0" })) as string;
  const changed = raw.replace(/.$/, (digit) => (digit === "1" ? "2" : "1"));
  await expect(chain.ask("eth_sendRawTransaction", changed)).rejects.toThrow(/; the sender is 0x[\dA-Fa-f]{40}\./);
});
