/** Estimates in the two dimensions of gas (EIP-8037): what determines them, and what does not fit. */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { decodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, aNode, BOB, type Json, NOBODY, quantity } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { deploy, LOOP, receiptOf, send } from "../../../support/contracts.ts";

const NEW_ACCOUNT = 183_600;
const NEW_SLOT = 97_920;
const CALL = 15_000;
/** To an account that is not there, with value. */
const TRANSFER = CALL + 6_000;
const CAP = 16_777_216;
const zeros = (bytes: number): Hex => `0x${"00".repeat(bytes)}`;

const on = (hardfork: Hardfork, options = {}) => aNode({ hardfork, ...options });
const ask = (node: HindcastNode, method: string, ...params: unknown[]) =>
  node.provider.request({ method, params } as never) as Promise<never>;
const numbers = ({ gas, executionGas, stateGas, binds }: Json) => [
  Number(gas),
  Number(executionGas),
  Number(stateGas),
  binds,
];

async function estimate(node: HindcastNode, call: Json, ...rest: unknown[]) {
  const params = [{ from: ALICE, ...call }, ...rest];
  const told = numbers(await ask(node, "hindcast_estimateGas", ...params));
  expect(Number(await ask(node, "eth_estimateGas", ...params))).toBe(told[0]);
  return told;
}

describe("an estimate is determined", () => {
  it("by gas for state where there is more of it, of which exactly so much is needed", async () => {
    const node = await on("amsterdam");
    const call = { to: NOBODY, value: "0x1" };
    const gas = TRANSFER + NEW_ACCOUNT;
    expect(await estimate(node, call)).toEqual([gas, TRANSFER, NEW_ACCOUNT, "state"]);
    expect(await receiptOf(node, await send(node, { ...call, gas: quantity(gas - 1) }))).toMatchObject({
      status: "0x0",
    });
    expect(await receiptOf(node, await send(node, { ...call, gas: quantity(gas) }))).toMatchObject({
      ...{ status: "0x1", executionGasUsed: quantity(TRANSFER), stateGasUsed: quantity(NEW_ACCOUNT) },
    });
  });

  it("by gas for execution where there is more of that, and where both are the same", async () => {
    const node = await on("amsterdam");
    expect(await estimate(node, { to: BOB, value: "0x1" })).toEqual([TRANSFER, TRANSFER, 0, "execution"]);
    // The loop burns gas until the first number is left.
    const code = (left: number) => `loop: GAS ${left} LT @loop JUMPI 1 0 SSTORE STOP`;
    const to = await deploy(node, assemble(code(130_000)));
    const [, execution, state, binds] = await estimate(node, { to, gas: quantity(500_000) });
    expect([state, binds]).toEqual([NEW_SLOT, "execution"]);
    expect(execution).toBeGreaterThan(NEW_SLOT);
  });

  it("by the floor for calldata where less is used (EIP-7976)", async () => {
    const node = await on("amsterdam");
    // 4 gas are used for a byte, and 64 are the least; STOP of an account without code costs nothing.
    const to = await deploy(node, assemble("STOP"));
    const [gas, ...rest] = await estimate(node, { to, data: zeros(1_000) });
    expect(rest).toEqual([CALL + 4_000, 0, "floor"]);
    expect(gas).toBeGreaterThanOrEqual(CALL + 64_000);
  });

  it("by gas for execution or the floor before Amsterdam", async () => {
    const node = await on("osaka");
    expect(await estimate(node, { to: NOBODY, value: "0x1" })).toEqual([21_000, 21_000, 0, "execution"]);
    const to = await deploy(node, assemble("STOP"));
    expect((await estimate(node, { to, data: zeros(1_000) })).slice(1)).toEqual([25_000, 0, "floor"]);
  });

  it("by the same in process, in the block that is named, with overrides", async () => {
    const node = await on("osaka", { hardforkAt: { amsterdam: 1_000 } });
    const call = { from: decodeData(ALICE), to: decodeData(NOBODY), value: 1n };
    const before = { gas: 21_000n, executionGas: 21_000n, stateGas: 0n, binds: "execution" };
    expect(await node.estimateGas({ call })).toEqual(before);
    const timestamp = node.head.header.timestamp + 1_000n;
    const after = { gas: 204_600n, executionGas: 21_000n, stateGas: 183_600n, binds: "state" };
    expect(await node.estimateGas({ call, overrides: { block: { timestamp } } })).toEqual(after);
    await node.mine({ timestamp });
    expect(await node.estimateGas({ call })).toEqual(after);
    expect(await node.estimateGas({ call, block: { number: 0n } })).toEqual(before);
  });
});

