/** State and block overrides as eth_call and eth_estimateGas take them. Values worked out by hand. */
import { describe, expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  type Client,
  NOBODY,
  NOW,
  quantity,
  wordText,
} from "../../../support/a-node.ts";
import { assemble, calling, fromHex } from "../../../support/assembler.ts";
import { COUNTER, deploy } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";

const PLACE = addressText(0x11);
const MOVED = addressText(0x22);
const ECRECOVER = `0x${"00".repeat(19)}01`;
const SHA256 = `0x${"00".repeat(19)}02`;
const IDENTITY = `0x${"00".repeat(19)}04`;

/** Code that returns one word: what the program leaves on the stack. */
const returning = (program: string): string => encodeData(assemble(`${program} 0 MSTORE 32 0 RETURN`));

const callOf =
  (plain: Client) =>
  (to: string, overrides: unknown, block: unknown = null, more: object = {}): Promise<unknown> =>
    plain.ask("eth_call", { to, ...more }, "latest", overrides, block);

describe("a state override", () => {
  it("gives an account another balance", async () => {
    const call = callOf((await aServedNode()).plain);
    const code = returning(`${NOBODY} BALANCE`);
    expect(await call(PLACE, { [PLACE]: { code }, [NOBODY]: { balance: "0x1234" } })).toBe(wordText(0x1234));
    expect(await call(PLACE, { [PLACE]: { code } })).toBe(wordText(0));
  });

  it("pays for what a sender without funds sends", async () => {
    const { plain } = await aServedNode();
    const call = { from: NOBODY, to: PLACE, value: "0x5" };
    expect((await plain.failure("eth_call", call, "latest")).message).toContain("insufficient funds");
    expect(await plain.ask("eth_call", call, "latest", { [NOBODY]: { balance: "0x5" } })).toBe("0x");
  });

  it("gives an account another nonce, which decides where it creates", async () => {
    const { plain } = await aServedNode();
    // keccak256(rlp([0x00…ff, 5])): two list bytes, 0x94, the address, 0x05.
    const code = returning("0 0 0 CREATE");
    const created = async (nonce: string): Promise<unknown> =>
      plain.ask("eth_call", { to: NOBODY }, "latest", { [NOBODY]: { code, nonce } });
    expect(await created("0x5")).not.toBe(await created("0x6"));
    const { getCreateAddress } = await import("ethers");
    const expected = getCreateAddress({ from: NOBODY, nonce: 5 }).toLowerCase();
    expect(await created("0x5")).toBe(`0x${"00".repeat(12)}${expected.slice(2)}`);
  });

  it("gives an account other code, and none for empty code", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    const call = callOf(plain);
    expect(await call(counter, {})).toBe(wordText(1));
    expect(await call(counter, { [counter]: { code: returning("7") } })).toBe(wordText(7));
    expect(await call(counter, { [counter]: { code: "0x" } })).toBe("0x");
  });

  it("replaces all storage with `state`, and single slots with `stateDiff`", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    await node.setStorageAt(fromHex(counter), fromHex(wordText(0)), fromHex(wordText(40)));
    await node.setStorageAt(fromHex(counter), fromHex(wordText(1)), fromHex(wordText(2)));
    const sum = returning("1 SLOAD 0 SLOAD ADD");
    const call = (override: object): Promise<unknown> =>
      callOf(plain)(counter, { [counter]: { code: sum, ...override } });
    expect(await call({})).toBe(wordText(42));
    expect(await call({ state: { [wordText(1)]: wordText(5) } })).toBe(wordText(5));
    expect(await call({ state: {} })).toBe(wordText(0));
    expect(await call({ stateDiff: { [wordText(1)]: wordText(5) } })).toBe(wordText(45));
    expect(await call({ stateDiff: { [wordText(0)]: wordText(0) } })).toBe(wordText(2));
  });

  it("can give storage to an account that did not exist", async () => {
    const call = callOf((await aServedNode()).plain);
    const code = returning("0 SLOAD");
    expect(await call(PLACE, { [PLACE]: { code, stateDiff: { [wordText(0)]: wordText(9) } } })).toBe(wordText(9));
  });

  it("counts as what stood before the transaction: setting the slot back costs what EIP-2200 says", async () => {
    const { plain } = await aServedNode();
    // Slot 0 is 1 by override; writing 2 there (cold, existing) costs 2100 + 2900 for a warmed original.
    const code = encodeData(assemble("2 0 SSTORE STOP"));
    const overrides = { [PLACE]: { code, stateDiff: { [wordText(0)]: wordText(1) } } };
    // 21000 + PUSH1 PUSH1 (6) + SSTORE 5000 = 26006; the search answers within 1.5 %.
    const estimate = Number(await plain.ask("eth_estimateGas", { to: PLACE }, "latest", overrides));
    expect(estimate).toBeGreaterThanOrEqual(26_006);
    expect(estimate).toBeLessThan(26_006 * 1.15);
  });

  it("is gone with the call", async () => {
    const { plain } = await aServedNode();
    await callOf(plain)(PLACE, { [PLACE]: { code: returning("7"), balance: "0x7", nonce: "0x7" } });
    expect(await plain.ask("eth_getCode", PLACE)).toBe("0x");
    expect(await plain.ask("eth_getBalance", PLACE)).toBe("0x0");
    expect(await plain.ask("eth_getTransactionCount", PLACE)).toBe("0x0");
  });

  it("refuses `state` together with `stateDiff`", async () => {
    const { plain } = await aServedNode();
    const both = { [PLACE]: { state: {}, stateDiff: {} } };
    const failure = await plain.failure("eth_call", { to: PLACE }, "latest", both);
    expect(failure).toMatchObject({
      code: -32000,
      message: saying(`account ${PLACE} has both 'state' and 'stateDiff'`),
    });
  });

  it("takes names that differ in letter case for one account, the last of them", async () => {
    const call = callOf((await aServedNode()).plain);
    const lower = addressText(0xab);
    const code = (value: number): object => ({ code: returning(String(value)) });
    expect(await call(lower, { [lower]: code(1), [`0x${lower.slice(2).toUpperCase()}`]: code(2) })).toBe(wordText(2));
  });

  it.each([
    ["an address that is none", { "0x12": {} }, /params\[2\].0x12: expected a member name of "0x" and 40 hex digits/],
    [
      "a nonce beyond 64 bits",
      { [PLACE]: { nonce: "0x10000000000000000" } },
      /\.nonce: expected a QUANTITY below 2\^64/,
    ],
    [
      "a slot of 31 bytes",
      { [PLACE]: { state: { [`0x${"00".repeat(31)}`]: wordText(0) } } },
      /expected a member name of "0x" and 64 hex digits/,
    ],
    ["a value of one byte", { [PLACE]: { stateDiff: { [wordText(0)]: "0x01" } } }, /expected DATA of 32 bytes/],
  ])("refuses %s, naming it", async (_, overrides, message) => {
    const { plain } = await aServedNode();
    const failure = await plain.failure("eth_call", { to: PLACE }, "latest", overrides);
    expect(failure.code).toBe(-32602);
    expect(failure.message).toMatch(message);
  });
});

