/** Batches of calls (EIP-5792), over HTTP and through viem's own actions. */
import {
  AtomicityNotSupportedError,
  createWalletClient,
  type Hex,
  http,
  UnsupportedChainIdError,
  UnsupportedNonOptionalCapabilityError,
} from "viem";
import { foundry, mainnet } from "viem/chains";
import { describe, expect, it } from "vitest";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  CAROL,
  NOBODY,
  type ServedNode,
  wordText,
} from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";

const ETHER = 10n ** 18n;

async function aWallet(options: NodeOptions = {}) {
  const served = await aServedNode(options);
  const transport = http(served.plain.url, { retryCount: 0 });
  return { ...served, wallet: createWalletClient({ account: ALICE, chain: foundry, transport, pollingInterval: 20 }) };
}

/** The error itself, or the one in the chain of its causes, of a class. */
async function refusal<E extends Error>(
  call: Promise<unknown>,
  kind: new (...args: never[]) => E,
): Promise<E | undefined> {
  try {
    await call;
  } catch (error) {
    for (let each: unknown = error; each instanceof Error; each = each.cause) if (each instanceof kind) return each;
    throw error;
  }
  return undefined;
}

/** Stores the first word of its calldata in slot 0 if the slot has the second word, else reverts. */
const SWAP = assemble("0 SLOAD 32 CALLDATALOAD EQ @same JUMPI 0 0 REVERT same: 0 CALLDATALOAD 0 SSTORE STOP");
const CONTRACT = addressText(0x77);
const swap = (next: number, expected: number): Hex => `${wordText(next)}${wordText(expected).slice(2)}`;

/** Puts {@link SWAP} at {@link CONTRACT}. */
async function placeContract({ plain }: Pick<ServedNode, "plain">): Promise<void> {
  await plain.ask("anvil_setCode", CONTRACT, encodeData(SWAP));
}

describe("a node that mines by transaction", () => {
  it("mines a batch as one block, with a receipt for each call", async () => {
    const { node, wallet } = await aWallet();
    const calls = [
      { to: BOB, value: ETHER },
      { to: CAROL, value: 2n * ETHER },
    ] as const;
    const { id } = await wallet.sendCalls({ calls, forceAtomic: true });
    const { status, statusCode, atomic, receipts = [], chainId } = await wallet.waitForCallsStatus({ id });
    expect({ status, statusCode, atomic, chainId }).toEqual({
      status: "success",
      statusCode: 200,
      atomic: true,
      chainId: foundry.id,
    });
    expect(receipts.map(({ status: each, blockNumber, gasUsed }) => ({ each, blockNumber, gasUsed }))).toEqual([
      { each: "success", blockNumber: 1n, gasUsed: 21_000n },
      { each: "success", blockNumber: 1n, gasUsed: 21_000n },
    ]);
    expect(node.head.header.number).toBe(1n);
  });

  it("estimates each call after those before it", async () => {
    const served = await aWallet();
    await placeContract(served);
    const calls = [1, 2, 3].map((next) => ({ to: CONTRACT, data: swap(next, next - 1) }));
    const { id } = await served.wallet.sendCalls({ calls });
    expect((await served.wallet.getCallsStatus({ id })).statusCode).toBe(200);
    expect(await served.plain.ask("eth_getStorageAt", CONTRACT, "0x0", "latest")).toMatch(/3$/);
    expect(served.node.head.header.number).toBe(1n);
  });

  it("refuses a batch of which a call fails, and nothing of it happens", async () => {
    const { plain, node } = await aServedNode();
    await placeContract({ plain });
    const calls = [
      { to: BOB, value: `0x${ETHER.toString(16)}` },
      { to: CONTRACT, data: swap(1, 7) },
    ];
    const before = [await plain.ask("eth_getBalance", BOB, "latest"), node.head.hash];
    const { code, message } = await plain.failure("wallet_sendCalls", { version: "2.0.0", from: ALICE, calls });
    expect({ code, message }).toMatchObject({ code: 3, message: expect.stringContaining("execution reverted") });
    expect([await plain.ask("eth_getBalance", BOB, "latest"), node.head.hash]).toEqual(before);
    expect(await plain.ask("eth_getTransactionCount", ALICE, "pending")).toBe("0x0");
  });

  it("refuses a batch that does not fit into a block", async () => {
    const { plain, node } = await aServedNode({ gasLimit: 50_000n });
    const calls = [BOB, CAROL, BOB].map((to) => ({ to, value: "0x1" }));
    expect((await plain.failure("wallet_sendCalls", { from: ALICE, calls })).code).toBe(5740);
    expect(node.head.header.number).toBe(0n);
  });

  it("sends a batch of an impersonated account", async () => {
    const { plain } = await aServedNode();
    await plain.ask("anvil_impersonateAccount", NOBODY);
    await plain.ask("anvil_setBalance", NOBODY, "0xde0b6b3a7640000");
    const batch = { version: "2.0.0", from: NOBODY, atomicRequired: true, calls: [{ to: BOB }, { to: CAROL }] };
    const { id } = await plain.ask<{ id: string }>("wallet_sendCalls", batch);
    expect(await plain.ask("wallet_getCallsStatus", id)).toMatchObject({ status: 200, atomic: true });
  });

  it("says that a batch is in no block after a revert took it out", async () => {
    const { plain } = await aServedNode();
    const snapshot = await plain.ask("evm_snapshot");
    const { id } = await plain.ask<{ id: string }>("wallet_sendCalls", {
      from: ALICE,
      id: "mine",
      calls: [{ to: BOB }],
    });
    expect(id).toBe("mine");
    await plain.ask("evm_revert", snapshot);
    expect(await plain.ask("wallet_getCallsStatus", id)).toMatchObject({ status: 400, receipts: [] });
  });
});

