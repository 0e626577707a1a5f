import { describe, expect, it } from "vitest";
import { decodeData, encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aServedNode, BOB, NOBODY, quantity, wordText } from "../../../support/a-node.ts";
import { assemble, deploying } from "../../../support/assembler.ts";
import { COUNTER, deploy, ECHO, LOOP, place, REVERTER, send } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";
import { stepClock } from "../../../support/stepping-clock.ts";

/** `Error(string)` with the text "no". */
const ERROR_NO = `0x08c379a0${wordText(32).slice(2)}${wordText(2).slice(2)}${"6e6f".padEnd(64, "0")}`;
/** How often a call of the loop below may look at the clock, at most. */
const READS_OF_A_CALL = 15;
/** `Panic(uint256)` of an assertion. */
const PANIC = `0x4e487b71${wordText(1).slice(2)}`;

describe("eth_call", () => {
  it("returns what the code returns and keeps nothing", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    expect(await plain.ask("eth_call", { to: counter })).toBe(wordText(1));
    expect(await plain.ask("eth_call", { to: counter }, "latest")).toBe(wordText(1));
    expect(await plain.ask("eth_getStorageAt", counter, "0x0")).toBe(wordText(0));
    expect(node.head.header.number).toBe(1n);
  });

  it("needs no sender, no funds for gas, no nonce, and runs from a contract's address too", async () => {
    const { node, plain } = await aServedNode();
    const echo = await deploy(node, ECHO);
    for (const from of [undefined, NOBODY, echo]) {
      expect(await plain.ask("eth_call", { from, to: echo, data: "0x1234" })).toBe("0x1234");
    }
    expect(await plain.ask("eth_call", { to: echo, data: "0x12", nonce: "0x99" })).toBe("0x12");
    expect(await plain.ask("eth_call", { to: echo, input: "0x12", data: "0x12" })).toBe("0x12");
    expect(await plain.ask("eth_call", { to: NOBODY, data: "0x12" })).toBe("0x");
    expect(await plain.ask("eth_call", { data: encodeData(deploying(ECHO)) })).toBe(encodeData(ECHO));
  });

  it("runs on the state after the block it names", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    for (let count = 0; count < 3; count++) await send(node, { to: counter });
    const at = (block: string): Promise<unknown> => plain.ask("eth_call", { to: counter }, block);
    expect(await Promise.all(["0x1", "0x2", "0x3", "0x4"].map(at))).toEqual([1, 2, 3, 4].map(wordText));
    expect(await at("0x0")).toBe("0x");
    node.setMiningMode("manual");
    await send(node, { to: counter });
    expect([await at("latest"), await at("pending")]).toEqual([wordText(4), wordText(5)]);
  });

  it.each([
    ["with a reason", ERROR_NO, "execution reverted: no"],
    ["with a panic", PANIC, "execution reverted: assert(false)"],
    ["with other data", "0xdeadbeef", "execution reverted"],
    ["with nothing", "0x", "execution reverted"],
  ])("answers a revert %s with code 3 and the data", async (_what, data, message) => {
    const { node, plain } = await aServedNode();
    const reverter = await deploy(node, REVERTER);
    const failure = await plain.failure("eth_call", { to: reverter, data });
    expect(failure).toMatchObject({ code: 3, message, data });
  });

  it.each([
    ["INVALID", /^invalid opcode/],
    ["POP", /^stack underflow/],
    ["3 JUMP", /^invalid jump destination/],
    ["loop: @loop JUMP", /^out of gas/],
  ])("answers the exceptional end of %s with -32000 in geth's words", async (code, message) => {
    const { node, plain } = await aServedNode();
    const at = await deploy(node, assemble(code));
    const failure = await plain.failure("eth_call", { to: at, gas: quantity(100_000) });
    expect(failure.code).toBe(-32000);
    expect(failure.message).toMatch(message);
  });

  it("sees a base fee of zero unless it states a price, and pays the price it states", async () => {
    const { node, plain } = await aServedNode();
    const prices = await deploy(node, assemble("BASEFEE 0 MSTORE GASPRICE 32 MSTORE 64 0 RETURN"));
    const priced = { from: ALICE, to: prices, gasPrice: quantity(3_000_000_000), gas: quantity(100_000) };
    expect(await plain.ask("eth_call", { to: prices })).toBe(wordText(0) + wordText(0).slice(2));
    const baseFee = node.head.header.baseFeePerGas ?? 0n;
    expect(await plain.ask("eth_call", priced)).toBe(wordText(baseFee) + wordText(3_000_000_000).slice(2));
    const failure = await plain.failure("eth_call", { ...priced, from: NOBODY });
    expect(failure.message).toMatch(/^insufficient funds for gas \* price \+ value: address 0x0{38}ff have 0 want/);
  });
});

