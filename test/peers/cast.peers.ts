/** Foundry's cast drives a running node: what it prints is compared with what the node knows. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  BOB,
  DAVE,
  type Json,
  openNode,
  type ServedNode,
  serve,
  wordText,
} from "../support/a-node.ts";
import { assemble, calling } from "../support/assembler.ts";
import { COUNTER, deploy, ECHO, EMITTER, logCall, REVERTER, send } from "../support/contracts.ts";
import { foundryBinary, installPeers } from "../support/peers.mjs";

const run = promisify(execFile);
/** Of account 3, which is nobody else's here. */
const DAVES_KEY = "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6";
const TOPIC = 7n;

let installed: Awaited<ReturnType<typeof installPeers>>;
let served: ServedNode;
let counter: string;
let emitter: string;
let echo: string;
let reverter: string;
let caller: string;
/** A transaction that emitted a log. */
let logged: string;

beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/cast@1.7.1"]);
  served = await serve(await openNode());
  counter = await deploy(served.node, COUNTER);
  emitter = await deploy(served.node, EMITTER);
  echo = await deploy(served.node, ECHO);
  reverter = await deploy(served.node, REVERTER);
  caller = await deploy(served.node, assemble(`${calling("CALL", decodeData(counter))} STOP`));
  logged = await send(served.node, { to: emitter, data: logCall([TOPIC], "0x1234") });
});
afterAll(async () => {
  await served.node.close();
  await installed.remove();
});

/** Output of a command. */
async function cast(...args: string[]): Promise<string> {
  const { stdout } = await run(foundryBinary(installed.folder, "cast"), args, {
    env: { ...process.env, NO_COLOR: "1", ETH_RPC_URL: served.plain.url },
  });
  return stdout.trim();
}

const castJson = async (command: string, ...args: string[]): Promise<Json> =>
  JSON.parse(await cast(command, "--json", ...args)) as Json;

/** As cast prints them when asked for JSON: what the node says, without what one of the two does not have. */
async function expectSame(printed: Json, method: string, ...params: unknown[]): Promise<void> {
  const answered = await served.plain.ask<Json>(method, ...params);
  expect(lowered(printed)).toMatchObject(lowered(answered));
}

/** cast prints addresses with a checksum. */
const lowered = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value), (_name, each) => (typeof each === "string" ? each.toLowerCase() : each)) as Json;

describe("reads", () => {
  it("block", async () => {
    await expectSame(await castJson("block", "latest"), "eth_getBlockByNumber", "latest", false);
    await expectSame(await castJson("block", "1", "--full"), "eth_getBlockByNumber", "0x1", true);
    expect(await cast("block", "finalized", "--field", "number")).toBe("0");
  });

  it("tx and receipt", async () => {
    await expectSame(await castJson("tx", logged), "eth_getTransactionByHash", logged);
    await expectSame(await castJson("receipt", logged), "eth_getTransactionReceipt", logged);
    const raw = await served.plain.ask("eth_getRawTransactionByHash", logged);
    expect(await cast("tx", logged, "--raw")).toBe(raw);
  });

  it("logs", async () => {
    const range = ["--from-block", "0", "--to-block", "latest", "--address", emitter];
    const printed = JSON.parse(await cast("logs", ...range, wordText(TOPIC), "--json")) as Json[];
    const answered = await served.plain.ask<Json[]>("eth_getLogs", { fromBlock: "0x0", address: emitter });
    expect(printed).toHaveLength(1);
    expect(lowered(printed[0])).toMatchObject(lowered(answered[0]));
    expect(JSON.parse(await cast("logs", ...range, wordText(8), "--json"))).toEqual([]);
  });

  it("balance, nonce, code, storage", async () => {
    const alice = await served.plain.ask<string>("eth_getBalance", ALICE, "latest");
    expect(await cast("balance", ALICE)).toBe(String(BigInt(alice)));
    expect(await cast("nonce", ALICE)).toBe(String(Number(await served.plain.ask("eth_getTransactionCount", ALICE))));
    expect(await cast("code", counter)).toBe(await served.plain.ask("eth_getCode", counter));
    await send(served.node, { to: counter });
    const value = await served.plain.ask<string>("eth_getStorageAt", counter, "0x0");
    expect(BigInt(value)).toBeGreaterThan(0n);
    expect(await cast("storage", counter, "0")).toBe(value);
    expect(await cast("storage", counter, "0", "--block", "1")).toBe(wordText(0));
  });

  it("proof", async () => {
    const printed = await castJson("proof", counter, "0", "1");
    const answered = await served.plain.ask<Json>("eth_getProof", counter, [wordText(0), wordText(1)], "latest");
    const { address, accountProof, balance, codeHash, nonce, storageHash } = answered;
    expect(lowered(printed)).toMatchObject(lowered({ address, accountProof, balance, codeHash, nonce, storageHash }));
    const proofs = (of: Json): unknown => (of.storageProof as Json[]).map(({ value, proof }) => ({ value, proof }));
    expect(proofs(printed)).toEqual(proofs(answered));
    expect(await cast("storage-root", counter)).toBe(storageHash);
    expect(await cast("codehash", counter)).toBe(codeHash);
  });

  it("chain-id, gas-price, base-fee, block-number, client, age", async () => {
    expect(await cast("chain-id")).toBe("31337");
    expect(await cast("gas-price")).toBe(String(BigInt(await served.plain.ask<string>("eth_gasPrice"))));
    const { number, baseFeePerGas, timestamp } = await served.plain.ask<Record<string, string>>(
      "eth_getBlockByNumber",
      "latest",
      false,
    );
    expect(await cast("base-fee")).toBe(String(BigInt(baseFeePerGas ?? "")));
    expect(await cast("block-number")).toBe(String(BigInt(number ?? "")));
    expect(await cast("client")).toBe(await served.plain.ask("web3_clientVersion"));
    expect(await cast("find-block", String(BigInt(timestamp ?? "")))).toBe(String(BigInt(number ?? "")));
  });

  it("rpc, with params apart and as one list", async () => {
    expect(JSON.parse(await cast("rpc", "eth_getBalance", BOB, "latest"))).toBe(
      await served.plain.ask("eth_getBalance", BOB, "latest"),
    );
    const block = JSON.parse(await cast("rpc", "--raw", "eth_getBlockByNumber", '["0x1", false]')) as Json;
    expect(block).toEqual(await served.plain.ask("eth_getBlockByNumber", "0x1", false));
    await expect(cast("rpc", "eth_noSuchMethod")).rejects.toThrow(/-32601/);
  });
});

