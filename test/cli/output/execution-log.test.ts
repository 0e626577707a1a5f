/** The command's log of executions: console.log and call trees. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ExecutionLog, type ExecutionLogOptions, type ExplainedCall } from "../../../src/cli/output/execution-log.ts";
import { createJsonOutput } from "../../../src/cli/output/json-output.ts";
import { explainedCallText, minedText, printedText } from "../../../src/cli/output/lines.ts";
import type { MinedTransaction } from "../../../src/cli/output/mined-transaction.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { aVault } from "../../explain/a-workshop.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode } from "../../support/a-node.ts";
import { receiptOf, send } from "../../support/contracts.ts";
import { aNodeRun, aRun, type NodeRun } from "../a-run.ts";

interface Told {
  readonly printed: string[];
  readonly explained: MinedTransaction[];
  readonly calls: ExplainedCall[];
  readonly errors: unknown[];
  readonly log: ExecutionLog;
  /** Resolves when this many transactions were told of. */
  wait(count: number): Promise<void>;
}

function listen(node: HindcastNode, options: Partial<ExecutionLogOptions>): Told {
  const printed: string[] = [];
  const explained: MinedTransaction[] = [];
  const calls: ExplainedCall[] = [];
  const errors: unknown[] = [];
  const waiting: (() => void)[] = [];
  const log = new ExecutionLog(
    node,
    {
      printed: ({ text }) => printed.push(text),
      blocks: () => undefined,
      mined(transaction) {
        explained.push(transaction);
        for (const resolve of waiting.splice(0)) resolve();
      },
      explainedCall: (call) => calls.push(call),
    },
    {
      blocks: true,
      consoleLog: true,
      trees: "none",
      explainFailures: false,
      colors: false,
      onError: (error) => errors.push(error),
      ...options,
    },
  );
  onTestFinished(() => log.stop());
  const wait = async (count: number): Promise<void> => {
    while (explained.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { printed, explained, calls, errors, log, wait };
}

/** A node with a vault whose withdrawal prints and reverts. */
async function aNodeWithVault() {
  const node = await aNode({ hardfork: "cancun" });
  const { artifact, withdrawal } = aVault();
  node.abi.add(artifact);
  const { contractAddress: to } = await receiptOf(node, await send(node, { data: artifact.bytecode.object }));
  return { node, withdraw: () => send(node, { to, data: withdrawal, gas: "0x30d40" }) };
}

async function transactionOf(node: HindcastNode, hash: Hex) {
  const transaction = await node.provider.request({ method: "eth_getTransactionByHash", params: [hash] });
  if (transaction === null) throw new Error("no transaction");
  return transaction;
}

describe("the log of executions", () => {
  it("tells what contracts print, and no call trees unless asked", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const told = listen(node, {});
    await withdraw();
    expect(told.printed).toEqual(["left: 5 wei"]);
    await told.wait(1);
    expect(told.explained.map(({ tree }) => tree)).toEqual([undefined]);
  });

  it("of a node that follows another one tells what calls print, and no transactions", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const [told, quiet] = [listen(node, {}), listen(node, { blocks: false })];
    await withdraw();
    await told.wait(1);
    expect([quiet.printed, quiet.explained]).toEqual([["left: 5 wei"], []]);
  });

  it("tells the call tree of every mined transaction in order, failed ones too", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const told = listen(node, { consoleLog: false, trees: "all" });
    const first = await withdraw();
    await node.mine({ blocks: 2 });
    const second = await withdraw();
    await told.wait(2);
    expect(told.explained.map(({ hash, blockNumber }) => ({ hash, blockNumber }))).toEqual([
      { hash: first, blockNumber: 2n },
      { hash: second, blockNumber: 5n },
    ]);
    expect(told.explained[0]?.tree).toMatch(
      /^\[\d+\] 0x\w+::withdraw\(.*\)\n {2}├─ console\.log: left: 5 wei\n {2}└─ ← \[Revert\] InsufficientBalance\(5, .*\)$/,
    );
    expect(told.explained[0]?.gasUsed).toBe(BigInt((await receiptOf(node, first)).gasUsed));
    expect(told.printed).toEqual([]);
    expect(told.errors).toEqual([]);
  });

  it("gives the engine back after a failed transaction, so that any number of them may be told of", async () => {
    const node = await aNode({ limits: { concurrentExecutions: 1 } });
    const told = listen(node, {});
    for (let count = 1; count <= 3; count++) {
      await send(node, { data: "0x60006000fd", gas: "0x186a0" });
      await told.wait(count);
    }
    expect(told.explained.map(({ failure }) => failure)).toEqual(Array(3).fill(expect.any(String)));
    expect(told.errors).toEqual([]);
  });

  it("tells the call tree of calls, and of estimates that fail", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const told = listen(node, { trees: "all" });
    const { to, input } = await transactionOf(node, await withdraw());
    const call = { from: ALICE, to, data: input } as const;
    await expect(node.provider.request({ method: "eth_call", params: [call] })).rejects.toMatchObject({ code: 3 });
    await expect(node.provider.request({ method: "eth_estimateGas", params: [call] })).rejects.toMatchObject({
      code: 3,
    });
    const transfer = { from: ALICE, to: ALICE } as const;
    await node.provider.request({ method: "eth_call", params: [transfer] });
    await node.provider.request({ method: "eth_estimateGas", params: [transfer] });
    expect(told.calls.map(({ failed, tree }) => [failed, tree.split("\n").at(-1)?.trim()])).toEqual([
      [true, "└─ ← [Revert] InsufficientBalance(5, 1000000000000000000 [1e18])"],
      [true, "└─ ← [Revert] InsufficientBalance(5, 1000000000000000000 [1e18])"],
      [false, "└─ ← [Stop]"],
    ]);
    expect(told.calls[2]?.gasUsed).toBe(21_000n);
    expect(explainedCallText({ failed: true, gasUsed: 1n, tree: "[0] x" }, new Date(0))).toBe(
      "00:00:00.000 call failed with 1 gas\n[0] x\n",
    );
  });

  it("tells how much gas of a call is for state on Amsterdam", async () => {
    const node = await aNode({ hardfork: "amsterdam" });
    const told = listen(node, { trees: "all" });
    const call = { from: ALICE, to: `0x${"77".repeat(20)}`, value: "0x1" } as const;
    await node.provider.request({ method: "eth_call", params: [call] });
    const [explained] = told.calls as [ExplainedCall];
    expect(explained).toMatchObject({ gasUsed: 204_600n, stateGasUsed: 183_600n });
    expect(explainedCallText(explained, new Date(0))).toContain("call succeeded with 204600 gas (183600 for state)\n");
    let line = "";
    createJsonOutput({ write: (text: string) => (line = text) } as never).explainedCall(explained);
    expect(JSON.parse(line)).toMatchObject({ event: "trace", gasUsed: "204600", stateGasUsed: "183600" });
  });

  it("tells each transaction that is mined, and of what failed why and, if wanted, the tree", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const plain = listen(node, {});
    const failing = listen(node, { trees: "failed" });
    await send(node, { to: ALICE, value: "0x1" });
    await withdraw();
    await send(node, { data: "0xfe", gas: "0x186a0" });
    await failing.wait(3);
    await plain.wait(3);
    expect(plain.explained.map(({ failure, tree }) => [failure, tree])).toEqual([
      [undefined, undefined],
      ["InsufficientBalance(5, 1000000000000000000 [1e18])", undefined],
      ["invalid opcode: INVALID", undefined],
    ]);
    expect(failing.explained.map(({ tree }) => tree !== undefined)).toEqual([false, true, true]);
    expect(plain.explained[0]).toMatchObject({ fromName: "account 0", gasUsed: 21_000n, functionName: undefined });
    expect(plain.explained[1]).toMatchObject({ functionName: "withdraw" });
    expect([...plain.errors, ...failing.errors]).toEqual([]);
  });

  it("knows what failed before Byzantium, where receipts do not say", async () => {
    const node = await aNode({ hardfork: "homestead" });
    const told = listen(node, {});
    await send(node, { data: "0xfe", gas: "0x186a0" });
    await told.wait(1);
    expect(told.explained[0]).toMatchObject({ failure: "invalid opcode: INVALID", created: undefined });
  });

  it("is silent while logging is switched off", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const told = listen(node, { trees: "all" });
    await node.provider.request({ method: "hardhat_setLoggingEnabled", params: [false] });
    await withdraw();
    await node.provider.request({ method: "hardhat_setLoggingEnabled", params: [true] });
    await withdraw();
    await told.wait(1);
    expect(told.printed).toHaveLength(1);
    expect(told.explained.map(({ blockNumber }) => blockNumber)).toEqual([3n]);
  });

  it("ends when it is stopped, whatever still waits", async () => {
    const { node, withdraw } = await aNodeWithVault();
    const told = listen(node, { trees: "all" });
    for (let count = 0; count < 5; count++) await withdraw();
    await told.log.stop();
    const { length } = told.explained;
    await withdraw();
    expect(told.explained).toHaveLength(length);
    expect(told.errors).toEqual([]);
  });
});

