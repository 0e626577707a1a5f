/** vmTrace, clause by clause (`docs/trace-formats.md`, section 6). */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { bigIntToFixedBytes } from "../../../src/primitives/bytes/bytes.ts";
import { type VmOperation, type VmTrace, vmTrace } from "../../../src/tracer/formats/vm-trace.ts";
import { assemble, calling, fromHex } from "../../support/assembler.ts";
import { addressOf, OPCODE_HARDFORKS, runCode, TARGET, type TestRun } from "../../support/evm.ts";
import { hex, shown } from "../../support/plain.ts";

const C = addressOf(0xcc);
const WORD_42 = `0x${"2a".padStart(64, "0")}`;

async function traceOf(run: TestRun): Promise<VmTrace> {
  const { recorder } = await runCode({ ...run, record: { steps: true, memory: true } });
  const trace = vmTrace(recorder, { client: "openethereum" });
  if (trace === undefined) throw new TypeError("nothing ran");
  return trace;
}

const operations = async (run: TestRun): Promise<VmOperation[]> => [...(await traceOf(run)).ops];
const last = async (code: string): Promise<VmOperation> =>
  (await operations({ code: assemble(code) })).at(-1) as VmOperation;
const pushes = async (code: string) =>
  (await operations({ code: assemble(code) })).map(({ ex }) => ex?.push.map(Number));

