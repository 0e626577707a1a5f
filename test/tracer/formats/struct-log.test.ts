/** geth's struct logger over the recording. */
import { describe, expect, it } from "vitest";
import { type StructLog, type StructLogOptions, StructLogs } from "../../../src/tracer/formats/struct-log.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf, runCode, TARGET, type TestRun } from "../../support/evm.ts";
import { hex } from "../../support/plain.ts";

const C = addressOf(0xcc);

async function logsOf(run: TestRun, options?: StructLogOptions): Promise<StructLog[]> {
  const { recorder } = await runCode({ ...run, record: { steps: true, memory: options?.enableMemory === true } });
  return [...new StructLogs(recorder, options)];
}

describe("struct logs", () => {
  it("show the machine before each operation, and the STOP behind the end of code", async () => {
    expect(await logsOf({ code: assemble("1 2 ADD") })).toEqual([
      { pc: 0, op: "PUSH1", gas: 100_000, gasCost: 3, depth: 1, stack: [] },
      { pc: 2, op: "PUSH1", gas: 99_997, gasCost: 3, depth: 1, stack: [1n] },
      { pc: 4, op: "ADD", gas: 99_994, gasCost: 3, depth: 1, stack: [1n, 2n] },
      { pc: 5, op: "STOP", gas: 99_991, gasCost: 0, depth: 1, stack: [3n] },
    ]);
  });

  it("show memory, before it grows, only if asked to", async () => {
    const code = assemble("0x2a 0 MSTORE 0x2a 32 MSTORE8 STOP");
    const logs = await logsOf({ code }, { enableMemory: true });
    const word = `${"00".repeat(31)}2a`;
    expect(logs.map(({ memory }) => memory && hex(memory))).toEqual([
      undefined,
      undefined,
      undefined,
      `0x${word}`,
      `0x${word}`,
      `0x${word}`,
      `0x${word}2a${"00".repeat(31)}`,
    ]);
    expect((await logsOf({ code })).some((log) => "memory" in log)).toBe(false);
  });

  it("leave the stack out if asked to", async () => {
    expect((await logsOf({ code: assemble("1") }, { disableStack: true })).some((log) => "stack" in log)).toBe(false);
  });

  it("show at SLOAD and SSTORE the slots of the account seen so far", async () => {
    const accounts = [{ address: TARGET, code: assemble("1 SLOAD 7 2 SSTORE 2 SLOAD"), storage: [[1n, 5n]] as const }];
    const logs = await logsOf({ accounts });
    const seen = logs.filter(({ storage }) => storage !== undefined);
    expect(seen.map(({ op, storage }) => [op, storage?.map(({ slot, value }) => `${slot}=${value}`).join()])).toEqual([
      ["SLOAD", "1=5"],
      ["SSTORE", "1=5,2=7"],
      ["SLOAD", "1=5,2=7"],
    ]);
    expect((await logsOf({ accounts }, { disableStorage: true })).some((log) => "storage" in log)).toBe(false);
  });

  it("keep the slots of different accounts apart, and a delegate's with its caller's", async () => {
    const store = assemble("8 1 SSTORE");
    const code = assemble(`9 1 SSTORE ${calling("DELEGATECALL", C)} ${calling("CALL", C)} 1 SLOAD`);
    const logs = await logsOf({ code, accounts: [{ address: C, code: store }], message: { gasLimit: 200_000n } });
    const seen = logs
      .filter(({ storage }) => storage !== undefined)
      .map(({ depth, storage }) => [depth, storage?.[0]?.value]);
    expect(seen).toEqual([
      [1, 9n],
      [2, 8n],
      [2, 8n],
      [1, 8n],
    ]);
  });

  it("show return data only if asked to, as the last child left it", async () => {
    const code = assemble(`${calling("CALL", C)} 0 0 0 CREATE STOP`);
    const accounts = [{ address: C, code: assemble("0xabcd 0 MSTORE 2 30 RETURN") }];
    const logs = await logsOf({ code, accounts }, { enableReturnData: true });
    const data = logs
      .filter(({ depth }) => depth === 1)
      .map(({ op, returnData }) => [op, returnData && hex(returnData)]);
    expect(data.slice(-5)).toEqual([
      ["PUSH1", "0xabcd"],
      ["PUSH1", "0xabcd"],
      ["PUSH1", "0xabcd"],
      ["CREATE", "0xabcd"],
      ["STOP", undefined],
    ]);
    expect((await logsOf({ code, accounts })).some((log) => "returnData" in log)).toBe(false);
  });

  it("count what a call hands on in its cost, and what a creation does not", async () => {
    const code = assemble(`0 0 0 0 0 0x${"cc".repeat(20)} 1000 CALL 0 0 0 CREATE`);
    const logs = await logsOf({ code, accounts: [{ address: C, code: assemble("STOP") }] });
    expect(logs.find(({ op }) => op === "CALL")?.gasCost).toBe(2600 + 1000);
    expect(logs.find(({ op }) => op === "CREATE")?.gasCost).toBe(32_000);
    expect(logs.map(({ depth }) => depth).filter((depth) => depth === 2).length).toBe(1);
  });

  it("show the refund counter from the operation on that earns it", async () => {
    const accounts = [{ address: TARGET, code: assemble("0 1 SSTORE STOP"), storage: [[1n, 5n]] as const }];
    const logs = await logsOf({ accounts });
    expect(logs.map(({ refund }) => refund)).toEqual([undefined, undefined, 4800, 4800]);
  });

  it.each([
    ["berlin", 24_000],
    ["london", undefined],
  ] as const)(
    "show the refund for a self-destruct at the operation itself, while there is one (%s)",
    async (hardfork, refund) => {
      const logs = await logsOf({ hardfork, code: assemble("CALLER SELFDESTRUCT") });
      expect(logs.map((log) => (log as { refund?: number }).refund)).toEqual([undefined, refund]);
    },
  );

  it.each([
    ["1 ADD", "stack underflow (1 <=> 2)"],
    ["1 0 SSTORE", "out of gas: not enough gas for reentrancy sentry"],
    ["[617530] MLOAD", "out of gas"],
  ])("put the error of `%s` where it could not be dispatched", async (code, error) => {
    const logs = await logsOf({ code: assemble(code), message: { gasLimit: 2_000n } });
    expect(logs.at(-1)?.error).toBe(error);
    expect(logs.slice(0, -1).some((log) => "error" in log)).toBe(false);
  });

  it("name undefined opcodes by their byte and show no error there", async () => {
    const last = (await logsOf({ code: assemble("[0c]") })).at(-1);
    expect(last).toMatchObject({ op: "opcode 0xc not defined", gasCost: 0 });
    expect(last).not.toHaveProperty("error");
  });

  it("end at a limit", async () => {
    expect((await logsOf({ code: assemble("1 2 3 4") }, { limit: 2 })).length).toBe(2);
    expect((await logsOf({ code: assemble("1 2 3 4") }, { limit: 0 })).length).toBe(5);
  });
});