describe("the command", () => {
  /** Deploys a vault on a running command's node, withdraws, and gives the hash. */
  async function withdrawOn(node: NodeRun): Promise<Hex> {
    const { artifact, withdrawal } = aVault();
    const sending = (tx: object): Promise<unknown> =>
      node.ask("eth_sendTransaction", { from: ALICE, gas: "0x30d40", ...tx });
    const deployed = await sending({ data: artifact.bytecode.object });
    const { contractAddress } = (await node.ask("eth_getTransactionReceipt", deployed)) as { contractAddress: Hex };
    return (await sending({ to: contractAddress, data: withdrawal })) as Hex;
  }

  it("prints console.log, and call trees with names by --print-traces and --artifacts", async () => {
    const folder = await aFolder();
    await writeFile(join(folder, "Vault.json"), JSON.stringify(aVault().artifact));
    const flags = ["--hardfork", "cancun", "--color", "never", "--print-traces", "--artifacts", folder];
    const node = await aNodeRun(flags);
    const hash = await withdrawOn(node);
    await expect.poll(node.stdout, { interval: 10 }).toContain("InsufficientBalance(5, 1000000000000000000 [1e18])");
    const lines = node.stdout().split("\n");
    const start = lines.findIndex((line) => line.includes(`mined ${hash.slice(0, 10)}… in block 2: account 0 → Vault`));
    expect(lines[start]).toMatch(
      /::withdraw, \d+ gas, FAILED: InsufficientBalance\(5, 1000000000000000000 \[1e18\]\)$/,
    );
    expect(lines[start + 1]).toMatch(/^\[\d+\] Vault::withdraw\(1000000000000000000 \[1e18\]\)$/);
    expect(lines.some((line) => /^\d\d:\d\d:\d\d\.\d{3} console\.log: left: 5 wei$/.test(line))).toBe(true);
    // Creations too.
    expect(node.stdout()).toContain("→ new Vault@0x5FbDB2315678afecb367f032d93F642f64180aa3");
  });

  it("prints neither with --disable-console-log alone", async () => {
    const node = await aNodeRun(["--disable-console-log"]);
    await withdrawOn(node);
    await node.stop();
    expect(node.stdout()).toContain("eth_sendTransaction");
    expect(node.stdout()).not.toContain("left: 5 wei");
    expect(node.stdout()).not.toContain("├─");
  });

  it("has both as objects with --json", async () => {
    const node = await aNodeRun(["--json", "--print-traces"]);
    const hash = await withdrawOn(node);
    const events = (): Record<string, unknown>[] =>
      node
        .stdout()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await expect.poll(() => events().filter(({ event }) => event === "trace").length, { interval: 10 }).toBe(2);
    expect(events().find(({ event }) => event === "console")).toMatchObject({ text: "left: 5 wei", transaction: hash });
    const trace = events().filter(({ event }) => event === "trace")[1];
    expect(trace).toMatchObject({ transaction: hash, block: "2", failed: true });
    expect(events().filter(({ event }) => event === "transaction")[1]).toMatchObject({
      hash,
      block: "2",
      fromName: "account 0",
      failure: expect.stringMatching(/^custom error 0xcf479181: 0x0{63}5/),
    });
    expect(trace?.tree).toContain("└─ ← [Revert] custom error 0xcf479181");
  });

  it("names the custom error that a request was refused with, while the client is told what geth tells", async () => {
    const folder = await aFolder();
    const { artifact, withdrawal } = aVault();
    await writeFile(join(folder, "Vault.json"), JSON.stringify(artifact));
    const node = await aNodeRun(["--artifacts", folder]);
    const deployed = await node.ask("eth_sendTransaction", { from: ALICE, data: artifact.bytecode.object });
    const { contractAddress: to } = (await node.ask("eth_getTransactionReceipt", deployed)) as { contractAddress: Hex };
    await expect(node.ask("eth_call", { to, data: withdrawal })).rejects.toThrow(/execution reverted(?!:)/);
    await expect
      .poll(node.stdout, { interval: 10 })
      .toContain("eth_call 3 execution reverted: InsufficientBalance(5, 1000000000000000000 [1e18])\n");
  });

  it("names a folder without artifacts and ends", async () => {
    const run = aRun(["--port", "0", "--artifacts", await aFolder()]);
    const { code, stderr } = await run.finished;
    expect(code).not.toBe(0);
    expect(stderr).toContain("There is no contract in");
  });
});