describe("vmTrace", () => {
  it("of a transfer is empty", async () => {
    expect(shown(await traceOf({ message: { to: C } }))).toEqual({ code: "0x", ops: [] });
  });

  it("lists each operation of a frame that stores a value", async () => {
    expect(shown(await traceOf({ code: fromHex("602a60005500") }))).toEqual({
      code: "0x602a60005500",
      ops: [
        { pc: 0, cost: 3, ex: { used: 99_997, push: ["0x2a"], mem: null, store: null }, sub: null },
        { pc: 2, cost: 3, ex: { used: 99_994, push: ["0x0"], mem: null, store: null }, sub: null },
        {
          pc: 4,
          cost: 22_100,
          ex: { used: 77_894, push: [], mem: null, store: { key: "0x0", val: "0x2a" } },
          sub: null,
        },
        { pc: 5, cost: 0, ex: { used: 77_894, push: [], mem: null, store: null }, sub: null },
      ],
    });
  });

  // Seven gas before the call go into its operands, 700 into the child.
  it.each([
    ["no value", 0, 30_100, 30_000, 49_200],
    ["a value", 1, 39_100, 32_300, 42_500],
  ])("accounts for a call with %s in cost, gas of the child and gas left", async (_, value, cost, childGas, used) => {
    const burn = `${"1 POP ".repeat(140)}`;
    const code = assemble(`0 0 0 0 ${value} 0x${"cc".repeat(20)} [617530] CALL`);
    const { recorder } = await runCode({
      accounts: [
        { address: TARGET, balance: 5n, code },
        { address: C, code: assemble(burn) },
      ],
      // C is warm only if it was accessed before: the outermost call runs code that touches it first.
      message: { gasLimit: 50_000n + 21n },
      record: { steps: true, memory: true },
    });
    const call = [...(vmTrace(recorder)?.ops ?? [])].find(({ op }) => op === "CALL");
    // The account is cold here, so 2,500 more than in the table are charged at dispatch.
    expect(call).toMatchObject({ cost: cost + 2_500 });
    expect(Number(recorder.frames[1]?.gas)).toBe(childGas);
    expect(Number(recorder.frames[1]?.gasUsed)).toBe(700);
    expect(call?.ex?.used).toBe(used - 2_500);
  });

  it("shows a call that lacks the balance without a frame, its gas given back with the stipend", async () => {
    const code = assemble(`0 0 0 0 1 0x${"cc".repeat(20)} [617530] CALL`);
    const accounts = [{ address: C, balance: 1n, code: assemble("STOP") }];
    const call = (await operations({ code, accounts, message: { gasLimit: 50_021n } })).at(-1);
    expect(call).toMatchObject({ cost: 39_100 + 2_500, sub: null });
    expect(call?.ex).toMatchObject({ used: 43_200 - 2_500, push: [0n] });
  });

  it("lists what DUP and SWAP moved over, deepest first", async () => {
    expect(await pushes("5 DUP1")).toEqual([[5], [5, 5]]);
    expect(await pushes("1 2 SWAP1 DUP2")).toEqual([[1], [2], [2, 1], [2, 1, 2]]);
    expect(await pushes("1 2 3 4 SWAP3")).toEqual([[1], [2], [3], [4], [4, 2, 3, 1]]);
  });

  it("lists one item for what makes one, none for what makes none", async () => {
    expect(await pushes("7 0 MSTORE MSIZE PC POP STOP")).toEqual([[7], [0], [], [32], [6], [], []]);
    expect(await pushes("3 4 ADD 0 0 LOG0 0 0 RETURN")).toEqual([[3], [4], [7], [0], [0], [], [0], [0], []]);
  });

  it.each([
    ["0x2a 0x20 MSTORE", 32, WORD_42],
    ["0x2a 0x20 MSTORE 0x20 MLOAD", 32, WORD_42],
    ["0x2a 5 MSTORE8", 5, "0x2a"],
    ["3 0 1 CODECOPY", 1, "0x600360"],
    ["4 0 2 CALLDATACOPY", 2, "0x00000000"],
    [`4 0 2 0x${"bb".repeat(20)} EXTCODECOPY`, 2, "0x60046000"],
    ["0x2a 0 MSTORE 2 30 9 MCOPY", 9, "0x002a"],
  ])("shows the memory that `%s` names, as it is afterwards", async (code, off, data) => {
    expect(shown((await last(code)).ex?.mem)).toEqual({ off, data });
  });

  it("shows a call's whole output region, however little came back", async () => {
    const code = assemble(`0x${"ff".repeat(32)} 0 MSTORE 8 4 0 0 0x${"cc".repeat(20)} GAS STATICCALL`);
    const accounts = [{ address: C, code: assemble("0xabcd 0 MSTORE 2 30 RETURN") }];
    const call = (await operations({ code, accounts })).at(-1);
    expect(shown(call?.ex?.mem)).toEqual({ off: 4, data: "0xabcdffffffffffff" });
  });

  it.each(["0 0 MCOPY", "0 7 7 CALLDATACOPY", "0 0 RETURN", "0 0 KECCAK256", "0 0 0 CREATE"])(
    "shows no memory for `%s`",
    async (code) => {
      expect((await last(code.startsWith("0 0 MCOPY") ? `0 ${code}` : code)).ex?.mem).toBeNull();
    },
  );

  it("shows what SSTORE stores even if nothing changes, and nothing for TSTORE", async () => {
    expect((await last("0 9 SSTORE")).ex?.store).toEqual({ key: 9n, val: 0n });
    expect((await last("1 9 TSTORE")).ex?.store).toBeNull();
  });

  it("hangs a frame under its call: code of callee, delegate, creation; empty for precompiles", async () => {
    const inner = assemble("7 POP");
    const accounts = [{ address: C, code: inner }];
    for (const opcode of ["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"]) {
      const call = (await operations({ code: assemble(calling(opcode, C)), accounts })).at(-1);
      expect(shown(call?.sub)).toMatchObject({ code: hex(inner), ops: [{ pc: 0, ex: { push: ["0x7"] } }, { pc: 2 }] });
    }
    const creation = (
      await operations({ code: assemble(`0x${Buffer.from(inner).toString("hex")} 0 MSTORE 3 29 0 CREATE`) })
    ).at(-1);
    expect(shown(creation?.sub)).toMatchObject({ code: hex(inner) });
    const precompile = bigIntToFixedBytes(4n, 20);
    const hidden = (await operations({ code: assemble(calling("CALL", precompile)) })).at(-1);
    expect(shown(hidden?.sub)).toEqual({ code: "0x", ops: [] });
  });

  it("runs the delegate's code under an EIP-7702 delegation", async () => {
    const delegate = assemble("9 POP");
    const accounts = [
      { address: addressOf(0x77), code: fromHex(`ef0100${"cc".repeat(20)}`) },
      { address: C, code: delegate },
    ];
    const code = assemble(calling("CALL", addressOf(0x77)));
    const call = (await operations({ hardfork: "prague", code, accounts })).at(-1);
    expect(shown(call?.sub)).toMatchObject({ code: hex(delegate), ops: [{ pc: 0 }, { pc: 2 }] });
  });

  it("may be iterated more than once, from the start", async () => {
    const trace = await traceOf({ code: assemble("1 2 ADD") });
    expect(shown([...trace.ops])).toEqual(shown([...trace.ops]));
  });
});

