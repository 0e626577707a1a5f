/** trace_*OpcodeGas: each number follows from the code that ran and the price list of its hardfork. */
import { expect, it } from "vitest";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { aServedNode, type Json, wordText } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { COUNTER, deploy, send } from "../../support/contracts.ts";

interface OpcodeGas {
  readonly opcode: string;
  readonly count: number;
  readonly gasUsed: number;
}

it("counts opcodes and their gas, calls without what they hand on", async () => {
  const { node, plain } = await aServedNode({ hardfork: "cancun" });
  const counter = await deploy(node, COUNTER);
  // Calls the counter twice, the second time with 1 wei.
  const twice = await deploy(
    node,
    assemble(`0 0 0 0 0 ${counter} 50000 CALL POP 0 0 0 0 1 ${counter} 50000 CALL POP 77 BALANCE STOP`),
  );
  const hash = await send(node, { to: twice, value: "0x9", gas: "0x30d40" });
  const answer = await plain.ask<{ transactionHash: Hex; opcodeGas: OpcodeGas[] }>("trace_transactionOpcodeGas", hash);
  expect(answer.transactionHash).toBe(hash);
  const gas = Object.fromEntries(answer.opcodeGas.map(({ opcode, ...rest }) => [opcode, rest]));
  // Cold account, then warm with a value: 9,000 less the stipend that nobody is charged.
  expect(gas.CALL).toEqual({ count: 2, gasUsed: 2_600 + 100 + 9_000 - 2_300 });
  expect(gas.SLOAD).toEqual({ count: 2, gasUsed: 2_100 + 100 });
  // From zero to 1, then a slot that was written already.
  expect(gas.SSTORE).toEqual({ count: 2, gasUsed: 20_000 + 100 });
  expect(gas.BALANCE).toEqual({ count: 1, gasUsed: 2_600 });
  expect(gas.STOP).toEqual({ count: 1, gasUsed: 0 });
  expect(gas.MSTORE).toEqual({ count: 2, gasUsed: 2 * 6 });
});

it("does not count what could not be paid, and adds up to the gas of the transaction's execution", async () => {
  const { node, plain } = await aServedNode({ hardfork: "cancun" });
  const store = await deploy(node, assemble("1 2 SSTORE 1 3 SSTORE"));
  const hash = await send(node, { to: store, gas: "0xc350" });
  const { opcodeGas } = await plain.ask<{ opcodeGas: OpcodeGas[] }>("trace_transactionOpcodeGas", hash);
  expect(opcodeGas.find(({ opcode }) => opcode === "SSTORE")).toEqual({ opcode: "SSTORE", count: 2, gasUsed: 22_100 });
  const whole = await send(node, { to: store, gas: "0x186a0" });
  const ran = await plain.ask<{ opcodeGas: OpcodeGas[] }>("trace_transactionOpcodeGas", whole);
  const { gasUsed } = await plain.ask<{ gasUsed: Hex }>("eth_getTransactionReceipt", whole);
  expect(ran.opcodeGas.reduce((sum, each) => sum + each.gasUsed, 21_000)).toBe(Number(gasUsed));
});

it("trace_blockOpcodeGas has all transactions of a block, and null for an unknown block", async () => {
  const { node, plain } = await aServedNode({ hardfork: "cancun" });
  const counter = await deploy(node, COUNTER);
  node.setMiningMode("manual");
  const hashes = [await send(node, { to: counter }), await send(node, { to: counter, gas: "0x186a0" })];
  await node.mine();
  const block = await plain.ask<Json>("eth_getBlockByNumber", "latest", false);
  const answer = await plain.ask<{ transactions: Json[] }>("trace_blockOpcodeGas", "latest");
  expect(answer).toMatchObject({ blockHash: block.hash, blockNumber: 2 });
  const alone = await Promise.all(hashes.map((hash) => plain.ask("trace_transactionOpcodeGas", hash)));
  expect(answer.transactions).toEqual(alone);
  expect(await plain.ask("trace_blockOpcodeGas", "0x0")).toMatchObject({ blockNumber: 0, transactions: [] });
  expect(await plain.ask("trace_blockOpcodeGas", wordText(1))).toBeNull();
  expect(await plain.ask("trace_transactionOpcodeGas", wordText(1))).toBeNull();
});