describe("eth_estimateGas", () => {
  it("is 21,000 for a plain transfer and what a call uses, within 1.5 %, otherwise", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    expect(await plain.ask("eth_estimateGas", { from: ALICE, to: BOB, value: "0x1" })).toBe(quantity(21_000));
    const estimate = BigInt(await plain.ask<string>("eth_estimateGas", { from: ALICE, to: counter }));
    const call = { from: ALICE, to: counter };
    const used = (
      await node.provider.request({ method: "eth_getTransactionReceipt", params: [await send(node, call)] })
    )?.gasUsed;
    expect(estimate).toBeGreaterThanOrEqual(BigInt(used ?? 0));
    expect(Number(estimate)).toBeLessThan(Number(used) * 1.016);
  });

  it("is for the block to come unless a block is named", async () => {
    const { node, plain } = await aServedNode();
    // Does more in block 2 than in its own: as contracts do once time has passed since the head.
    const to = await deploy(node, assemble("NUMBER 2 EQ @store JUMPI STOP store: 1 0 SSTORE STOP"));
    const estimate = async (...block: string[]): Promise<bigint> =>
      BigInt(await plain.ask<string>("eth_estimateGas", { from: ALICE, to }, ...block));
    const gas = await estimate();
    expect(gas).toBe(await estimate("pending"));
    expect(await estimate("latest")).toBeLessThan(22_000n);
    const hash = await send(node, { from: ALICE, to, gas: quantity(gas) });
    const receipt = await node.provider.request({ method: "eth_getTransactionReceipt", params: [hash] });
    expect(receipt?.status).toBe("0x1");
  });

  it("leaves gas for what a nested call may not spend (63/64)", async () => {
    const { node, plain } = await aServedNode();
    // Reverts unless the inner call found 100,000 gas; uses next to nothing itself.
    const inner = await deploy(node, assemble("GAS 100000 GT @bad JUMPI STOP bad: 0 0 REVERT"));
    const outer = await deploy(node, assemble(`0 0 0 0 0 ${inner} GAS CALL ISZERO @bad JUMPI STOP bad: 0 0 REVERT`));
    const estimate = BigInt(await plain.ask<string>("eth_estimateGas", { from: ALICE, to: outer }));
    expect(await plain.ask("eth_call", { from: ALICE, to: outer, gas: quantity(estimate) })).toBe("0x");
    expect(
      (await plain.failure("eth_call", { from: ALICE, to: outer, gas: quantity((estimate * 96n) / 100n) })).code,
    ).toBe(3);
  });

  it.each([
    ["a revert with all gas", REVERTER, 3, /^execution reverted$/],
    ["code that never ends", LOOP, -32000, /^gas required exceeds allowance \(\d+\)\. /],
  ])("fails for %s", async (_what, code, rpcCode, message) => {
    const { node, plain } = await aServedNode();
    const failure = await plain.failure("eth_estimateGas", { to: await deploy(node, code) });
    expect(failure.code).toBe(rpcCode);
    expect(failure.message).toMatch(message);
  });

  it("allows no more than the sender can pay at the price it states", async () => {
    const { node, plain } = await aServedNode();
    const counter = await deploy(node, COUNTER);
    const poor = addressText(0x77);
    await node.setBalance(decodeData(poor), 30_000n * 2_000_000_000n);
    const failure = await plain.failure("eth_estimateGas", {
      from: poor,
      to: counter,
      gasPrice: quantity(2_000_000_000),
    });
    expect(failure.message).toEqual(saying("gas required exceeds allowance (30000)"));
  });

  it("spends one time limit on all its attempts", async () => {
    const { node, plain } = await aServedNode({
      hardfork: "prague",
      gasLimit: 300_000_000n,
      limits: { callTimeoutMs: 2 * READS_OF_A_CALL, callGasLimit: 300_000_000n },
    });
    // A condition on what gas is left, so that many attempts are needed, each of which looks at the clock several times.
    const code = "100000 loop: 1 SWAP1 SUB DUP1 @loop JUMPI GAS 150000000 GT @bad JUMPI STOP bad: 0 0 REVERT";
    const to = await place(node, assemble(code));
    const clock = stepClock();
    const before = clock.now;
    expect(await plain.ask("eth_call", { to, gas: quantity(300_000_000) })).toBe("0x");
    expect(clock.now - before).toBeLessThan(READS_OF_A_CALL);
    const failure = await plain.failure("eth_estimateGas", { to });
    expect(failure.code).toBe(-32005);
    expect(failure.message).toContain("longer than its limit");
  });
});