describe("movePrecompileToAddress", () => {
  it("lets a precompile answer elsewhere, and the account in its old place", async () => {
    const call = callOf((await aServedNode()).plain);
    const overrides = { [IDENTITY]: { movePrecompileToAddress: MOVED } };
    expect(await call(MOVED, overrides, null, { input: "0x1234" })).toBe("0x1234");
    expect(await call(IDENTITY, overrides, null, { input: "0x1234" })).toBe("0x");
    expect(await call(IDENTITY, {}, null, { input: "0x1234" })).toBe("0x1234");
  });

  it("runs the code that was put in the precompile's place", async () => {
    const call = callOf((await aServedNode()).plain);
    const overrides = { [IDENTITY]: { movePrecompileToAddress: MOVED, code: returning("7") } };
    expect(await call(IDENTITY, overrides, null, { input: "0x1234" })).toBe(wordText(7));
  });

  it("is seen by contracts too", async () => {
    const call = callOf((await aServedNode()).plain);
    const caller = encodeData(
      assemble(`0x1234 0 MSTORE  32 0 32 0 ${MOVED} GAS STATICCALL POP RETURNDATASIZE 0 MSTORE 32 0 RETURN`),
    );
    const overrides = { [PLACE]: { code: caller }, [IDENTITY]: { movePrecompileToAddress: MOVED } };
    expect(await call(PLACE, overrides)).toBe(wordText(32));
  });

  it("leaves the moved precompile cold: only homes are warm from the start (EIP-2929)", async () => {
    const { plain } = await aServedNode();
    const code = (place: string): string =>
      encodeData(assemble(`${calling("STATICCALL", fromHex(place))} POP GAS 0 MSTORE 32 0 RETURN`));
    const gasAfter = async (place: string, overrides: object): Promise<number> => {
      const answer = await plain.ask("eth_call", { to: PLACE, gas: "0x100000" }, "latest", {
        [PLACE]: { code: code(place) },
        ...overrides,
      });
      return Number(answer);
    };
    const atHome = await gasAfter(IDENTITY, {});
    const moved = await gasAfter(MOVED, { [IDENTITY]: { movePrecompileToAddress: MOVED } });
    // PUSH20 costs what PUSH20 costs in both; cold is 2600, warm 100.
    expect(atHome - moved).toBe(2500);
  });

  it("replaces a precompile that any override names", async () => {
    const call = callOf((await aServedNode()).plain);
    expect(await call(IDENTITY, { [IDENTITY]: { balance: "0x1" } }, null, { input: "0x1234" })).toBe("0x");
  });

  it("lets one precompile take the place of another", async () => {
    const call = callOf((await aServedNode()).plain);
    const overrides = { [IDENTITY]: { movePrecompileToAddress: SHA256 } };
    expect(await call(SHA256, overrides, null, { input: "0x1234" })).toBe("0x1234");
  });

  it.each([
    [
      "an address that is no precompile",
      { [PLACE]: { movePrecompileToAddress: MOVED } },
      `account ${PLACE} is not a precompile`,
    ],
    ["itself", { [ECRECOVER]: { movePrecompileToAddress: ECRECOVER } }, `account ${ECRECOVER} is already overridden`],
    [
      "an account that is overridden too",
      { [ECRECOVER]: { movePrecompileToAddress: MOVED }, [MOVED]: { balance: "0x1" } },
      `account ${MOVED} is already overridden`,
    ],
  ])("refuses %s", async (_, overrides, message) => {
    const { plain } = await aServedNode();
    expect(await plain.failure("eth_call", { to: PLACE }, "latest", overrides)).toMatchObject({
      code: -32000,
      message: saying(message),
    });
  });

  it("does not outlive the call", async () => {
    const call = callOf((await aServedNode()).plain);
    await call(MOVED, { [IDENTITY]: { movePrecompileToAddress: MOVED } }, null, { input: "0x12" });
    expect(await call(MOVED, {}, null, { input: "0x12" })).toBe("0x");
    expect(await call(IDENTITY, {}, null, { input: "0x12" })).toBe("0x12");
  });
});

