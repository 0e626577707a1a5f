/**
 * The run loop of one frame.
 *
 * EthereumJS awaits every opcode, plain or not. Here a synchronous inner loop runs plain opcodes until one needs
 * EthereumJS' own handlers (state, calls), or the clock is due; only then does the frame wait.
 */
import { EVMError } from "@ethereumjs/evm";
import { type EventSink, StepOutcome } from "../tracer/events.ts";
import { Op, startsFrame } from "../tracer/opcodes.ts";
import type { ExecutionClock } from "./evm-clock.ts";
import { isEvmError, OUT_OF_BOUNDS } from "./evm-errors.ts";
import { type Frame, halt } from "./evm-frame.ts";
import type { Common } from "./evm-types.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

const texts = EVMError.errorMessages;

/** What surrounds a frame: the rules, the clock and whoever watches. */
export interface FrameHost {
  readonly common: Common;
  readonly table: readonly OpcodeEntry[];
  readonly clock: ExecutionClock;
  /** Present only while something is recorded. */
  readonly observer: FrameObserver | undefined;
  readonly steps: EventSink | undefined;
}

/** Sees bridged opcodes around their execution. */
export interface FrameObserver {
  before(frame: Frame, opcode: number): void;
  after(frame: Frame, opcode: number): void;
}

/** Runs a frame to its end. Returns when the code ran out; every other end is a thrown EVMError, STOP included. */
export async function runFrame(frame: Frame, host: FrameHost): Promise<void> {
  try {
    await runOpcodes(frame, host);
  } finally {
    // EthereumJS reads the gas left from the run state, also after STOP and REVERT.
    frame.release();
  }
}

async function runOpcodes(frame: Frame, host: FrameHost): Promise<void> {
  for (;;) {
    const entry = runPlainOpcodes(frame, host);
    if (host.clock.budget < 0) {
      const turn = host.clock.check();
      if (turn !== undefined) await turn;
    }
    if (entry === undefined) {
      if (frame.pc < frame.program.code.length) continue;
      return;
    }
    await runBridgedOpcode(frame, host, entry);
  }
}

/**
 * Runs plain opcodes. Stops before a bridged opcode, which it returns; or, returning nothing, at the end of the code or
 * when the clock is due.
 */
function runPlainOpcodes(frame: Frame, host: FrameHost): OpcodeEntry | undefined {
  const { code } = frame.program;
  const { table, clock, steps } = host;
  const end = code.length;
  while (frame.pc < end && clock.budget >= 0) {
    const entry = table[code[frame.pc] as number] as OpcodeEntry;
    const { run, gas } = entry;
    if (frame.stackHeight < entry.minHeight || frame.stackHeight > entry.maxHeight || run === undefined) return entry;
    if (steps !== undefined) markStep(frame, entry);
    let cost = entry.fee;
    if (gas !== undefined) {
      const dynamic = gas(frame);
      cost += dynamic;
      clock.budget -= dynamic * entry.workPerGas;
    }
    clock.budget -= entry.work;
    if (cost > frame.gas) payFromReserve(frame, cost, steps);
    frame.gas -= cost;
    if (steps === undefined) {
      frame.pc++;
      run(frame);
    } else {
      frame.stepCost = cost;
      runRecorded(frame, run, steps);
    }
  }
  return undefined;
}

function runRecorded(frame: Frame, run: (frame: Frame) => void, steps: EventSink): void {
  steps.beginStep(frame);
  frame.pc++;
  try {
    run(frame);
  } catch (error) {
    endFailedStep(frame, steps, error);
    throw error;
  }
  steps.endStep(frame);
}

function markStep(frame: Frame, entry: OpcodeEntry): void {
  frame.stepPc = frame.pc;
  frame.stepOpcode = entry.opcode;
  frame.stepGas = frame.gas;
  frame.stepCost = entry.fee;
  frame.stepForwarded = 0;
  frame.stepMemoryBytes = frame.memoryBytes;
}

/** Makes `frame.gas` cover `cost`, or ends the frame. */
function payFromReserve(frame: Frame, cost: number, steps: EventSink | undefined): void {
  if (cost <= 2 ** 52 && frame.drawReserve()) return;
  if (steps !== undefined) {
    frame.stepCost = Number.isFinite(cost) ? cost : frame.stepCost;
    steps.refuseStep(frame, Number.isFinite(cost) ? StepOutcome.outOfGas : StepOutcome.uncomputable);
  }
  halt(texts.OUT_OF_GAS);
}

