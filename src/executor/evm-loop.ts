/**
 * The run loop: one frame, and those it calls.
 *
 * EthereumJS awaits every opcode, plain or not. Here a synchronous inner loop runs plain opcodes until one calls or
 * creates, or needs EthereumJS' own handlers, or the clock is due; only for the last two a frame waits. Called frames do
 * not nest in JavaScript: the loop goes on with the called frame, and with its caller's after its end.
 */
import { EVMError } from "@ethereumjs/evm";
import { runBridgedOpcode } from "./evm-bridge.ts";
import { beginCall, endCall } from "./evm-call.ts";
import { beginCreation } from "./evm-create.ts";
import { isEvmError } from "./evm-errors.ts";
import { type Frame, halt } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import { causeOfPrice, endFailedStep, markStep, recordImpliedStop, refuseUnpaid } from "./evm-steps.ts";
import type { OldEventSink } from "./old-events.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

const texts = EVMError.errorMessages;

/** Ends that come before an opcode runs, so that the program counter still stands on it. */
const UNDISPATCHED: ReadonlySet<string> = new Set([
  texts.INVALID_OPCODE,
  texts.STACK_UNDERFLOW,
  texts.STACK_OVERFLOW,
  texts.OUT_OF_GAS,
  texts.INITCODE_SIZE_VIOLATION,
]);

/**
 * Runs a frame to its end, and all frames it calls.
 *
 * @returns the error that ended it; undefined after STOP, RETURN, SELFDESTRUCT and the end of the code
 */
export async function runFrames(first: Frame, host: FrameHost): Promise<EVMError | undefined> {
  const { clock, steps } = host;
  let frame = first;
  for (;;) {
    let error: EVMError | undefined;
    try {
      const entry = steps === undefined ? runPlainOpcodes(frame, host) : recordPlainOpcodes(frame, host, steps);
      if (clock.budget < 0) {
        const turn = clock.check();
        if (turn !== undefined) await turn;
      }
      if (entry !== undefined) {
        const next = beginCall(frame, host, entry) ?? beginCreation(frame, host, entry);
        if (next === undefined) await runBridgedOpcode(frame, host, entry);
        else frame = next instanceof Promise ? await next : next;
        continue;
      }
      if (frame.pc < frame.program.code.length) continue;
      noteEnd(frame, host);
    } catch (thrown) {
      error = errorOf(frame, host, thrown);
    }
    // Results are made of the gas left in the run state, also after REVERT.
    frame.release();
    const { call } = frame;
    if (call?.caller === undefined) return error;
    frame = endCall(call.caller, call, host, host.closeFrame(frame, error));
  }
}

/** A frame has come to the end of its code or stopped. */
function noteEnd(frame: Frame, host: FrameHost): void {
  if (!frame.hasStopped) recordImpliedStop(frame, host);
  else if (frame.env.isCreate) host.noteInitCodeEnd(frame);
}

/** The error that ended a frame; none after SELFDESTRUCT. Whatever is not the frame's own business is thrown on. */
function errorOf(frame: Frame, host: FrameHost, thrown: unknown): EVMError | undefined {
  if (!isEvmError(thrown)) throw thrown;
  if (thrown.error === texts.STOP) {
    if (frame.env.isCreate) host.noteInitCodeEnd(frame);
    return undefined;
  }
  if (UNDISPATCHED.has(thrown.error)) host.noteFailure(frame);
  return thrown;
}

/**
 * Runs plain opcodes. Stops before one that is bridged or may not run, which it returns; or, returning nothing, at the
 * end of the code or when the clock is due.
 */
function runPlainOpcodes(frame: Frame, host: FrameHost): OpcodeEntry | undefined {
  const { code } = frame.program;
  const { table, clock } = host;
  const end = code.length;
  while (frame.pc < end && clock.budget >= 0) {
    const entry = table[code[frame.pc] as number] as OpcodeEntry;
    const { run, gas } = entry;
    if (frame.stackHeight < entry.minHeight || frame.stackHeight > entry.maxHeight || run === undefined) return entry;
    let cost = entry.fee;
    if (gas !== undefined) {
      const dynamic = gas(frame);
      if (Number.isNaN(dynamic)) return entry;
      cost += dynamic;
      clock.budget -= dynamic * entry.workPerGas;
    }
    clock.budget -= entry.work;
    if (cost > frame.gas) requirePayable(frame, cost, undefined);
    frame.gas -= cost;
    frame.pc++;
    run(frame);
  }
  return undefined;
}

/**
 * {@link runPlainOpcodes} for a recorder of steps. A loop of its own, so that running without a recorder asks nothing for
 * its sake.
 */
function recordPlainOpcodes(frame: Frame, host: FrameHost, steps: OldEventSink): OpcodeEntry | undefined {
  const { code } = frame.program;
  const { table, clock } = host;
  const end = code.length;
  while (frame.pc < end && clock.budget >= 0) {
    const entry = table[code[frame.pc] as number] as OpcodeEntry;
    const { run, gas } = entry;
    if (frame.stackHeight < entry.minHeight || frame.stackHeight > entry.maxHeight || run === undefined) return entry;
    const { memoryBytes } = frame;
    let cost = entry.fee;
    if (gas !== undefined) {
      const dynamic = gas(frame);
      if (Number.isNaN(dynamic)) return entry;
      cost += dynamic;
      clock.budget -= dynamic * entry.workPerGas;
    }
    clock.budget -= entry.work;
    markStep(frame, entry);
    frame.stepMemoryBytes = memoryBytes;
    if (cost > frame.gas) requirePayable(frame, cost, steps);
    frame.stepCost = cost;
    steps.beginStep(frame);
    frame.gas -= cost;
    frame.pc++;
    runTold(frame, run, steps);
  }
  return undefined;
}

/** Makes `frame.gas` cover `cost` from the reserve, or ends the frame. */
function requirePayable(frame: Frame, cost: number, steps: OldEventSink | undefined): void {
  if (frame.drawReserve() && cost <= frame.gas) return;
  frame.failureCause = causeOfPrice(cost);
  if (steps !== undefined) refuseUnpaid(frame, steps, cost);
  halt(texts.OUT_OF_GAS);
}

function runTold(frame: Frame, run: (frame: Frame) => void, steps: OldEventSink): void {
  try {
    run(frame);
  } catch (error) {
    if (isEvmError(error)) endFailedStep(frame, steps, error.error);
    throw error;
  }
  steps.endStep(frame);
}
