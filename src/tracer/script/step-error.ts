/** geth's text for a step that failed, known while it fails: before its frame has ended with an error. */
import { type FrameError, type LiveStep, StepOutcome } from "../events.ts";
import { gethErrorText } from "../formats/geth-errors.ts";
import { initCodeSize, Op, opcodeShape } from "../opcodes.ts";

/** @param isStatic - the frame may not change the state */
export function stepErrorText(live: LiveStep, outcome: StepOutcome, isStatic: boolean): string {
  const { stepOpcode: opcode, stack, stackHeight } = live;
  const cause = outcome === StepOutcome.uncomputable ? causeOf(opcode) : undefined;
  return gethErrorText(errorOf(live, outcome, isStatic), {
    opcode,
    stackHeight,
    cause,
    initCodeSize: initCodeSize(opcode, stack, stackHeight),
  });
}

function errorOf({ stepOpcode, stackHeight }: LiveStep, outcome: StepOutcome, isStatic: boolean): FrameError {
  switch (outcome) {
    case StepOutcome.outOfGas:
    case StepOutcome.uncomputable:
      return "outOfGas";
    case StepOutcome.badJump:
      return "invalidJump";
    case StepOutcome.undefinedOpcode:
      return "invalidOpcode";
    case StepOutcome.stackError:
      return stackHeight < opcodeShape(stepOpcode).pops ? "stackUnderflow" : "stackOverflow";
    default:
      if (stepOpcode === Op.RETURNDATACOPY) return "outOfBounds";
      return isStatic ? "staticStateChange" : "initCodeSizeExceeded";
  }
}

function causeOf(opcode: number): "reentrancySentry" | "gasOverflow" {
  return opcode === Op.SSTORE ? "reentrancySentry" : "gasOverflow";
}
