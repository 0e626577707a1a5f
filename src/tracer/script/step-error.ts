/** geth's text for a step that fails, before the error of its frame is known. */
import type { LiveStep } from "../../evm/event-sink.ts";
import { type FrameError, StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { Op, startsCreation } from "../../evm/opcodes.ts";
import { gethErrorText } from "../formats/geth-errors.ts";

/** @param isStatic - the frame must not change the state */
export function stepErrorText(live: LiveStep, outcome: StepOutcome, isStatic: boolean): string {
  const { opcode, stackHeight } = live;
  const cause = outcome === StepOutcome.uncomputable ? causeOf(opcode) : undefined;
  const initCodeSize = startsCreation(opcode) ? live.stackItem(2) : undefined;
  return gethErrorText(errorOf(live, outcome, isStatic), { opcode, stackHeight, cause, initCodeSize });
}

function errorOf({ opcode, stackHeight }: LiveStep, outcome: StepOutcome, isStatic: boolean): FrameError {
  switch (outcome) {
    case StepOutcome.outOfGas:
    case StepOutcome.uncomputable:
      return "outOfGas";
    case StepOutcome.badJump:
      return "invalidJump";
    case StepOutcome.undefinedOpcode:
      return "invalidOpcode";
    case StepOutcome.stackError:
      return stackHeight < instructionOf(opcode).pops ? "stackUnderflow" : "stackOverflow";
    default:
      if (opcode === Op.RETURNDATACOPY) return "outOfBounds";
      return isStatic ? "staticStateChange" : "initCodeSizeExceeded";
  }
}

function causeOf(opcode: number): "reentrancySentry" | "gasOverflow" {
  return opcode === Op.SSTORE ? "reentrancySentry" : "gasOverflow";
}
