/**
 * REVERT, before whose event EthereumJS reads memory that nobody has paid for: what runs is the same whoever listens, and
 * the step is told of all the same.
 */
import { describe, expect, it } from "vitest";
import { StepOutcome } from "../../../src/evm/frames.ts";
import { Op } from "../../../src/evm/opcodes.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf } from "../../support/evm.ts";
import { CollectingSink } from "../collecting-sink.ts";
import { runTarget } from "./a-session.ts";

const A = addressOf(0xa1);
const HUGE = `0x${"ff".repeat(32)}`;

/** The last step of the frame that A's code is, which TARGET calls and then goes on; by each way of listening. */
async function lastSteps(words: string): Promise<unknown[]> {
  const accounts = [{ address: A, nonce: 1n, code: assemble(words) }];
  const code = assemble(`${calling("CALL", A, 0n)} 1 SSTORE 5 2 SSTORE`);
  // So much that the caller can go on with a 64th of it.
  const message = { gasLimit: 10_000_000n };
  const quiet = await runTarget("prague", code, { accounts, message });
  const last: unknown[] = [];
  for (const steps of ["recorded", "live"] as const) {
    const sink = new CollectingSink({ frames: "all", steps });
    const run = await runTarget("prague", code, { accounts, message, sink });
    expect(run.result).toEqual(quiet.result);
    expect(run.writes).toEqual(quiet.writes);
    const step = sink.steps.findLast(({ frame }) => frame === 1);
    last.push([step?.opcode, step?.outcome, step?.cost]);
    // The caller is heard again.
    expect(sink.steps.at(-1)).toMatchObject({ frame: 0, opcode: Op.STOP });
  }
  expect(last[0]).toEqual(last[1]);
  return last[0] as unknown[];
}

describe("a REVERT", () => {
  it("of more than could be paid runs out of gas, whatever it is told with", async () => {
    for (const words of [
      "0x40000000 0 REVERT",
      `${HUGE} 0 REVERT`,
      `1 ${HUGE} REVERT`,
      `1 ${HUGE} DUP1 POP REVERT`,
      `${HUGE} 1 SWAP1 SWAP1 REVERT`,
      `1 ${HUGE} 0 ADD REVERT`,
      "1 0 NOT REVERT",
      "1 0 0 KECCAK256 REVERT",
      `${HUGE} 0 0 0 0 0 0 0 CALL REVERT`,
      "1 0 0 0 CREATE REVERT",
    ]) {
      // Its price is not known (docs/engines.md).
      expect(await lastSteps(words)).toEqual([Op.REVERT, StepOutcome.outOfGas, 0]);
    }
  });

  it("behind a call is told of with the gas that the call left", async () => {
    const words = `${HUGE} ${calling("CALL", addressOf(0xb1), 0n)} REVERT`;
    const accounts = [{ address: addressOf(0xb1), nonce: 1n, code: assemble("1 1 SSTORE") }];
    const sink = new CollectingSink({ frames: "all", steps: "recorded" });
    await runTarget("prague", assemble(words), { accounts, sink });
    const [call, revert] = [Op.CALL, Op.REVERT].map((opcode) => sink.steps.find((step) => step.opcode === opcode));
    const end = sink.events.find((event) => event.event === "exit");
    const used = end?.event === "exit" ? Number(end.end.gasUsed) : 0;
    expect(used).toBe(22_106);
    expect(revert?.gas).toBe((call?.gas ?? 0) - (call?.cost ?? 0) - used);
  });

  it("of nothing reverts wherever that is", async () => {
    expect(await lastSteps(`0 ${HUGE} REVERT`)).toEqual([Op.REVERT, StepOutcome.done, 0]);
    expect(await lastSteps("0 0 NOT REVERT")).toEqual([Op.REVERT, StepOutcome.done, 0]);
  });

  it("of little reverts, also where its offset is not known before", async () => {
    expect(await lastSteps("7 0 MSTORE 32 0 REVERT")).toEqual([Op.REVERT, StepOutcome.done, 0]);
    expect(await lastSteps("32 0 MLOAD 5 ADD REVERT")).toEqual([Op.REVERT, StepOutcome.done, 3]);
    expect(await lastSteps("32 4 1 SHL REVERT")).toEqual([Op.REVERT, StepOutcome.done, 6]);
  });

  it("that is jumped over silences nothing", async () => {
    const heard = async (words: string): Promise<number[]> => {
      const sink = new CollectingSink({ steps: "recorded" });
      await runTarget("prague", assemble(words), { sink });
      return sink.steps.map(({ opcode }) => opcode).slice(-3);
    };
    const heardBehind = [Op.JUMPDEST, Op.PC, Op.STOP];
    expect(await heard(`1 ${HUGE} @over JUMP REVERT over: PC STOP`)).toEqual(heardBehind);
    expect(await heard(`1 ${HUGE} 1 @over JUMPI REVERT over: PC STOP`)).toEqual(heardBehind);
    expect(await lastSteps(`1 ${HUGE} 0 @over JUMPI REVERT over: PC STOP`)).toEqual([
      Op.REVERT,
      StepOutcome.outOfGas,
      0,
    ]);
  });

  it("without its operands is told of", async () => {
    expect(await lastSteps("1 REVERT")).toEqual([Op.REVERT, StepOutcome.stackError, 0]);
    expect(await lastSteps("REVERT")).toEqual([Op.REVERT, StepOutcome.stackError, 0]);
  });

  it("that is a frame's first operation is told of with the refund so far", async () => {
    const accounts = [{ address: A, nonce: 1n, code: assemble("REVERT") }];
    const code = assemble(`1 1 SSTORE 0 1 SSTORE ${calling("CALL", A, 0n)}`);
    const sink = new CollectingSink({ frames: "all", steps: "recorded" });
    await runTarget("prague", code, { accounts, message: { gasLimit: 10_000_000n }, sink });
    const refunds = sink.steps.filter(({ opcode }) => opcode === Op.REVERT).map(({ refund }) => refund);
    expect(refunds).toEqual([19_900]);
  });

  it("leaves the operation before it without its result, where that is neither known nor kept", async () => {
    const sink = new CollectingSink({ steps: "recorded" });
    await runTarget("prague", assemble("32 4 1 SHL REVERT"), { sink });
    expect(sink.steps.map(({ opcode, word }) => [opcode, word]).at(-2)).toEqual([Op.SHL, undefined]);
  });
});