/** STOP, RETURN, REVERT and SELFDESTRUCT end by throwing, and ran all the same. */
function endFailedStep(frame: Frame, steps: EventSink, error: unknown): void {
  if (!isEvmError(error)) return;
  const text: string = error.error;
  if (text === texts.STOP || text === texts.REVERT) steps.endStep(frame);
  else steps.failStep(frame, text.startsWith(texts.INVALID_JUMP) ? StepOutcome.badJump : StepOutcome.failed);
}

/** One opcode through EthereumJS' handlers, and every opcode that may not run at all. */
async function runBridgedOpcode(frame: Frame, host: FrameHost, entry: OpcodeEntry): Promise<void> {
  const { steps, observer, common } = host;
  const { state } = frame;
  if (steps !== undefined) markStep(frame, entry);
  requireDispatchable(frame, entry, steps);
  host.clock.budget -= entry.work;
  frame.release();
  state.opCode = entry.opcode;
  const cost = await chargeBridged(frame, host, entry);
  if (steps !== undefined) {
    frame.stepCost = Number(cost);
    frame.gas = Number(state.gasLeft);
    frame.stepForwarded = startsFrame(entry.opcode) ? Number(state.messageGasLimit ?? 0n) : 0;
    steps.beginStep(frame);
  }
  state.programCounter++;
  frame.allocateMemory();
  try {
    observer?.before(frame, entry.opcode);
    const pending = entry.bridged.opHandler(state, common);
    if (pending !== undefined) await pending;
  } catch (error) {
    if (isEvmError(error)) {
      frame.reclaim();
      if (error.error === texts.STOP) observer?.after(frame, entry.opcode);
      if (steps !== undefined) endFailedStep(frame, steps, error);
    }
    throw error;
  }
  frame.reclaim();
  observer?.after(frame, entry.opcode);
  steps?.endStep(frame);
}

/** Ends the frame on an undefined opcode or a stack that does not fit. */
function requireDispatchable(frame: Frame, entry: OpcodeEntry, steps: EventSink | undefined): void {
  if (entry.isInvalid) {
    steps?.refuseStep(frame, StepOutcome.undefinedOpcode);
    halt(texts.INVALID_OPCODE);
  }
  const isShort = frame.stackHeight < entry.minHeight;
  if (!isShort && frame.stackHeight <= entry.maxHeight) return;
  steps?.refuseStep(frame, StepOutcome.stackError);
  halt(isShort ? texts.STACK_UNDERFLOW : texts.STACK_OVERFLOW);
}

/** Charges a bridged opcode and returns its total cost. */
async function chargeBridged(frame: Frame, { common, steps }: FrameHost, entry: OpcodeEntry): Promise<bigint> {
  const { state } = frame;
  const { opcodeInfo, gasHandler } = entry.bridged;
  let cost = opcodeInfo.feeBigInt;
  if (opcodeInfo.dynamicGas && gasHandler !== undefined) {
    requireReturnData(frame, entry, steps);
    const answer = gasHandler(state, cost, common);
    try {
      cost = typeof answer === "bigint" ? answer : await answer;
    } catch (error) {
      if (steps !== undefined && isEvmError(error)) await refuseUnpriced(frame, common, entry, steps);
      throw error;
    }
  }
  if (cost > state.gasLeft) {
    if (steps !== undefined) {
      frame.stepCost = Number(cost);
      steps.refuseStep(frame, StepOutcome.outOfGas);
    }
    halt(texts.OUT_OF_GAS);
  }
  state.gasLeft -= cost;
  return cost;
}

/** RETURNDATACOPY past the buffer: EthereumJS calls it out of gas, the formats tell the two apart. */
function requireReturnData(frame: Frame, entry: OpcodeEntry, steps: EventSink | undefined): void {
  if (entry.opcode !== Op.RETURNDATACOPY) return;
  const { stack, stackHeight, state } = frame;
  const end = (stack[stackHeight - 2] as bigint) + (stack[stackHeight - 3] as bigint);
  if (end <= BigInt(state.returnBytes.length)) return;
  steps?.refuseStep(frame, StepOutcome.failed);
  halt(OUT_OF_BOUNDS);
}

/** Records an opcode whose gas handler itself refused: no cost has come out of it. */
async function refuseUnpriced(frame: Frame, _common: Common, entry: OpcodeEntry, steps: EventSink): Promise<void> {
  const isSentry = entry.opcode === Op.SSTORE;
  steps.refuseStep(frame, isSentry ? StepOutcome.uncomputable : StepOutcome.outOfGas);
}
