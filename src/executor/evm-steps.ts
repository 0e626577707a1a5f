/** What a recorder of steps is told by the run loop, beyond the plain begin and end of a step. */
import { EVMError } from "@ethereumjs/evm";
import { type OpcodeFailure, StepOutcome } from "../evm/frames.ts";
import { Op } from "../evm/opcodes.ts";
import type { Frame } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import type { OldEventSink } from "./old-events.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

const texts = EVMError.errorMessages;

/**
 * Prices from here on overflow 64 bits in geth's reckoning: 2^32 words of memory, where it stops computing, cost 2^55.
 */
const UNCOMPUTABLE_PRICE = 2 ** 55;
/** Price of a region of memory that reaches 2^64 and cannot even be named in 64 bits. */
const UNNAMEABLE_PRICE = 2 ** 109 * 0.999;

/** Why a price cannot be paid, where that is not for want of gas alone. */
export function causeOfPrice(cost: number): OpcodeFailure["cause"] {
  if (cost < UNCOMPUTABLE_PRICE) return undefined;
  return cost < UNNAMEABLE_PRICE ? "gasOverflow" : "memoryOverflow";
}

/** Notes where a step stands, before anything of it happens. */
export function markStep(frame: Frame, entry: OpcodeEntry): void {
  frame.stepOpcode = entry.opcode;
  frame.stepCost = entry.fee;
  frame.stepForwarded = 0;
  frame.stepMemoryBytes = frame.memoryBytes;
}

/** Code that runs out ends with a STOP that is not in it: beyond the end, code reads zero (yellow paper §9.4.4). */
export function recordImpliedStop(frame: Frame, { steps, table }: FrameHost): void {
  if (steps === undefined || frame.program.code.length === 0) return;
  markStep(frame, table[Op.STOP] as OpcodeEntry);
  steps.beginStep(frame);
  steps.endStep(frame);
}

/** A step whose price is known and too high. */
export function refuseUnpaid(frame: Frame, steps: OldEventSink, cost: number): void {
  const isComputable = cost < UNCOMPUTABLE_PRICE;
  if (isComputable) frame.stepCost = cost;
  steps.refuseStep(frame, isComputable ? StepOutcome.outOfGas : StepOutcome.uncomputable);
}

/** Ends a step that threw. STOP, RETURN, REVERT and SELFDESTRUCT throw as well, and ran all the same. */
export function endFailedStep(frame: Frame, steps: OldEventSink, text: string): void {
  if (text === texts.STOP || text === texts.REVERT) steps.endStep(frame);
  else steps.failStep(frame, text.startsWith(texts.INVALID_JUMP) ? StepOutcome.badJump : StepOutcome.failed);
}
