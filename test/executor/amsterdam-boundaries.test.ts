/**
 * Boundaries of transactions and blocks on Amsterdam: each with exactly the gas it needs, and with one unit less (EIPs
 * 2780, 7702, 7778, 7825, 7954, 7976, 7981, 8037).
 */
import type { Authorization } from "ethers";
import { describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aNode, BOB, CAROL, type Json, NOBODY, quantity, wordText } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, receiptOf, send } from "../support/contracts.ts";
import { authorization, signed } from "../support/signed-transactions.ts";

const amsterdam = (options = {}) => aNode({ hardfork: "amsterdam", ...options });
const ask = <T = Json>(node: HindcastNode, method: string, ...params: unknown[]) =>
  node.provider.request({ method, params } as never) as Promise<T>;

const NEW_ACCOUNT = 183_600;
const DELEGATION = 35_190;
const ACCOUNT_WRITE = 9_000;
/** Of an authorization, whatever it says: its tuple as calldata, ECRECOVER, and the access to its authority. */
const AUTHORIZATION = 7_816;
/** A transaction to another account without value: that of the sender 12,000, that of the recipient 3,000. */
const CALL = 12_000 + 3_000;
const CREATION = 12_000 + 12_000;
const ACCESS_LIST = [{ address: NOBODY, storageKeys: [wordText(1)] }];
/** 2,900 and 2,000, and 64 for each of 52 bytes. */
const LISTED = 2_900 + 2_000 + 64 * 52;
const zeros = (bytes: number): Hex => `0x${"00".repeat(bytes)}`;

describe("gas without which a transaction is refused", () => {
  it.each([
    ["to oneself", { to: ALICE, value: "0x1" }, 12_000],
    ["to another account", { to: BOB }, CALL],
    ["with value", { to: BOB, value: "0x1" }, CALL + 6_000],
    ["with an access list", { to: BOB, accessList: ACCESS_LIST }, CALL + LISTED],
    // EIP-7976: 64 a byte, above the 4 of a zero and the 16 of another.
    ["with zeros", { to: BOB, data: zeros(100) }, CALL + 6_400],
    ["with other bytes", { to: BOB, data: `0x${"ff".repeat(100)}` }, CALL + 6_400],
    // EIP-7981: the floor has the bytes of the list, without the prices of its entries.
    [
      "with an access list and data of less",
      { to: BOB, accessList: ACCESS_LIST, data: zeros(81) },
      CALL + LISTED + 324,
    ],
    ["with an access list and data of more", { to: BOB, accessList: ACCESS_LIST, data: zeros(82) }, CALL + 64 * 134],
  ])("%s", async (_, transaction, gas) => {
    const node = await amsterdam();
    await expect(send(node, { ...transaction, gas: quantity(gas - 1) })).rejects.toThrow(
      /intrinsic gas|floor data gas/,
    );
    const receipt = await receiptOf(node, await send(node, { ...transaction, gas: quantity(gas) }));
    expect(receipt).toMatchObject({ status: "0x1", gasUsed: quantity(gas) });
  });

  it("of a creation, which without more gas is mined, and fails for the gas of its account", async () => {
    const node = await amsterdam();
    const creation = { data: "0x00" };
    const least = CREATION + 64;
    await expect(send(node, { ...creation, gas: quantity(least - 1) })).rejects.toThrow(/floor data gas/);
    const receipt = await receiptOf(node, await send(node, { ...creation, gas: quantity(least) }));
    expect(receipt).toMatchObject({ status: "0x0", gasUsed: quantity(least) });
    expect(await ask(node, "eth_getTransactionCount", ALICE, "latest")).toBe("0x1");
  });

  it("counts against the cap of EIP-7825, however much gas there is", async () => {
    const node = await amsterdam();
    // 15,000 + 64 n ≤ 16,777,216
    const most = { from: ALICE, to: BOB, gas: quantity(20_000_000) };
    await expect(ask(node, "eth_call", { ...most, data: zeros(261_909) }, "latest")).resolves.toBe("0x");
    await expect(ask(node, "eth_call", { ...most, data: zeros(261_910) }, "latest")).rejects.toThrow(/floor: 16777240/);
  });
});

describe("init code of a transaction (EIP-7954)", () => {
  it.each([
    ["osaka", 49_152],
    ["amsterdam", 131_072],
  ] as const)("has at most, on %s, %i bytes", async (hardfork, most) => {
    const node = await aNode({ hardfork });
    const call = (bytes: number) =>
      ask(node, "eth_call", { from: ALICE, data: zeros(bytes), gas: quantity(16_000_000) });
    await expect(call(most)).resolves.toBe("0x");
    await expect(call(most + 1)).rejects.toThrow(/max initcode size exceeded/);
  });
});

