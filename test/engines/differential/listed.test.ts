/** The excuses for what docs/engines.md lists excuse nothing else. */
import { describe, expect, it } from "vitest";
import { StepOutcome } from "../../../src/evm/frames.ts";
import { Op } from "../../../src/evm/opcodes.ts";
import { STEP_BYTES, STEP_WORDS, StepBuffer, StepByte, StepWord } from "../../../src/evm/step-buffer.ts";
import type { TransactionOutcome } from "../../../src/executor/run-transaction.ts";
import type { Recording } from "../../../src/tracer/recording.ts";
import { assemble } from "../../support/assembler.ts";
import { runCode } from "../../support/evm.ts";
import { type Made, withListedMembers } from "./listed.ts";

/** The result of our engine for a program at TARGET. */
async function made(program: string, gasLimit = 100_000n): Promise<Made> {
  const { result, recorder } = await runCode({ code: assemble(program), message: { gasLimit } });
  const rest = {
    gasUsedBeforeRefund: 0n,
    intrinsicGas: 0n,
    gasRefund: 0n,
    executionGasUsed: 0n,
    contractAddress: undefined,
    effectiveGasPrice: 0n,
    blockGas: 0n,
    dimensions: undefined,
  };
  return { outcome: { ...result, ...rest } satisfies TransactionOutcome, recording: recorder };
}

/** The same with the last step of an opcode changed. */
function withStep(
  { outcome, recording }: Made,
  opcode: number,
  change: (steps: StepBuffer, row: number) => void,
): Made {
  const [buffer] = [...(recording.steps ?? [])];
  if (buffer === undefined || buffer instanceof Promise) throw new TypeError("withStep: no steps");
  const steps = new StepBuffer(buffer.first, buffer.bytes.slice(), buffer.writes);
  for (let row = steps.length - 1; row >= 0; row--) {
    if (steps.opcode(row) !== opcode) continue;
    change(steps, row);
    break;
  }
  return { outcome, recording: { frames: recording.frames, steps: [steps], accesses: recording.accesses } };
}

const setCost = (steps: StepBuffer, row: number): void => {
  steps.words[row * STEP_WORDS + StepWord.cost] = 77;
};
const dropWord = (steps: StepBuffer, row: number): void => {
  steps.bytes[row * STEP_BYTES + StepByte.flags] = 0;
};

const firstBuffer = ({ steps }: Recording): Uint8Array => {
  const [buffer] = [...(steps ?? [])];
  if (buffer === undefined || buffer instanceof Promise) throw new TypeError("firstBuffer: no steps");
  return buffer.bytes;
};

const listedFor = (own: Made, other: Made): readonly [string[], boolean] => {
  const { listed, recording } = withListedMembers(own, other);
  return [[...listed], Buffer.compare(firstBuffer(recording), firstBuffer(own.recording)) === 0];
};

describe("a listed difference", () => {
  it("is the price of a call that was refused, and of no other operation", async () => {
    const refused = await made("0 0 0 0 0 0xcccc GAS CALL", 700n);
    expect(listedFor(refused, withStep(refused, Op.CALL, setCost))).toEqual([["price of a refused operation"], true]);
    expect(listedFor(refused, withStep(refused, Op.GAS, setCost))[1]).toBe(false);
    const ran = await made("0 0 0 0 0 0xcccc GAS CALL STOP");
    expect(listedFor(ran, withStep(ran, Op.CALL, setCost))).toEqual([[], false]);
    const unpaid = await made("0xcccc BALANCE", 700n);
    expect(listedFor(unpaid, withStep(unpaid, Op.BALANCE, setCost))).toEqual([[], false]);
  });

  it("is the offset that an ADD leaves for a REVERT, and for no other operation", async () => {
    const reverted = await made("32 1 2 ADD REVERT");
    expect(listedFor(reverted, withStep(reverted, Op.ADD, dropWord))).toEqual([["REVERT that is not heard"], true]);
    const returned = await made("32 1 2 ADD RETURN");
    expect(listedFor(returned, withStep(returned, Op.ADD, dropWord))).toEqual([[], false]);
    const pushed = await made("32 3 REVERT");
    expect(listedFor(pushed, withStep(pushed, Op.PUSH1, dropWord))).toEqual([[], false]);
  });

  it("is not that an operation did not fail", async () => {
    const failed = await made("0 0 0 0 0 0xcccc GAS CALL", 700n);
    const isDone = withStep(failed, Op.CALL, (steps, row) => {
      steps.bytes[row * STEP_BYTES + StepByte.outcome] = StepOutcome.done;
    });
    expect(listedFor(failed, isDone)).toEqual([[], false]);
  });

  it("is why a precompile failed, and not that it did", async () => {
    const own = await made("STOP");
    const failing = (error: "precompileFailed" | "reverted", fault?: "inputLength"): Made => ({
      recording: own.recording,
      outcome: { ...own.outcome, error, detail: fault && { fault } },
    });
    const kept = withListedMembers(failing("precompileFailed", "inputLength"), failing("precompileFailed")).outcome;
    expect(kept.detail).toEqual({ fault: "inputLength" });
    expect(withListedMembers(failing("precompileFailed"), failing("reverted")).outcome.error).toBe("reverted");
  });
});
