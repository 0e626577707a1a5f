/** Recordings of a frame's last operation: differences between the engines that random transactions found. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { Op } from "../../../src/evm/opcodes.ts";
import { flatErrorText } from "../../../src/tracer/formats/flat-errors.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf, TARGET } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { lastStep } from "../../support/recorded-steps.ts";
import { runProgram } from "./running.ts";

const C = addressOf(0xcc);

describe.each(ENGINE_NAMES)("the last operation of a frame (%s)", (engine) => {
  const it = onEngine(engine);
  it("has what was earned back, where it is the STOP behind the code", async () => {
    const target = { address: TARGET, storage: [[1n, 5n]] as const };
    const { recorder } = await runProgram(engine, "0 1 SSTORE", { hardfork: "osaka", target });
    expect(lastStep(recorder)).toMatchObject({ opcode: Op.STOP, refund: 4_800 });
  });

  it("has what was earned back, where it is a REVERT behind any operation", async () => {
    const target = { address: TARGET, storage: [[1n, 5n]] as const };
    const { recorder } = await runProgram(engine, "0 1 SSTORE 32 1 2 ADD REVERT", { hardfork: "osaka", target });
    expect(lastStep(recorder)).toMatchObject({ opcode: Op.REVERT, refund: 4_800 });
  });

  it("is no REVERT before Byzantium, whatever comes before it", async () => {
    for (const words of ["32 0 REVERT", "32 1 2 ADD REVERT"]) {
      const { result } = await runProgram(engine, words, { hardfork: "spuriousDragon" });
      expect(result).toMatchObject({ error: "invalidOpcode", detail: { opcode: Op.REVERT, stackHeight: 2 } });
    }
  });

  it.each([
    ["without operands", "7 13 MSTORE REVERT"],
    ["of a region that no gas can pay", "0 NOT 0x10000000 7 13 MSTORE REVERT"],
  ])("leaves what was written to memory before a REVERT %s", async (_what, program) => {
    const { recorder } = await runProgram(engine, program, { hardfork: "byzantium" });
    const mstore = program.split(" ").indexOf("MSTORE");
    const [written] = [...(recorder.steps ?? [])].map((steps) => steps.written(mstore));
    expect(written?.at(-1)).toBe(7);
  });

  it("has its static price where it lacks operands", async () => {
    const { recorder } = await runProgram(engine, "7 LOG2");
    expect(lastStep(recorder)).toMatchObject({ cost: 3 * 375 });
  });

  it("names no size of init code where a creation lacks that operand", async () => {
    const { result } = await runProgram(engine, "1 2 CREATE2");
    expect(result.detail).toMatchObject({ opcode: Op.CREATE2, stackHeight: 2, initCodeSize: undefined });
  });

  it("is forbidden in reth's eyes where it is a TSTORE in a static frame that could not be paid", async () => {
    const accounts = [{ address: C, code: assemble("1 0 TSTORE") }];
    const { frame } = await runProgram(engine, calling("STATICCALL", C).replace("GAS", "60"), { accounts });
    expect(frame?.error).toBe("outOfGas");
    expect(flatErrorText("outOfGas", "reth", frame?.detail)).toBe("StateChangeDuringStaticCall");
  });
});