describe("gas without which a transaction fails", () => {
  /** Sends with exactly the gas, which succeeds, and before that with one less, which uses it all and changes nothing. */
  async function expectExactly(node: HindcastNode, transaction: Record<string, unknown>, gas: number) {
    const failed = await receiptOf(node, await send(node, { ...transaction, gas: quantity(gas - 1) }));
    expect(failed).toMatchObject({ status: "0x0", gasUsed: quantity(gas - 1), logs: [] });
    const receipt = await receiptOf(node, await send(node, { ...transaction, gas: quantity(gas) }));
    expect(receipt).toMatchObject({ status: "0x1", gasUsed: quantity(gas) });
    return receipt;
  }

  it.each([
    ["of a transfer to an account that is not there", { to: NOBODY, value: "0x1" }, CALL + 6_000 + NEW_ACCOUNT],
    [
      "of one to a precompile that is not there",
      { to: `0x${"4".padStart(40, "0")}`, value: "0x1" },
      CALL + 6_000 + 15 + NEW_ACCOUNT,
    ],
    // A byte of data costs 4, a word of init code 2, and STOP nothing.
    ["of a creation without code", { data: "0x00" }, CREATION + 4 + 2 + NEW_ACCOUNT],
    ["of one with value, which costs no more", { data: "0x00", value: "0x1" }, CREATION + 4 + 2 + NEW_ACCOUNT],
    // PUSH1 1 PUSH1 0 RETURN: 3 bytes of data other than zero; pushes, memory and the hash of a word; a byte of code.
    ["of a creation with code", { data: "0x60015ff3" }, CREATION + 64 + 2 + 3 + 2 + 3 + 6 + NEW_ACCOUNT + 1_530],
  ])("%s", async (_, transaction, gas) => {
    await expectExactly(await amsterdam(), transaction, gas);
  });

  it("of a creation is without that of the account where the account is there", async () => {
    const node = await amsterdam();
    const { contractAddress } = await receiptOf(node, await send(node, { data: "0x00" }));
    await ask(node, "anvil_reset");
    await ask(node, "anvil_setBalance", contractAddress, "0x1");
    const receipt = await receiptOf(node, await send(node, { data: "0x00", gas: quantity(CREATION + 64) }));
    expect(receipt).toMatchObject({ status: "0x1", contractAddress });
  });

  it.each([
    ["cold", [], 3_000],
    ["warm", [{ address: addressText(0x77), storageKeys: [] }], 2_900 + 20 * 64 + 100],
  ])("of a call of an account whose delegate is %s", async (_, accessList, gas) => {
    const node = await amsterdam();
    await ask(node, "anvil_setCode", BOB, `0xef0100${addressText(0x77).slice(2)}`);
    await expectExactly(node, { to: BOB, accessList }, CALL + gas);
  });
});

describe("gas of authorizations (EIP-2780, EIP-7702)", () => {
  const DELEGATE = addressText(0x33);
  type Case = readonly [string, { to?: string; value?: bigint }, (node: HindcastNode) => Authorization[], number];
  const by =
    (account: number, nonce = 0, to = DELEGATE) =>
    (node: HindcastNode) => [authorization(node, account, to, nonce)];
  const fees = { type: 4, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };

  async function sendWith(node: HindcastNode, gas: number, [, fields, list]: Case) {
    const nonce = Number(await ask(node, "eth_getTransactionCount", ALICE, "latest"));
    const base = { to: DELEGATE, ...fees, ...fields, nonce, chainId: node.chainId, gasLimit: BigInt(gas) };
    const { serialized } = signed(node, { ...base, authorizationList: list(node) });
    return receiptOf(node, await ask<Hex>(node, "eth_sendRawTransaction", serialized));
  }

  const CASES: readonly Case[] = [
    ["an account that is there", {}, by(2), ACCOUNT_WRITE + DELEGATION],
    [
      "the same account twice",
      {},
      (node) => [...by(2)(node), ...by(2, 1)(node)],
      ACCOUNT_WRITE + DELEGATION + AUTHORIZATION,
    ],
    ["an account that has no delegation to clear", {}, by(2, 0, addressText(0)), ACCOUNT_WRITE],
    ["the recipient of value, which is called then", { to: CAROL, value: 1n }, by(2), 6_000 + DELEGATION + 3_000],
    ["the recipient without value", { to: CAROL }, by(2), ACCOUNT_WRITE + DELEGATION + 3_000],
  ];

  it.each(CASES)("of %s", async (...given) => {
    const node = await amsterdam();
    const gas = CALL + AUTHORIZATION + given[3];
    const failed = await sendWith(node, gas - 1, given);
    expect(failed).toMatchObject({ status: "0x0", gasUsed: quantity(gas - 1) });
    // Nothing of the list is kept.
    expect(await ask(node, "eth_getCode", CAROL, "latest")).toBe("0x");
    expect(await ask(node, "eth_getTransactionCount", CAROL, "latest")).toBe("0x0");
    expect(await sendWith(node, gas, given)).toMatchObject({ status: "0x1", gasUsed: quantity(gas) });
    expect(await ask(node, "eth_getTransactionCount", CAROL, "latest")).not.toBe("0x0");
  });

  it("of an account that is not there is that of an account too", async () => {
    const node = await amsterdam();
    await ask(node, "anvil_setBalance", CAROL, "0x0");
    const gas = CALL + AUTHORIZATION + ACCOUNT_WRITE + DELEGATION + NEW_ACCOUNT;
    const given: Case = ["", {}, by(2), gas];
    expect(await sendWith(node, gas - 1, given)).toMatchObject({ status: "0x0" });
    expect(await sendWith(node, gas, given)).toMatchObject({ status: "0x1", gasUsed: quantity(gas) });
    // State gas and the rest are two sums of the block.
    expect(node.head.header.gasUsed).toBe(BigInt(DELEGATION + NEW_ACCOUNT));
  });

  it("of the sender, whose account is written anyway, is that of the delegation", async () => {
    const node = await amsterdam();
    const nonce = 1;
    const gas = CALL + AUTHORIZATION + DELEGATION;
    const receipt = await sendWith(node, gas, ["", {}, by(0, nonce), gas]);
    expect(receipt).toMatchObject({ status: "0x1", gasUsed: quantity(gas) });
    expect(await ask(node, "eth_getCode", ALICE, "latest")).not.toBe("0x");
  });

  it("of one that is not valid is its intrinsic gas", async () => {
    const node = await amsterdam();
    const gas = CALL + AUTHORIZATION;
    expect(await sendWith(node, gas, ["", {}, by(2, 7), gas])).toMatchObject({ status: "0x1", gasUsed: quantity(gas) });
    await expect(sendWith(node, gas - 1, ["", {}, by(2, 7), gas])).rejects.toThrow(/intrinsic gas/);
  });
});

