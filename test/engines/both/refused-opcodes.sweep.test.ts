/** Opcodes that end their frame before they have done anything: which reason is given, and that no frame is told of. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { bigIntToFixedBytes } from "../../../src/primitives/bytes/bytes.ts";
import { flatErrorText } from "../../../src/tracer/formats/flat-errors.ts";
import { gethErrorText } from "../../../src/tracer/formats/geth-errors.ts";
import { StructLogs } from "../../../src/tracer/formats/struct-log.ts";
import { vmTrace } from "../../../src/tracer/formats/vm-trace.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf, runCode, TARGET, type TestRun } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";

const C = addressOf(0xcc);
/** One byte more than a creation may have (EIP-3860). */
const TOO_LONG = 49_153;

async function framesOf(engine: EngineName, run: TestRun) {
  const { recorder } = await runCode({ ...run, engine, record: {} });
  return recorder.frames.map(({ error }) => error);
}

/** Calls C statically, with so much gas, whose code is `code`. */
const statically = (code: string, gas: number): TestRun => ({
  code: assemble(calling("STATICCALL", C).replace("GAS", String(gas))),
  accounts: [{ address: C, code: assemble(code), balance: 1n }],
});

describe.each(ENGINE_NAMES)("a change of state in a static frame (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    ["SSTORE", "1 0 SSTORE", 22_000],
    ["LOG1", "1 0 0 LOG1", 700],
    ["CREATE", "0 0 0 CREATE", 30_000],
    ["CREATE2", "0 0 0 0 CREATE2", 30_000],
    ["SELFDESTRUCT", "0 SELFDESTRUCT", 4_000],
    ["CALL with value", "0 0 0 0 1 7 0 CALL", 9_000],
  ])("is out of gas where %s cannot be paid, and forbidden where it can", async (_name, code, tooLittle) => {
    // docs/engines.md: EthereumJS asks whether the frame is static before it asks for gas.
    const error = engine === "ethereumjs" ? "staticStateChange" : "outOfGas";
    expect(await framesOf(engine, statically(code, tooLittle))).toEqual([undefined, error]);
    expect(await framesOf(engine, statically(code, 50_000))).toEqual([undefined, "staticStateChange"]);
  });

  it("is forbidden in reth's eyes even where it cannot be paid, since reth asks for gas last", async () => {
    for (const [code, gas] of [
      ["1 0 0 LOG1", 700],
      ["1 0 SSTORE", 22_000],
    ] as const) {
      const { recorder } = await runCode({ engine, ...statically(code, gas), record: {} });
      const { error = "internal", detail } = recorder.frames[1] ?? {};
      expect(flatErrorText(error, "reth", detail)).toBe("StateChangeDuringStaticCall");
      // docs/engines.md: to EthereumJS, as to reth, gas did not run out.
      const isStaticToAll = engine === "ethereumjs";
      expect(flatErrorText(error, "openethereum", detail)).toBe(
        isStaticToAll ? "Mutable Call In Static Context" : "Out of gas",
      );
      expect(flatErrorText(error, "erigon", detail)).toBe(isStaticToAll ? "write protection" : "out of gas");
    }
  });

  it("is listed by a vmTrace although it cannot be paid", async () => {
    const { recorder } = await runCode({ engine, ...statically("0 0 0 CREATE", 30_000), record: { steps: true } });
    const call = [...(vmTrace(recorder, { client: "hindcast" })?.ops ?? [])].find(({ sub }) => sub !== null);
    expect([...(call?.sub?.ops ?? [])].at(-1)).toMatchObject({ cost: 32_000, ex: null });
  });
});

describe.each(ENGINE_NAMES)("a creation of too much init code (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(["CREATE", "CREATE2"])("by %s is no frame, even where its value is not there", async (opcode) => {
    const salt = opcode === "CREATE2" ? "0" : "";
    for (const value of [0, 1]) {
      const code = assemble(`${salt} ${TOO_LONG} 0 ${value} ${opcode}`);
      expect(await framesOf(engine, { code, hardfork: "shanghai" })).toEqual(["initCodeSizeExceeded"]);
    }
  });

  it.each(["CREATE", "CREATE2"])("by %s is told with its size, in struct logs too", async (opcode) => {
    const code = assemble(`7 ${TOO_LONG} 0 0 ${opcode}`);
    const text = `out of gas: max initcode size exceeded: size ${TOO_LONG}`;
    const { recorder, result } = await runCode({ engine, code, record: { steps: true, memory: true } });
    expect(gethErrorText("initCodeSizeExceeded", result.detail)).toBe(text);
    expect(gethErrorText("initCodeSizeExceeded", recorder.frames[0]?.detail)).toBe(text);
    const logs = [...new StructLogs(recorder)];
    expect(logs.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([text]);
    expect(logs.at(-1)?.op).toBe(opcode);
  });

  it("shows no error in struct logs where it was forbidden by a static frame", async () => {
    const { recorder } = await runCode({
      engine,
      ...statically("0 0 0 CREATE", 50_000),
      record: { steps: true, memory: true },
    });
    expect([...new StructLogs(recorder)].some((log) => "error" in log)).toBe(false);
  });

  it("is listed by a vmTrace at its full price", async () => {
    const code = assemble(`${TOO_LONG} 0 0 CREATE`);
    const { recorder } = await runCode({ engine, code, record: { steps: true } });
    const ops = [...(vmTrace(recorder, { client: "hindcast" })?.ops ?? [])];
    expect(ops.at(-1)).toMatchObject({ pc: 7, ex: null, sub: null });
    expect(ops.at(-1)?.cost).toBeGreaterThan(32_000);
  });
});

describe.each(ENGINE_NAMES)("what a refused opcode was to look at (%s)", (engine) => {
  const it = onEngine(engine);
  const far = `0x${"cc".repeat(20)}`;

  it.each([
    ["SLOAD that cannot be paid", "7 SLOAD", 1_000n, [[TARGET, 1]]],
    ["SSTORE below the sentry", "1 7 SSTORE", 2_000n, [[TARGET, 1]]],
    ["SSTORE with one item", "7 SSTORE", 50_000n, [[TARGET, 1]]],
    ["BALANCE that cannot be paid", `${far} BALANCE`, 1_000n, [[C, 0]]],
    ["SELFDESTRUCT that cannot be paid", `${far} SELFDESTRUCT`, 5_100n, [[C, 0]]],
    ["CALL that cannot be paid", calling("CALL", C), 1_000n, [[C, 0]]],
    ["CALL with five items", `0 0 0 ${far} GAS CALL`, 50_000n, [[C, 0]]],
    ["CALL with four items", `0 0 ${far} GAS CALL`, 50_000n, []],
    ["SLOAD with no item", "SLOAD", 50_000n, []],
  ] as const)("is told to who asks for it, and to nobody else: %s", async (_name, program, gasLimit, expected) => {
    const run = { code: assemble(program), message: { gasLimit } };
    const asked = await runCode({ engine, ...run, record: { accesses: true, refusedAccesses: true } });
    expect(asked.result.error).toBeDefined();
    expect(asked.recorder.accesses.map(({ address, slots }) => [address, slots.length])).toEqual(expected);
    const { recorder } = await runCode({ engine, ...run, record: { accesses: true } });
    expect(recorder.accesses).toEqual([]);
  });

  it("is told of changes of state in a static frame, too", async () => {
    const run = statically("1 7 SSTORE", 50_000);
    const { recorder } = await runCode({ engine, ...run, record: { accesses: true, refusedAccesses: true } });
    expect(recorder.accesses).toEqual([{ address: C, slots: [bigIntToFixedBytes(7n, 32)] }]);
  });
});