describe("runs", () => {
  it("call", async () => {
    expect(await cast("call", echo, "--data", "0x1234")).toBe("0x1234");
    expect(await cast("call", counter, "next()(uint256)", "--block", "1")).toBe("1");
    await expect(cast("call", reverter, "--data", "0xdeadbeef")).rejects.toThrow(/execution reverted.*deadbeef/s);
  });

  it("call with overrides", async () => {
    const balance = assemble("SELFBALANCE 0 MSTORE 32 0 RETURN");
    const code = `0x${Buffer.from(balance).toString("hex")}`;
    const target = addressText(0x55);
    const overrides = ["--override-code", `${target}:${code}`, "--override-balance", `${target}:77`];
    expect(await cast("call", target, "f()(uint256)", ...overrides)).toBe("77");
  });

  it("estimate and access-list", async () => {
    const call = { from: ALICE, to: counter };
    const estimate = await served.plain.ask<string>("eth_estimateGas", call);
    expect(await cast("estimate", counter, "next()", "--from", ALICE)).toMatch(/^\d+$/);
    expect(Number(await cast("estimate", counter, "--from", ALICE))).toBe(Number(estimate));
    const printed = await castJson("access-list", counter, "--from", ALICE);
    expect(lowered(printed)).toMatchObject({ accessList: [{ address: counter, storageKeys: [wordText(0)] }] });
  });

  it("run, which replays a transaction with everything that it reads over JSON-RPC", async () => {
    const nested = await send(served.node, { to: caller, gas: "0x30d40" });
    const printed = await cast("run", nested);
    expect(printed.toLowerCase()).toContain(counter.slice(2, 12));
    const { gasUsed } = await served.plain.ask<Record<string, string>>("eth_getTransactionReceipt", nested);
    expect(printed).toContain(`Gas used: ${BigInt(gasUsed ?? "")}`);
  });
});

describe("sends", () => {
  it("with a key of its own", async () => {
    const before = BigInt(await served.plain.ask<string>("eth_getBalance", BOB, "latest"));
    const receipt = await castJson("send", BOB, "--value", "5", "--private-key", DAVES_KEY);
    expect(lowered(receipt)).toMatchObject({ status: "0x1", from: DAVE, to: BOB, type: "0x2" });
    await expectSame(receipt, "eth_getTransactionReceipt", receipt.transactionHash);
    expect(BigInt(await served.plain.ask<string>("eth_getBalance", BOB, "latest"))).toBe(before + 5n);
  });

  it("with an account of the node, and a contract", async () => {
    const receipt = await castJson("send", "--unlocked", "--from", ALICE, "--create", "0x6001600c60003960016000f300");
    expect(receipt).toMatchObject({ status: "0x1" });
    expect(await cast("code", String(receipt.contractAddress))).toBe("0x00");
  });

  it("legacy, with an access list, with an authorization", async () => {
    const key = ["--private-key", DAVES_KEY];
    expect(await castJson("send", BOB, "--legacy", ...key)).toMatchObject({ status: "0x1", type: "0x0" });
    expect(await castJson("send", counter, "--access-list", ...key)).toMatchObject({ status: "0x1" });
    const set = await castJson("send", BOB, "--auth", counter, ...key);
    expect(set).toMatchObject({ status: "0x1", type: "0x4" });
    expect(await cast("code", DAVE)).toBe(`0xef0100${counter.slice(2)}`);
  });

  it("mktx and publish", async () => {
    const raw = await cast("mktx", BOB, "--value", "1", "--private-key", DAVES_KEY);
    const receipt = JSON.parse(await cast("publish", raw)) as Json;
    expect(receipt).toMatchObject({ status: "0x1" });
  });

  it("and says what the node refuses", async () => {
    await expect(cast("send", BOB, "--value", "1000000ether", "--private-key", DAVES_KEY)).rejects.toThrow(
      /insufficient funds/i,
    );
    await expect(cast("send", BOB, "--nonce", "0", "--private-key", DAVES_KEY)).rejects.toThrow(/nonce too low/i);
  });
});

it("tx-pool shows what waits", async () => {
  served.node.setMiningMode("manual");
  try {
    const hash = await send(served.node, { to: BOB, gas: "0x5208" });
    expect(lowered(JSON.parse(await cast("tx-pool", "status")))).toEqual({ pending: "0x1", queued: "0x0" });
    expect(await cast("tx-pool", "content")).toContain(hash);
  } finally {
    await served.node.mine();
    served.node.setMiningMode("auto");
  }
});