describe("what vmTrace lists of operations that fail", () => {
  const listed = async (code: string, run: TestRun = {}) =>
    (await operations({ code: assemble(code), ...run })).map(({ pc, cost, ex }) => [
      pc,
      cost,
      ex === null ? null : ex.used,
    ]);

  it("out of gas: with the would-be cost and no ex", async () => {
    expect(await listed("1 0 SSTORE", { message: { gasLimit: 10_000n } })).toEqual([
      [0, 3, 9_997],
      [2, 3, 9_994],
      [4, 22_100, null],
    ]);
  });

  it("memory that cannot be paid: with the price of the memory", async () => {
    // 65,568 bytes are 2,049 words: 3 * 2,049 + 2,049² / 512 = 14,347, and 3 for MSTORE itself.
    expect(await listed("0 [62010000] MSTORE", { message: { gasLimit: 5_000n } })).toEqual([
      [0, 3, 4_997],
      [2, 3, 4_994],
      [6, 14_350, null],
    ]);
  });

  it("a call that cannot be paid: with all that it asked for", async () => {
    const call = `0 0 0 0 1 0x${"cc".repeat(20)} [612710] CALL`;
    const list = await listed(call, { accounts: [{ address: C, balance: 1n }], message: { gasLimit: 5_000n } });
    expect(list.at(-1)).toEqual([34, 2_600 + 9_000 + 10_000, null]);
  });

  it("a change of state in a static frame: at its full price, without ex", async () => {
    const accounts = [{ address: C, code: assemble("1 0 SSTORE") }];
    const outer = await operations({ code: assemble(calling("STATICCALL", C)), accounts });
    const inner = [...(outer.at(-1)?.sub?.ops ?? [])];
    expect(inner.map(({ pc, cost, ex }) => [pc, cost, ex === null])).toEqual([
      [0, 3, false],
      [2, 3, false],
      [4, 22_100, true],
    ]);
  });

  it("return data out of bounds: without ex", async () => {
    expect((await listed("1 0 0 RETURNDATACOPY")).at(-1)).toEqual([6, 3 + 3 + 3, null]);
  });

  it("a bad jump: with ex, since the failure comes after", async () => {
    expect(await listed("9 JUMP")).toEqual([
      [0, 3, 99_997],
      [2, 8, 99_989],
    ]);
  });

  it.each([
    ["an undefined opcode", "1 [0c]"],
    ["INVALID", "1 INVALID"],
    ["too few items", "1 ADD"],
    ["memory beyond all bounds", "1 [6fffffffffffffffffffffffffffffffff] MLOAD"],
  ])("%s: not at all", async (_, code) => {
    const list = await listed(code);
    expect(list.length).toBe(code.includes("MLOAD") ? 2 : 1);
  });

  it("too many items: not at all", async () => {
    const list = await listed("loop: 0 @loop JUMP", { message: { gasLimit: 1_000_000n } });
    // 1,023 rounds of four, then JUMPDEST and the push that fills the stack.
    expect(list.length).toBe(1023 * 4 + 2);
  });

  it.each<[Hardfork, number]>([
    ["istanbul", 2],
    ["petersburg", 3],
  ])("the SSTORE sentry, from Istanbul on: not at all (%s)", async (hardfork, count) => {
    expect((await listed("1 0 SSTORE", { hardfork, message: { gasLimit: 2_000n } })).length).toBe(count);
  });

  it.each(OPCODE_HARDFORKS)("adds no STOP where the code runs out (%s)", async (hardfork) => {
    expect((await operations({ hardfork, code: assemble("1 2") })).length).toBe(2);
  });

  it("keeps RETURN as done where the code deposit fails", async () => {
    const data = assemble("[615dc0] 0 RETURN");
    const list = await operations({ message: { to: undefined, data, gasLimit: 100_000n } });
    expect(list.at(-1)?.ex).not.toBeNull();
  });
});

describe("vmTrace by client", () => {
  const as = async (client: "reth" | "erigon" | "hindcast" | "openethereum", run: TestRun) => {
    const { recorder } = await runCode({ ...run, record: { steps: true, memory: true } });
    return [...(vmTrace(recorder, { client, idxPrefix: "3-" })?.ops ?? [])];
  };
  const code = assemble("0x2a 0 MSTORE 1 0 SSTORE");

  it("shows gas before, whole memory and no stores at reth", async () => {
    const list = await as("reth", { code });
    expect(list.map(({ ex }) => ex?.used)).toEqual([100_000, 99_997, 99_994, 99_988, 99_985, 99_982, 77_882]);
    expect(shown(list[3]?.ex?.mem)).toEqual({ off: 32, data: WORD_42 });
    expect(list[5]?.ex?.store).toBeNull();
  });

  it("names operations, but at OpenEthereum, and numbers them at Erigon", async () => {
    expect((await as("openethereum", { code }))[0]).not.toHaveProperty("op");
    expect((await as("hindcast", { code })).map(({ op }) => op)).toEqual([
      "PUSH1",
      "PUSH1",
      "MSTORE",
      "PUSH1",
      "PUSH1",
      "SSTORE",
    ]);
    expect((await as("erigon", { code })).map(({ idx }) => idx)).toEqual(["3-0", "3-1", "3-2", "3-3", "3-4", "3-5"]);
    const nested = await as("erigon", {
      code: assemble(calling("CALL", C)),
      accounts: [{ address: C, code: assemble("1") }],
    });
    expect([...(nested.at(-1)?.sub?.ops ?? [])][0]?.idx).toBe("3-7-0");
  });

  it("lists what could not be dispatched at reth and Erigon", async () => {
    const failing = { code: assemble("1 ADD") };
    expect((await as("reth", failing)).length).toBe(2);
    expect((await as("erigon", failing)).length).toBe(2);
    expect((await as("hindcast", failing)).length).toBe(1);
  });
});