describe("an estimate that no limit allows says which gas does not fit", () => {
  const failure = async (node: HindcastNode, call: Json) => {
    const messages: string[] = [];
    for (const method of ["eth_estimateGas", "hindcast_estimateGas"]) {
      await ask(node, method, { from: ALICE, ...call }).catch(({ message }: Error) => messages.push(message));
    }
    const [message, same] = messages;
    expect(same).toBe(message);
    return message;
  };
  const saying = (allowance: number, text: string) =>
    expect.stringContaining(`gas required exceeds allowance (${allowance}). ${text}`);

  it("state", async () => {
    const node = await on("amsterdam");
    const to = await deploy(node, assemble("1 0 SSTORE STOP"));
    const [, execution, state] = (await estimate(node, { to })) as number[];
    const amounts = `State gas does not fit: ${execution} gas is for execution and ${state} for state.`;
    // Both need their sum. Execution alone would fit the lower of these limits exactly.
    for (const gas of [Number(execution) + NEW_SLOT - 1, Number(execution)]) {
      expect(await failure(node, { to, gas: quantity(gas) })).toEqual(saying(gas, amounts));
    }
  });

  it("execution", async () => {
    const node = await on("amsterdam");
    const to = await deploy(node, assemble("1 0 SSTORE 1 1 SSTORE STOP"));
    const [, execution, state] = (await estimate(node, { to })) as number[];
    const gas = Number(execution) - 1;
    const amounts = `Execution gas does not fit: ${execution} gas is for execution and ${state} for state.`;
    expect(await failure(node, { to, gas: quantity(gas) })).toEqual(saying(gas, amounts));
    const loop = await deploy(node, LOOP);
    const text = `Execution gas does not fit: a transaction has at most ${CAP} of it (EIP-7825).`;
    expect(await failure(node, { to: loop })).toEqual(saying(200_000_000, text));
  });

  it("execution, of which calls pass on only a part", async () => {
    const node = await on("amsterdam");
    const inner = await deploy(node, LOOP);
    // The call gets what the first number leaves; the caller fails unless it succeeds.
    const burner = await deploy(node, assemble("GAS 300000 GT @bad JUMPI STOP bad: loop: @loop JUMP"));
    const to = await deploy(
      node,
      assemble(`0 0 0 0 0 ${burner} GAS CALL ISZERO @bad JUMPI STOP bad: loop: @loop JUMP`),
    );
    expect(await failure(node, { to, gas: quantity(310_000) })).toEqual(
      saying(310_000, "Execution gas does not fit, because a call passes on at most 63/64 of it."),
    );
    expect(await failure(node, { to: inner, gas: quantity(50_000) })).toEqual(
      saying(50_000, "Execution gas does not fit: a"),
    );
  });

  it("the floor for calldata", async () => {
    const node = await on("amsterdam");
    const data = zeros(1_000);
    const gas = CALL + 64_000 - 1;
    expect(await failure(node, { to: BOB, data, gas: quantity(gas) })).toEqual(
      saying(gas, `The floor for calldata does not fit: ${gas + 1} gas (EIP-7976).`),
    );
    // Above EIP-7825's cap the call is refused whatever its gas.
    expect(await failure(node, { to: BOB, data: zeros(261_910) })).toContain("floor: 16777240");
  });

  it("by the balance of a sender who states a price", async () => {
    const node = await on("amsterdam");
    const poor = addressText(0x77);
    await node.setBalance(decodeData(poor), 30_000n * 2_000_000_000n);
    const call = { from: poor, to: NOBODY, gasPrice: quantity(2_000_000_000), data: "0x00" };
    const to = await deploy(node, assemble("1 0 SSTORE STOP"));
    expect(await failure(node, { ...call, to })).toEqual(saying(30_000, "State gas does not fit: "));
  });

  it("only from Amsterdam on", async () => {
    const node = await on("osaka");
    const to = await deploy(node, LOOP);
    expect(await failure(node, { to, gas: quantity(50_000) })).toMatch(
      /^gas required exceeds allowance \(50000\)\. The number is/,
    );
  });
});
