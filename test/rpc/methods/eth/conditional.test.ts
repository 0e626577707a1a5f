/** eth_sendRawTransactionConditional (EIP-7796) and eth_resend, asked by viem and as plain JSON-RPC. */
import { createWalletClient, custom, type Hex, parseGwei } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ALICE,
  aServedNode,
  BOB,
  type Json,
  NOBODY,
  quantity,
  type ServedNode,
  wordText,
} from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy, send } from "../../../support/contracts.ts";

/** slot[calldata word 0] = calldata word 1 */
const STORE = assemble("32 CALLDATALOAD 0 CALLDATALOAD SSTORE");
const account = mnemonicToAccount("test test test test test test test test test test test junk");

let served: ServedNode;
const ask = <T = unknown>(method: string, ...params: unknown[]): Promise<T> => served.plain.ask<T>(method, ...params);

beforeEach(async () => {
  served = await aServedNode();
});
afterEach(() => served.node.close());

describe("eth_sendRawTransactionConditional", () => {
  const sign = async (): Promise<Hex> => {
    const wallet = createWalletClient({ account, transport: custom(served.node.provider) });
    const chain = null;
    const request = await wallet.prepareTransactionRequest({ chain, to: NOBODY, value: 1n });
    return wallet.signTransaction({ ...request, chain });
  };
  const head = async () => Number(await ask("eth_blockNumber"));
  const refused = async (conditions: Json, message: string): Promise<void> => {
    await expect(ask("eth_sendRawTransactionConditional", await sign(), conditions)).rejects.toMatchObject({
      code: -32003,
      message: expect.stringContaining(message),
    });
    expect(await ask("eth_getBalance", NOBODY, "pending")).toBe("0x0");
  };

  it("mines a transaction whose conditions hold", async () => {
    const raw = await sign();
    const { timestamp } = await ask<{ timestamp: string }>("eth_getBlockByNumber", "latest", false);
    const hash = await ask("eth_sendRawTransactionConditional", raw, {
      blockNumberMin: "0x1",
      blockNumberMax: "0x1",
      timestampMin: timestamp,
      timestampMax: "0xffffffffff",
      knownAccounts: {},
    });
    expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1", blockNumber: "0x1" });
  });

  it("takes no conditions at all for eth_sendRawTransaction", async () => {
    const hash = await ask("eth_sendRawTransactionConditional", await sign());
    expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
  });

  it("refuses a block number or a time out of the range, and sends nothing", async () => {
    const next = (await head()) + 1;
    await refused({ blockNumberMin: quantity(next + 1) }, `number is ${next}, and at least ${next + 1}`);
    await refused({ blockNumberMax: quantity(next - 1) }, `number is ${next}, and at most ${next - 1}`);
    await refused({ timestampMax: "0x1" }, "and at most 1 is asked for");
    await refused({ timestampMin: "0xffffffffffff" }, "timestamp is");
  });

  it("compares slots and storage roots with the head", async () => {
    const store = await deploy(served.node, STORE);
    await send(served.node, { to: store, data: `0x${wordText(1).slice(2)}${wordText(7).slice(2)}` });
    const { storageHash } = await ask<{ storageHash: string }>("eth_getProof", store, [], "latest");
    const known = (storage: unknown): Json => ({ knownAccounts: { [store]: storage } });
    await refused(known({ [wordText(1)]: wordText(8) }), "not 0x");
    await refused(known(wordText(1)), "the storage root of");
    await refused(known({ [wordText(2)]: wordText(1) }), `slot ${wordText(2)}`);
    for (const storage of [storageHash, { [wordText(1)]: wordText(7), [wordText(2)]: wordText(0) }]) {
      const hash = await ask("eth_sendRawTransactionConditional", await sign(), known(storage));
      expect(await ask("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
    }
  });

  it("refuses a condition that it does not know, or that is not well formed", async () => {
    const raw = await sign();
    for (const conditions of [
      { blockNumberMaximum: "0x1" },
      { knownAccounts: { [BOB]: "0x12" } },
      { knownAccounts: { [BOB]: { "0x1": wordText(1) } } },
      { knownAccounts: [] },
      { timestampMin: 5 },
      "0x1",
    ]) {
      await expect(ask("eth_sendRawTransactionConditional", raw, conditions)).rejects.toMatchObject({ code: -32602 });
    }
    expect(await ask("eth_blockNumber")).toBe("0x0");
  });
});

describe("eth_resend", () => {
  const GWEI = (amount: string): Hex => quantity(parseGwei(amount));
  const described = { from: ALICE, to: BOB, value: "0x5", nonce: "0x0" };

  beforeEach(() => ask("evm_setAutomine", false));

  it("puts a transaction with the new price and limit in the waiting one's place", async () => {
    const old = await ask("eth_sendTransaction", { ...described, gas: "0x5208", gasPrice: GWEI("2") });
    const hash = await ask("eth_resend", described, GWEI("3"), "0x7530");
    expect(hash).not.toBe(old);
    expect(await ask("txpool_status")).toEqual({ pending: "0x1", queued: "0x0" });
    await ask("evm_mine");
    expect(await ask("eth_getTransactionByHash", old)).toBeNull();
    expect(await ask("eth_getTransactionByHash", hash)).toMatchObject({
      type: "0x0",
      to: BOB,
      value: "0x5",
      gas: "0x7530",
      gasPrice: GWEI("3"),
      blockNumber: "0x1",
    });
  });

  it("raises cap and tip of a fee-market transaction to the price, and leaves the limit", async () => {
    const fees = { maxFeePerGas: GWEI("4"), maxPriorityFeePerGas: GWEI("1") };
    await ask("eth_sendTransaction", { ...described, gas: "0x5209", ...fees });
    const hash = await ask("eth_resend", { ...described, ...fees }, GWEI("5"));
    expect(await ask("eth_getTransactionByHash", hash)).toMatchObject({
      type: "0x2",
      gas: "0x5209",
      maxFeePerGas: GWEI("5"),
      maxPriorityFeePerGas: GWEI("5"),
    });
  });

  it("refuses a call without a nonce, one that nothing waits for, and one that says something else", async () => {
    await expect(ask("eth_resend", { from: ALICE, to: BOB }, GWEI("3"))).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("missing transaction nonce"),
    });
    await expect(ask("eth_resend", described, GWEI("3"))).rejects.toMatchObject({
      message: expect.stringContaining("with nonce 0 waits"),
    });
    await ask("eth_sendTransaction", described);
    await expect(ask("eth_resend", { ...described, value: "0x6" }, GWEI("3"))).rejects.toMatchObject({
      message: expect.stringContaining("has other members"),
    });
    await expect(ask("eth_resend", { ...described, from: NOBODY }, GWEI("3"))).rejects.toMatchObject({ code: -32000 });
  });

  it("refuses a price that does not replace the old one, which stays", async () => {
    const old = await ask("eth_sendTransaction", { ...described, gasPrice: GWEI("2") });
    await expect(ask("eth_resend", described, GWEI("2.1"))).rejects.toMatchObject({
      message: expect.stringContaining("replacement transaction underpriced"),
    });
    expect(await ask("eth_getTransactionByHash", old)).toMatchObject({ blockNumber: null });
  });
});

describe("debug_clearTxpool", () => {
  it("drops executable and queued transactions", async () => {
    await ask("evm_setAutomine", false);
    for (const nonce of ["0x0", "0x5"]) await ask("eth_sendTransaction", { from: ALICE, to: BOB, nonce });
    expect(await ask("txpool_status")).toEqual({ pending: "0x1", queued: "0x1" });
    expect(await ask("debug_clearTxpool")).toBeNull();
    expect(await ask("txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
  });
});