describe("a node that mines by hand", () => {
  it("sends the calls one after another", async () => {
    const { plain, wallet } = await aWallet({ mining: "manual" });
    const { id } = await wallet.sendCalls({ calls: [{ to: BOB }, { to: CAROL }] });
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ status: "pending", statusCode: 100, atomic: false });
    await plain.ask("evm_mine");
    expect(await wallet.getCallsStatus({ id })).toMatchObject({ status: "success", statusCode: 200, atomic: false });
  });

  it("stops at the first call that is refused", async () => {
    const { plain } = await aServedNode({ mining: "manual" });
    await placeContract({ plain });
    const calls = [{ to: BOB }, { to: CONTRACT, data: swap(1, 7) }, { to: CAROL }];
    const { id } = await plain.ask<{ id: string }>("wallet_sendCalls", { from: ALICE, calls });
    await plain.ask("evm_mine");
    const { status, receipts } = await plain.ask<{ status: number; receipts: unknown[] }>("wallet_getCallsStatus", id);
    expect({ status, receipts: receipts.length }).toEqual({ status: 600, receipts: 1 });
  });

  it("says of calls that fail in their block which status EIP-5792 has for them", async () => {
    const { plain } = await aServedNode({ mining: "manual" });
    await placeContract({ plain });
    const calls = [{ to: CONTRACT, data: swap(1, 0) }];
    const { id } = await plain.ask<{ id: string }>("wallet_sendCalls", { calls });
    await plain.ask("anvil_setStorageAt", CONTRACT, "0x0", wordText(5));
    await plain.ask("evm_mine");
    expect(await plain.ask("wallet_getCallsStatus", id)).toMatchObject({ status: 500, receipts: [{ status: "0x0" }] });
  });

  it("refuses to promise atomicity, as its capabilities say", async () => {
    const { wallet } = await aWallet({ mining: "manual" });
    expect(await wallet.getCapabilities({ chainId: foundry.id })).toEqual({ atomic: { status: "unsupported" } });
    const sent = wallet.sendCalls({ calls: [{ to: BOB }, { to: CAROL }], forceAtomic: true });
    expect(await refusal(sent, AtomicityNotSupportedError)).toBeDefined();
  });
});

it("viem knows the errors of a wallet", async () => {
  const { wallet, plain } = await aWallet();
  const calls = [{ to: BOB }] as const;
  const elsewhere = wallet.sendCalls({ calls, chain: mainnet });
  expect(await refusal(elsewhere, UnsupportedChainIdError)).toBeDefined();
  const paid = wallet.sendCalls({ calls, capabilities: { paymasterService: { url: "https://paymaster.example" } } });
  expect(await refusal(paid, UnsupportedNonOptionalCapabilityError)).toBeDefined();
  const optional = { paymasterService: { url: "https://paymaster.example", optional: true } };
  const { id } = await wallet.sendCalls({ calls, capabilities: optional, id: "0x01" });
  expect((await plain.failure("wallet_sendCalls", { calls, id })).code).toBe(5720);
  expect((await plain.failure("wallet_getCallsStatus", "0x02")).code).toBe(5730);
  await wallet.showCallsStatus({ id });
});

it("answers for the chains that are asked for", async () => {
  const { plain } = await aServedNode();
  const atomic = { "0x7a69": { atomic: { status: "supported" } } };
  expect(await plain.ask("wallet_getCapabilities", ALICE)).toEqual(atomic);
  expect(await plain.ask("wallet_getCapabilities", ALICE, ["0x1", "0x7a69"])).toEqual(atomic);
  expect(await plain.ask("wallet_getCapabilities", ALICE, ["0x1"])).toEqual({});
  const frontier = await aServedNode({ hardfork: "homestead" });
  expect(await frontier.plain.ask("wallet_getCapabilities", ALICE)).toMatchObject({
    "0x7a69": { atomic: { status: "unsupported" } },
  });
});
