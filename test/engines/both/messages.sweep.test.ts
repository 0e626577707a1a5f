/** Results of messages, and the state after failed ones. */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import { bytesToBigInt, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling } from "../../support/assembler.ts";
import {
  aBlock,
  addressOf,
  aMessage,
  aState,
  openSession,
  SENDER,
  TARGET,
  type TestMessage,
  word,
} from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { AROUND, left, priceOf, run, runProgram } from "./running.ts";

const C = addressOf(0xcc);

describe.each(ENGINE_NAMES)("a message (%s)", (engine) => {
  const it = onEngine(engine);
  it("returns output, gas used and refund", async () => {
    const target = { storage: [[1n, 5n]] as const };
    const { result } = await runProgram(engine, "0 1 SSTORE 0x2a 0 MSTORE8 1 0 RETURN", { target });
    expect(result).toMatchObject({
      error: undefined,
      detail: undefined,
      output: Uint8Array.of(42),
      gasRefund: 4800n,
      stateGasUsed: 0n,
      logs: [],
    });
    // Two pushes and a cold store of an existing slot; two pushes, memory and a byte; two pushes and a return.
    expect(result.gasUsed).toBe(6n + 5000n + 6n + 6n + 6n);
  });

  it("returns its logs in order, with their topics and data", async () => {
    const accounts = [{ address: C, code: assemble("7 0 0 LOG1") }];
    const program = `0xab 0 MSTORE8 1 2 2 0 LOG2 ${calling("CALL", C)} 0 0 LOG0`;
    const { result } = await runProgram(engine, program, { accounts });
    expect(result.logs).toEqual([
      { address: TARGET, topics: [word(2n), word(1n)], data: Uint8Array.of(0xab, 0) },
      { address: C, topics: [word(7n)], data: EMPTY_BYTES },
      { address: TARGET, topics: [], data: EMPTY_BYTES },
    ]);
  });

  it("that reverts keeps its data and loses its effects, refund and logs", async () => {
    const target = { storage: [[1n, 5n]] as const };
    const program = "0 1 SSTORE 0 0 LOG0 0xab 0 MSTORE8 1 0 REVERT";
    const { result, state } = await runProgram(engine, program, { target, message: { value: 5n } });
    expect(result).toMatchObject({ error: "reverted", output: Uint8Array.of(0xab), gasRefund: 0n, logs: [] });
    expect(state.transactionChanges()).toEqual([]);
  });

  it("that fails uses all its gas, has no output, and says at which opcode", async () => {
    const { result } = await runProgram(engine, "0 0 LOG0 1 ADD");
    expect(result).toMatchObject({ error: "stackUnderflow", gasUsed: 10_000_000n, output: EMPTY_BYTES, logs: [] });
    expect(result.detail).toMatchObject({ opcode: 0x01, stackHeight: 1, cause: undefined });
  });

  it("that creates a contract puts it where it is told, without bumping the sender's nonce", async () => {
    const message = { to: undefined, data: assemble("0xfe 0 MSTORE8 1 0 RETURN") };
    const { result, account, state } = await run(engine, { message });
    expect(result).toMatchObject({ error: undefined, output: Uint8Array.of(0xfe) });
    expect(account(SENDER)?.nonce).toBe(1n);
    const created = account(createAddress(SENDER, 0n));
    expect(created?.nonce).toBe(1n);
    expect(hex((await state.getCode(created?.codeHash ?? EMPTY_BYTES)) as Uint8Array)).toBe("0xfe");
  });

  it("runs code whose account it pays before the code looks", async () => {
    expect(await left(engine, "SELFBALANCE CALLVALUE ADD", { target: { balance: 10n }, message: { value: 3n } })).toBe(
      16n,
    );
  });

  it("that calls an account without code moves its value and nothing else", async () => {
    const { result, account, recorder } = await run(engine, { message: { to: C, value: 7n, gasLimit: 0n } });
    expect(result).toMatchObject({ error: undefined, gasUsed: 0n, output: EMPTY_BYTES });
    expect(account(C)).toMatchObject({ balance: 7n, nonce: 0n });
    expect(recorder.frames).toHaveLength(1);
  });

  it("that would give an account more than it can hold fails", async () => {
    const accounts = [{ address: C, balance: (1n << 256n) - 1n }];
    const { result, state } = await run(engine, { accounts, message: { to: C, value: 1n } });
    // EthereumJS gives the gas back; revm, which knows no such balance on any chain either, does not.
    expect(result).toMatchObject({ error: "valueOverflow", gasUsed: engine === "ethereumjs" ? 0n : 100_000n });
    expect(state.transactionChanges()).toEqual([]);
  });

  it("can have more gas than a JS number counts", async () => {
    const gasLimit = 2n ** 63n - 1n;
    expect(await left(engine, "GAS", { gasLimit })).toBe(gasLimit - 2n);
    expect((await runProgram(engine, "INVALID", { gasLimit })).result.gasUsed).toBe(gasLimit);
    expect((await runProgram(engine, "1 POP", { gasLimit })).result.gasUsed).toBe(5n);
  });

  it("hands on gas beyond 2^53 exactly, and takes it back", async () => {
    const gasLimit = 2n ** 63n - 1n;
    const accounts = [{ address: C, code: assemble("GAS 0 MSTORE 32 0 RETURN") }];
    // Five pushes, an address, GAS and a cold call; then all of it but a 64th goes on.
    const available = gasLimit - 6n * 3n - 2n - 2600n;
    const program = `32 0 0 0 0 ${hex(C)} GAS CALL POP 0 MLOAD`;
    // The region for the output costs a word of memory.
    const given = available - 3n;
    expect(await left(engine, program, { gasLimit, accounts })).toBe(given - given / 64n - 2n);
    expect(await left(engine, priceOf(calling("CALL", C)), { gasLimit, accounts })).toBe(
      AROUND + 6n * 3n + 2n + 2600n + 17n,
    );
  });
});