describe("room in a block", () => {
  /** The number of transactions in the next block after two were sent, of which the second names so much gas. */
  async function minedOf(first: Record<string, unknown>, room: number, gasLimit: bigint, setUp = setNothing) {
    const node = await amsterdam({ gasLimit });
    const address = await setUp(node);
    node.setMiningMode("manual");
    await send(node, { to: address, ...first });
    await send(node, { to: BOB, gas: quantity(room), from: CAROL });
    await node.mine();
    return (await ask<{ transactions: string[] }>(node, "eth_getBlockByNumber", "latest", false)).transactions.length;
  }
  const setNothing = async (_: HindcastNode): Promise<Hex> => BOB;

  it.each([
    // Of the gas that does not pay for state, 21,000 is used.
    ["gas for all purposes", { value: "0x1" }, 21_000, 400_000n],
    // Of state gas 183,600 is used, of the other 21,000: the second may use all its gas for state.
    ["state gas (EIP-8037)", { to: NOBODY, value: "0x1", gas: quantity(300_000) }, NEW_ACCOUNT, 400_000n],
  ])("is limited by %s", async (_, first, used, gasLimit) => {
    expect(await minedOf(first, Number(gasLimit) - used, gasLimit)).toBe(2);
    expect(await minedOf(first, Number(gasLimit) - used + 1, gasLimit)).toBe(1);
  });

  it("is not given back by refunds (EIP-7778)", async () => {
    const slot = async (node: HindcastNode) => {
      const clearing = await deploy(node, assemble("CALLVALUE 1 SSTORE"));
      await send(node, { to: clearing, value: "0x1" });
      return clearing;
    };
    const used = CALL + 2 + 3 + 12_100;
    const first = { gas: quantity(100_000) };
    expect(await minedOf(first, 400_000 - used, 400_000n, slot)).toBe(2);
    expect(await minedOf(first, 400_000 - used + 1, 400_000n, slot)).toBe(1);
  });
});

describe("the factory for CREATE2 (EIP-7997)", () => {
  it("deploys at the address that its salt and its init code give", async () => {
    const node = await amsterdam();
    const factory = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
    const data = `${wordText(7)}60015ff3`;
    const address = await ask<Hex>(node, "eth_call", { from: ALICE, to: factory, data });
    await send(node, { to: factory, data, gas: quantity(500_000) });
    expect(await ask(node, "eth_getCode", address, "latest")).toBe(encodeData(Uint8Array.of(0)));
  });
});

describe("the access list of a block (EIP-7928)", () => {
  it("has at most an account or slot for 2,000 of the gas that a block may have", async () => {
    const mined = async (gasLimit: bigint) => {
      const node = await amsterdam({ gasLimit });
      await node.mine();
      return node;
    };
    const list = await ask<Json[]>(await mined(10n ** 6n), "eth_getBlockAccessList", "latest");
    const slots = list.flatMap(({ storageReads, storageChanges }) => [storageReads, storageChanges].flat());
    const limit = 2_000n * BigInt(list.length + slots.length);
    const imports = async (gasLimit: bigint) => {
      const fresh = await amsterdam({ gasLimit });
      await fresh.importChain(concatBytes(...(await mined(gasLimit)).exportChain()));
      return fresh.head.header.number;
    };
    expect(await imports(limit)).toBe(1n);
    await expect(imports(limit - 1n)).rejects.toThrow(/access list has \d+ items, over/);
  });
});
