/**
 * Opcodes that run through EthereumJS' handlers: state, calls, creations, logs. And every opcode that may not run at all.
 */
import { EVMError } from "@ethereumjs/evm";
import { StepOutcome } from "../evm/frames.ts";
import { Op, startsFrame } from "../evm/opcodes.ts";
import { hasTooMuchInitCode } from "./bridged-creates.ts";
import { isEvmError } from "./evm-errors.ts";
import { type Frame, halt } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import { causeOfPrice, endFailedStep, markStep, refuseUnpaid } from "./evm-steps.ts";
import type { OldEventSink } from "./old-events.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

const texts = EVMError.errorMessages;

/** More gas than any price, for pricing an opcode that could not be paid. */
const UNLIMITED_GAS = 1n << 600n;
const MAX_GAS = 1n << 64n;

/** Runs one bridged opcode, waiting for it. */
export async function runBridgedOpcode(frame: Frame, host: FrameHost, entry: OpcodeEntry): Promise<void> {
  const { state } = frame;
  const { steps, observer } = host;
  if (steps !== undefined) markStep(frame, entry);
  observer?.attempt(frame, entry.opcode);
  requireDispatchable(frame, entry, steps);
  host.clock.budget -= entry.work;
  frame.release();
  state.opCode = entry.opcode;
  await charge(frame, host, entry);
  state.programCounter++;
  frame.reclaimMemory();
  frame.allocateMemory();
  try {
    observer?.before(frame, entry.opcode);
    const pending = entry.bridged.opHandler(state, host.common);
    if (pending !== undefined) await pending;
  } catch (error) {
    if (isEvmError(error)) {
      frame.reclaim();
      if (error.error === texts.STOP) observer?.after(frame, entry.opcode);
      if (steps !== undefined) endFailedStep(frame, steps, error.error);
    }
    throw error;
  }
  frame.reclaim();
  observer?.after(frame, entry.opcode);
  steps?.endStep(frame);
}

/** Ends the frame on an undefined opcode or a stack that does not fit. */
function requireDispatchable(frame: Frame, entry: OpcodeEntry, steps: OldEventSink | undefined): void {
  if (entry.isInvalid) {
    steps?.refuseStep(frame, StepOutcome.undefinedOpcode);
    halt(texts.INVALID_OPCODE);
  }
  const isShort = frame.stackHeight < entry.minHeight;
  if (!isShort && frame.stackHeight <= entry.maxHeight) return;
  steps?.refuseStep(frame, StepOutcome.stackError);
  halt(isShort ? texts.STACK_UNDERFLOW : texts.STACK_OVERFLOW);
}

/** Charges the opcode, and begins its step for a recorder. */
async function charge(frame: Frame, host: FrameHost, entry: OpcodeEntry): Promise<void> {
  const { state } = frame;
  const { steps } = host;
  const cost = await priceOf(frame, host, entry);
  if (cost > state.gasLeft) {
    frame.failureCause = causeOfPrice(Number(cost));
    if (steps !== undefined) refuseUnpaid(frame, steps, Number(cost));
    halt(texts.OUT_OF_GAS);
  }
  if (steps !== undefined) {
    frame.stepCost = Number(cost);
    if (startsFrame(entry.opcode)) frame.stepForwarded = Number(state.messageGasLimit ?? 0n);
  }
  if (isCreation(entry.opcode) && hasTooMuchInitCode(state, host.common)) {
    steps?.refuseStep(frame, StepOutcome.failed);
    halt(texts.INITCODE_SIZE_VIOLATION);
  }
  steps?.beginStep(frame);
  state.gasLeft -= cost;
}

/** The opcode's price by EthereumJS' gas handler, which refuses some opcodes itself. */
async function priceOf(frame: Frame, host: FrameHost, entry: OpcodeEntry): Promise<bigint> {
  const { opcodeInfo, gasHandler } = entry.bridged;
  if (!opcodeInfo.dynamicGas || gasHandler === undefined) return opcodeInfo.feeBigInt;
  const accessesBefore = host.accesses.position;
  try {
    const answer = gasHandler(frame.state, opcodeInfo.feeBigInt, host.common);
    return typeof answer === "bigint" ? answer : await answer;
  } catch (error) {
    if (!isEvmError(error)) throw error;
    await explainRefusal(frame, host, entry, accessesBefore);
    throw error;
  }
}

const isCreation = (opcode: number): boolean => opcode === Op.CREATE || opcode === Op.CREATE2;

/**
 * Finds out, for error texts and recorders, what an opcode would have cost that its gas handler refused without naming a
 * price: a call that cannot be paid, a change of state in a static frame.
 *
 * Prices it anew as if there were gas enough and state could be changed. Since the frame is lost, nothing that this
 * accesses or refunds stays.
 *
 * @throws {EVMError} out of gas, for what a static frame could not have paid either
 */
async function explainRefusal(frame: Frame, host: FrameHost, entry: OpcodeEntry, position: number): Promise<void> {
  const { state } = frame;
  const { gasLeft, env } = state;
  const { steps } = host;
  const wasStatic = env.isStatic;
  if (entry.opcode === Op.SSTORE && !wasStatic) {
    frame.failureCause = "reentrancySentry";
    steps?.refuseStep(frame, StepOutcome.uncomputable);
    return;
  }
  host.accesses.undoTo(position);
  // Memory was grown before the refusal; recall() gives its size from before.
  frame.recall();
  state.gasLeft = UNLIMITED_GAS;
  env.isStatic = false;
  const { feeBigInt } = entry.bridged.opcodeInfo;
  const cost = (await entry.bridged.gasHandler?.(state, feeBigInt, host.common)) ?? feeBigInt;
  state.gasLeft = gasLeft;
  env.isStatic = wasStatic;
  const isStaticChange = wasStatic && cost <= gasLeft;
  if (!isStaticChange) frame.failureCause = causeOfPrice(Number(cost)) ?? (wasStatic ? "staticFrame" : undefined);
  if (steps !== undefined) refuseAtPrice(frame, steps, cost, isStaticChange);
  // Gas comes first: what cannot be paid is not asked whether it changes state.
  if (!isStaticChange) halt(texts.OUT_OF_GAS);
}

/** Records the refused opcode at the price it would have had. */
function refuseAtPrice(frame: Frame, steps: OldEventSink, cost: bigint, isStaticChange: boolean): void {
  if (isStaticChange) {
    frame.stepCost = Number(cost);
    steps.refuseStep(frame, StepOutcome.failed);
    return;
  }
  // What the child was to be given counts towards the would-be cost, if it can be named at all.
  const namesGas = startsFrame(frame.stepOpcode) && !isCreation(frame.stepOpcode);
  const requested = namesGas ? (frame.state.messageGasLimit ?? 0n) : 0n;
  if (requested < MAX_GAS) frame.stepForwarded = Number(requested);
  refuseUnpaid(frame, steps, requested < MAX_GAS ? Number(cost) : Number.POSITIVE_INFINITY);
}