describe.each(ENGINE_NAMES)("what opcodes read (%s)", (engine) => {
  const it = onEngine(engine);
  const message: Partial<TestMessage> = { gasPrice: 3n, blobVersionedHashes: [word(9n)], value: 4n };
  const read = (program: string, hardfork: Hardfork = "cancun") => left(engine, program, { hardfork, message });

  it.each<[string, bigint]>([
    ["NUMBER", 100n],
    ["TIMESTAMP", 1_700_000_000n],
    ["COINBASE", bytesToBigInt(addressOf(0xc0))],
    ["GASLIMIT", 30_000_000n],
    ["DIFFICULTY", bytesToBigInt(new Uint8Array(32).fill(7))],
    ["BASEFEE", 1n],
    ["BLOBBASEFEE", 1n],
    ["CHAINID", 1n],
    ["GASPRICE", 3n],
    ["ORIGIN", bytesToBigInt(SENDER)],
    ["CALLER", bytesToBigInt(SENDER)],
    ["ADDRESS", bytesToBigInt(TARGET)],
    ["CALLVALUE", 4n],
    ["99 BLOCKHASH", 100n],
    ["0 BLOBHASH", 9n],
    ["1 BLOBHASH", 0n],
    ["0 NOT BLOBHASH", 0n],
  ])("is the block's and the transaction's: %s", async (program, value) => {
    expect(await read(program)).toBe(value);
  });

  it("is the difficulty before the Merge", async () => {
    expect(await read("DIFFICULTY", "london")).toBe(131_072n);
  });

  it("is whole where it has more than 64 bits", async () => {
    const block = aBlock("london", { difficulty: (1n << 200n) + 1n, baseFeePerGas: (1n << 100n) + 3n });
    expect(await left(engine, "DIFFICULTY", { hardfork: "london", block })).toBe((1n << 200n) + 1n);
    expect(await left(engine, "BASEFEE", { hardfork: "london", block })).toBe((1n << 100n) + 3n);
  });

  it("is the hash of the last 256 blocks and zero for others", async () => {
    const block = aBlock("cancun", { number: 1000n, blockHash: (number) => word(number + 1n) });
    const hashOf = (number: string) => left(engine, `${number} BLOCKHASH`, { block });
    expect(await hashOf("999")).toBe(1000n);
    expect(await hashOf("744")).toBe(745n);
    for (const number of ["743", "1000", "1001", "0 NOT", `0x01${"00".repeat(8)}`])
      expect(await hashOf(number)).toBe(0n);
  });

  it("is zero for an ancestor whose hash is not known", async () => {
    const block = aBlock("cancun", { blockHash: () => undefined });
    expect(await left(engine, "99 BLOCKHASH", { block })).toBe(0n);
    // Nothing of the first one is left for the second.
    const some = aBlock("cancun", { blockHash: (number) => (number === 98n ? word(5n) : undefined) });
    expect(await left(engine, "98 BLOCKHASH 99 BLOCKHASH ADD", { block: some })).toBe(5n);
  });

  it("is the hash of its own number after a frame could not pay for the hash of another one", async () => {
    const block = aBlock("cancun", { number: 1000n, blockHash: (number) => word(number + 1n) });
    const accounts = [{ address: C, code: assemble("998 BLOCKHASH") }];
    // PUSH2 takes 3 gas, BLOCKHASH 20.
    const program = `0 0 0 0 0 ${hex(C)} 22 CALL 0 MSTORE 999 BLOCKHASH`;
    expect(await left(engine, program, { block, accounts })).toBe(1000n);
  });

  it("is call data with zeros behind its end", async () => {
    const data = Uint8Array.of(1, 2, 3);
    const reading = (program: string) => left(engine, program, { message: { data } });
    expect(await reading("0 CALLDATALOAD")).toBe(0x010203n << 232n);
    expect(await reading("2 CALLDATALOAD")).toBe(3n << 248n);
    expect(await reading("3 CALLDATALOAD")).toBe(0n);
    expect(await reading("0 NOT CALLDATALOAD")).toBe(0n);
    expect(await reading("CALLDATASIZE")).toBe(3n);
  });
});

describe.each(ENGINE_NAMES)("an engine's state (%s)", (engine) => {
  it("is not written to by a session", async () => {
    const state = aState([{ address: TARGET, code: assemble("7 1 SSTORE") }]);
    const root = state.computeStateRoot();
    const session = await openSession({ engine, state });
    session.begin(aMessage());
    expect((await session.run(aMessage())).error).toBeUndefined();
    expect((await session.end()).writes).not.toEqual([]);
    session.close();
    expect(state.computeStateRoot()).toEqual(root);
  });
});