describe("a block override", () => {
  it.each([
    ["number", "NUMBER", { number: "0x64" }, 100],
    ["time", "TIMESTAMP", { time: "0x70000000" }, 0x70000000],
    ["gasLimit", "GASLIMIT", { gasLimit: "0x123456" }, 0x123456],
    ["feeRecipient", "COINBASE", { feeRecipient: NOBODY }, 0xff],
    ["reth's coinbase", "COINBASE", { coinbase: NOBODY }, 0xff],
    ["prevRandao", "DIFFICULTY", { prevRandao: wordText(5) }, 5],
    ["reth's random", "DIFFICULTY", { random: wordText(5) }, 5],
    ["blobBaseFee", "BLOBBASEFEE", { blobBaseFee: "0x9" }, 9],
    ["reth's blockHash", "0 BLOCKHASH", { blockHash: { "0x0": wordText(77) }, number: "0x1" }, 77],
  ])("changes what the opcode reads: %s", async (_, opcode, block, value) => {
    const call = callOf((await aServedNode({ hardfork: "osaka" })).plain);
    expect(await call(PLACE, { [PLACE]: { code: returning(opcode) } }, block)).toBe(wordText(value));
  });

  it("changes the base fee of a call that pays, and reads zero for one that does not", async () => {
    const call = callOf((await aServedNode()).plain);
    const overrides = { [PLACE]: { code: returning("BASEFEE") } };
    const block = { baseFeePerGas: "0x9" };
    expect(await call(PLACE, overrides, block, { from: ALICE, maxFeePerGas: "0xa" })).toBe(wordText(9));
    expect(await call(PLACE, overrides, block)).toBe(wordText(0));
  });

  it("refuses a fee cap below the overridden base fee", async () => {
    const { plain } = await aServedNode();
    const call = { from: ALICE, to: PLACE, maxFeePerGas: "0xa" };
    const failure = await plain.failure("eth_call", call, "latest", {}, { baseFeePerGas: "0xb" });
    expect(failure.message).toContain("max fee per gas less than block base fee");
  });

  it("changes DIFFICULTY before the Merge", async () => {
    const call = callOf((await aServedNode({ hardfork: "london" })).plain);
    expect(await call(PLACE, { [PLACE]: { code: returning("DIFFICULTY") } }, { difficulty: "0x539" })).toBe(
      wordText(1337),
    );
  });

  it("means another hardfork where its time does", async () => {
    const genesis = {
      config: { chainId: 1, terminalTotalDifficulty: 0, ...allBlocksAtZero(), shanghaiTime: 0, cancunTime: 2_000 },
      timestamp: "0x3e8",
      difficulty: "0x0",
      gasLimit: "0x1c9c380",
      alloc: {},
    };
    const { plain } = await aServedNode({ genesis });
    // MCOPY came with Cancun.
    const code = encodeData(assemble("32 0 0 MCOPY STOP"));
    const call = callOf(plain);
    expect(await call(PLACE, { [PLACE]: { code } }, { time: "0x7d0" })).toBe("0x");
    await expect(call(PLACE, { [PLACE]: { code } }, { time: "0x7cf" })).rejects.toThrow("invalid opcode");
  });

  it.each(["beaconRoot", "withdrawals"])("refuses %s, which only whole blocks have", async (member) => {
    const { plain } = await aServedNode();
    const block = member === "withdrawals" ? { withdrawals: [] } : { beaconRoot: wordText(1) };
    const failure = await plain.failure("eth_call", { to: PLACE }, "latest", {}, block);
    expect(failure).toMatchObject({
      code: -32000,
      message: saying(`block override "${member}" is not supported for this RPC method`),
    });
  });

  it("bounds eth_estimateGas by the overridden gas limit", async () => {
    const { plain } = await aServedNode({ hardfork: "shanghai" });
    const loop = { [PLACE]: { code: encodeData(assemble("again: @again JUMP")) } };
    const failure = await plain.failure("eth_estimateGas", { to: PLACE }, "latest", loop, {
      gasLimit: quantity(100_000),
    });
    expect(failure.message).toEqual(saying("gas required exceeds allowance (100000)"));
  });
});

it("runs a block's calls at its own time", async () => {
  const call = callOf((await aServedNode()).plain);
  expect(await call(PLACE, { [PLACE]: { code: returning("TIMESTAMP") } })).toBe(wordText(NOW));
});

function allBlocksAtZero(): Record<string, number> {
  const names = "homestead eip150 eip155 eip158 byzantium constantinople petersburg istanbul muirGlacier berlin london";
  return Object.fromEntries(names.split(" ").map((name) => [`${name}Block`, 0]));
}
