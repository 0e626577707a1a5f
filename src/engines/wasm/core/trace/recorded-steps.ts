// Records steps in the format of evm/step-buffer.ts. They are buffered like events.

import { Instruction, instructionOf, Kind, Opcode, Outcome, Step } from "../facts.generated";
import { ByteBuffer } from "../machine/byte-buffer";
import { Frame } from "../machine/frame";
import { TRACE_MEMORY, TRACE_STEPS } from "../machine/layout";
import { burn } from "../machine/machine";
import { memorySize, memoryStart } from "../machine/memory";
import { refund } from "../state/substate";
import { Stack } from "../words/stack";
import { Word } from "../words/word";
import { beginEvents, tellAccount, tellSlot } from "./events";
import { beginRecording, countStep, stepTotal, wants } from "./recording";

const STEP_BYTES: usize = offsetof<Step>();
const STEP_CAPACITY: u32 = 4096;
/** The host must read the buffered steps when they have written this many bytes to memory. */
const MANY_WRITES: u32 = 1048576;

/** The recorded steps, and the bytes that they wrote to memory. */
export const steps: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));
export const writes: ByteBuffer = changetype<ByteBuffer>(memory.data(offsetof<ByteBuffer>(), 16));

/** Begins the recording of a transaction. */
export function beginTrace(what: u32): void {
  beginRecording(what);
  beginEvents();
  clearSteps();
  if (wants(TRACE_STEPS)) steps.makeRoom(<usize>STEP_CAPACITY * STEP_BYTES);
}

/** Empties the buffers. The host calls it after it has read the steps. */
export function clearSteps(): void {
  steps.clear();
  writes.clear();
}

/** True if the host must read the steps before the next one. */
export function isFull(): bool {
  return steps.length == STEP_CAPACITY * <u32>STEP_BYTES || writes.length > MANY_WRITES;
}

/** A step in the buffer: the last one has the number {@link stepTotal}. @inline */
function stepOf(number: u32): Step {
  return changetype<Step>(steps.at + steps.length - <usize>(stepTotal - number + 1) * STEP_BYTES);
}

/** Records a step of the running frame before it runs. */
export function recordStep(
  frame: Frame,
  opcode: u32,
  pc: u32,
  gas: i64,
  cost: u64,
  forwarded: u64,
  refundThen: i64,
): Step {
  const step = changetype<Step>(steps.add(STEP_BYTES));
  memory.fill(changetype<usize>(step), 0, STEP_BYTES);
  step.pc = pc;
  step.opcode = <u8>opcode;
  step.frame = frame.number;
  step.memoryBytes = memorySize;
  step.gas = gas;
  step.cost = cost;
  step.forwarded = forwarded;
  step.refund = refundThen;
  countStep();
  return step;
}

/**
 * Adds the account cost of a creation to the last step. It is known only after the new address is computed (EIP-8037).
 *
 * @param isPaid - false if the gas did not suffice
 */
export function amendStep(cost: i64, forwarded: i64, isPaid: bool): void {
  if (!wants(TRACE_STEPS) || steps.length == 0) return;
  const step = stepOf(stepTotal);
  step.cost += cost;
  step.forwarded = forwarded;
  if (!isPaid) step.outcome = <u8>Outcome.OUT_OF_GAS;
}

/** Keeps a step open until its result is known. Calls and creations have no recorded result. */
export function openStep(frame: Frame, step: Step, opcode: u32, stack: Stack): void {
  const instruction = instructionOf(opcode);
  if (instruction.kind == Kind.OPENS) return;
  frame.openStep = stepTotal;
  if (wants(TRACE_MEMORY) && instruction.writeOffset != 0) noteRegion(step, instruction, stack);
}

/**
 * Records the memory region that a step will write, while its operands are on the stack. A paid region fits in 32 bits.
 */
function noteRegion(step: Step, instruction: Instruction, stack: Stack): void {
  const operand = instruction.writeLength;
  const length = operand == 0 ? instruction.writeBytes : <u32>operandAt(stack, operand).saturated;
  step.writeLength = length;
  if (length != 0) step.writeOffset = operandAt(stack, instruction.writeOffset).lowest32;
}

/** The word of an operand. @param number - from 1 at the top of the stack @inline */
function operandAt(stack: Stack, number: u8): Word {
  return stack.item(number);
}

/** Takes the open step from a frame; null if it has none. */
function takeOpenStep(frame: Frame): Step | null {
  const number = frame.openStep;
  frame.openStep = 0;
  return number == 0 ? null : stepOf(number);
}

/** Completes the open step of a frame, if there is one, after its instruction succeeded. */
export function completeStep(frame: Frame, stack: Stack): void {
  const step = takeOpenStep(frame);
  if (step == null) return;
  // Instructions such as SWAP1 and DUP1 leave more than one item. No result is recorded for them.
  if (instructionOf(step.opcode).pushes == 1) {
    const result = changetype<Word>(changetype<usize>(step) + offsetof<Step>("word0"));
    result.set(stack.top);
    step.flags = 1;
  }
  if (step.opcode == Opcode.SELFDESTRUCT) step.refund = refund;
  const length = step.writeLength;
  if (length == 0) return;
  step.writeStart = writes.length;
  memory.copy(writes.add(length), memoryStart + step.writeOffset, length);
  burn(length);
}

/** Ends the open step of a frame, if there is one, after its instruction failed. */
export function failStep(frame: Frame, outcome: u32): void {
  const step = takeOpenStep(frame);
  if (step == null) return;
  step.outcome = <u8>outcome;
  step.writeLength = 0;
  step.writeOffset = 0;
}

/** Reports the account or slot that an instruction accesses, if any. */
export function tellAccess(frame: Frame, opcode: u32, stack: Stack): void {
  const instruction = instructionOf(opcode);
  if (instruction.slot != 0) tellSlot(frame.address, operandAt(stack, instruction.slot));
  if (instruction.account != 0) tellMasked(operandAt(stack, instruction.account));
}

const address: Word = changetype<Word>(memory.data(32, 16));

function tellMasked(word: Word): void {
  address.setAddress(word);
  tellAccount(address);
}