describe("its texts", () => {
  const now = new Date(Date.UTC(2024, 0, 1, 12, 34, 56, 789));
  const printed = (text: string): string =>
    printedText({ text, values: [], address: decodeData("0x"), transactionHash: undefined }, now);

  it("have a clock, keep rows apart from other lines, and control no terminal", () => {
    expect(printed("hello")).toBe("12:34:56.789 console.log: hello\n");
    expect(printed("one\ntwo")).toBe("12:34:56.789 console.log: one\n             two\n");
    expect(printed("\u001b[31mred\r\u0007")).toBe("12:34:56.789 console.log:  [31mred \n");
  });

  const mined: MinedTransaction = {
    hash: `0x${"ab".repeat(32)}`,
    blockNumber: 3n,
    from: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    fromName: undefined,
    toName: undefined,
    to: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    created: undefined,
    contractName: undefined,
    functionName: undefined,
    gasUsed: 21_000n,
    failure: undefined,
    tree: undefined,
  };

  it("tell who sent a transaction to whom, what it made, its gas and how it failed, with its tree below", () => {
    const told = (facts: Partial<MinedTransaction>): string => minedText({ ...mined, ...facts }, now).slice(13);
    const start = "mined 0xabababab… in block 3:";
    expect(told({})).toBe(`${start} 0xf39Fd6…2266 → 0x5FbDB2…0aa3, 21000 gas\n`);
    expect(told({ fromName: "account 0", contractName: "Vault", functionName: "withdraw", tree: "[0] x" })).toBe(
      `${start} account 0 → Vault::withdraw, 21000 gas\n[0] x\n`,
    );
    expect(told({ to: undefined, created: mined.to, contractName: "Vault" })).toBe(
      `${start} 0xf39Fd6…2266 created Vault at 0x5FbDB2315678afecb367f032d93F642f64180aa3, 21000 gas\n`,
    );
    expect(told({ stateGasUsed: 183_600n, gasUsed: 204_600n })).toContain("0aa3, 204600 gas (183600 for state)\n");
    expect(told({ stateGasUsed: 0n })).toContain("0aa3, 21000 gas\n");
    expect(told({ to: undefined, failure: "out of gas" })).toBe(
      `${start} 0xf39Fd6…2266 → a new contract, 21000 gas, FAILED: out of gas\n`,
    );
    expect(minedText({ ...mined, failure: "no" }, now, { colored: true })).toContain(
      "\u001b[31m, FAILED: no\u001b[39m",
    );
    const explorerUrl = "http://127.0.0.1:8545/";
    expect(minedText({ ...mined, failure: "no" }, now, { explorerUrl })).toContain(
      `\n             ${explorerUrl}#/tx/${mined.hash}\n`,
    );
    expect(minedText(mined, now, { explorerUrl })).not.toContain(explorerUrl);
  });
});
