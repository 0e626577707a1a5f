/**
 * vmTrace: every operation of every frame with what it cost, pushed and wrote (trace formats §6, OpenEthereum's rules).
 *
 * Operations are made while they are iterated, nested frames too: a trace of millions of steps is never held whole. An
 * iteration may start anew; each walks only its own frame.
 */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { isCreation, StepOutcome } from "../events.ts";
import { MEMORY_REGIONS, regionLength, regionOffset } from "../memory-regions.ts";
import { Op, opcodeShape, startsFrame } from "../opcodes.ts";
import type { CallFrame, Recording, StepTable } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import type { TraceClient } from "./flat-errors.ts";

export interface VmTrace {
  /** Code that ran; empty for accounts without code and precompiles. */
  readonly code: Bytes;
  readonly ops: Iterable<VmOperation>;
}

export interface VmOperation {
  readonly pc: number;
  /** Gas charged when dispatched, what a child frame was given included. */
  readonly cost: number;
  /** Null when the operation was dispatched but failed. */
  readonly ex: VmExecuted | null;
  /** What a call or creation ran; null where none started. */
  readonly sub: VmTrace | null;
  /** Name of the operation; not in OpenEthereum. */
  readonly op?: string;
  /** Erigon's path of operation numbers. */
  readonly idx?: string;
}

export interface VmExecuted {
  /** Misnamed by the format: gas left in the frame after the operation (before it, for reth). */
  readonly used: number;
  /** Items on top of the stack that the operation left, deepest first. */
  readonly push: readonly bigint[];
  readonly mem: { readonly off: number; readonly data: Bytes } | null;
  readonly store: { readonly key: bigint; readonly val: bigint } | null;
}

export interface VmTraceOptions {
  readonly client?: TraceClient;
  /** Start of Erigon's `idx`: the transaction's index in replays. */
  readonly idxPrefix?: string;
}

/** The trace of a whole recording; it knows what it is made of, for whoever writes it in one go. */
export class RecordedVmTrace implements VmTrace {
  readonly code: Bytes;
  readonly ops: Iterable<VmOperation>;
  readonly #recording: Recording;
  readonly #options: VmTraceOptions;

  constructor(recording: Recording, outermost: CallFrame, options: VmTraceOptions) {
    const { code, ops } = frameTrace(recording, outermost, options);
    this.code = code;
    this.ops = ops;
    this.#recording = recording;
    this.#options = options;
  }

  get recording(): Recording {
    return this.#recording;
  }

  get options(): VmTraceOptions {
    return this.#options;
  }
}

/**
 * The vmTrace of a recording made with steps and memory; undefined if nothing ran.
 *
 * @throws {TypeError} if the recording has no steps
 */
export function vmTrace(recording: Recording, options: VmTraceOptions = {}): RecordedVmTrace | undefined {
  const outermost = recording.frames[0];
  return outermost && new RecordedVmTrace(recording, outermost, options);
}

function frameTrace(recording: Recording, frame: CallFrame, options: VmTraceOptions): VmTrace {
  return {
    // reth looks codes up in the state before the transaction, where what is being created has none.
    code: options.client === "reth" && isCreation(frame.kind) ? EMPTY_BYTES : frame.code,
    ops: { [Symbol.iterator]: () => operations(recording, frame, options) },
  };
}

function* operations(recording: Recording, frame: CallFrame, options: VmTraceOptions): Generator<VmOperation> {
  const { steps } = recording;
  if (steps === undefined) throw new TypeError("vmTrace: the recording has no steps");
  const { client, idxPrefix = "" } = options;
  const machine = new FrameMachine(recording, frame);
  let number = 0;
  let step = frame.step + 1;
  while (step < frame.stepEnd) {
    // The STOP behind the end of code is geth's and reth's to show; OpenEthereum lists what is in the code (§6.2).
    if (steps.pc(step) >= frame.code.length && client !== "reth") return;
    const child = machine.childOf(step);
    const isStarted = child?.isStarted === true;
    const operands = readOperands(steps, machine, step);
    const memoryBefore = client === "reth" ? wholeMemory(steps, machine, step) : null;
    machine.apply(step);
    if (isListed(steps.outcome(step), client)) {
      const idx = client === "erigon" ? `${idxPrefix}${number++}` : undefined;
      const ran =
        client === "reth" ? rethExecuted(steps, machine, step, memoryBefore) : executed(steps, machine, step, operands);
      const ex = ran === null && client === "erigon" ? erigonFailed(steps, step) : ran;
      const isShown = client === "reth" ? child?.isPrecompile === false : isStarted;
      const sub = child && isShown ? frameTrace(recording, child, { ...options, idxPrefix: `${idx}-` }) : null;
      const pc = steps.pc(step);
      const cost = client === "reth" ? rethCost(steps, step) : steps.cost(step) + steps.forwarded(step);
      const op = opcodeShape(steps.opcode(step)).name;
      // Written out, since joining objects would take longer than everything else here.
      if (client === "openethereum") yield { pc, cost, ex, sub };
      else if (idx === undefined) yield { pc, cost, ex, sub, op };
      else yield { pc, cost, ex, sub, op, idx };
    }
    step = isStarted ? child.stepEnd : step + 1;
  }
}

/** Operations that were never dispatched are not listed, except by reth and Erigon. */
function isListed(outcome: StepOutcome, client: TraceClient | undefined): boolean {
  return outcome < StepOutcome.undefinedOpcode || client === "reth" || client === "erigon";
}

/** What an operation's operands name, read before it runs. */
interface Operands {
  readonly offset: number;
  /** 0 where the operation names no memory. */
  readonly length: number;
  readonly store: VmExecuted["store"];
}

const NO_OPERANDS: Operands = { offset: 0, length: 0, store: null };

function readOperands(steps: StepTable, machine: FrameMachine, step: number): Operands {
  const opcode = steps.opcode(step);
  const region = MEMORY_REGIONS[opcode];
  if ((region === undefined && opcode !== Op.SSTORE) || steps.outcome(step) !== StepOutcome.done) return NO_OPERANDS;
  const store = opcode === Op.SSTORE ? { key: machine.operand(0), val: machine.operand(1) } : null;
  const { stack } = machine;
  const length = region === undefined ? 0 : regionLength(region, stack, stack.length);
  return { offset: region && length > 0 ? regionOffset(region, stack, stack.length) : 0, length, store };
}

function executed(steps: StepTable, machine: FrameMachine, step: number, operands: Operands): VmExecuted | null {
  const outcome = steps.outcome(step);
  const used = steps.gasAfter(step);
  if (outcome === StepOutcome.done) {
    const { offset, length, store } = operands;
    const mem = length === 0 ? null : { off: offset, data: machine.readMemory(offset, length) };
    return { used, push: pushedItems(steps.opcode(step), machine.stack), mem, store };
  }
  // A bad jump is found out after the operation is over.
  return outcome === StepOutcome.badJump ? { used, push: [], mem: null, store: null } : null;
}

/** Erigon shows nothing of an operation only where its gas could not be paid. */
function erigonFailed(steps: StepTable, step: number): VmExecuted | null {
  const outcome = steps.outcome(step);
  if (outcome === StepOutcome.outOfGas || outcome === StepOutcome.uncomputable) return null;
  return { used: steps.gasAfter(step), push: [], mem: null, store: null };
}

/**
 * reth shows gas and memory from before the operation, never null, and no stores; nor what calls push, which comes when
 * their frames are over. Observed: revm-inspectors in Anvil 1.7.1.
 */
function rethExecuted(steps: StepTable, machine: FrameMachine, step: number, mem: VmExecuted["mem"]): VmExecuted {
  const opcode = steps.opcode(step);
  const shows = steps.outcome(step) === StepOutcome.done && !startsFrame(opcode);
  return { used: steps.gas(step), push: shows ? pushedItems(opcode, machine.stack) : [], mem, store: null };
}

/** What the operation took from the frame's gas: all where it could not be paid, nothing where a static frame forbids it. */
function rethCost(steps: StepTable, step: number): number {
  const outcome = steps.outcome(step);
  if (outcome === StepOutcome.outOfGas) return steps.gas(step);
  if (outcome === StepOutcome.failed && steps.opcode(step) !== Op.RETURNDATACOPY) return 0;
  return steps.cost(step) + steps.forwarded(step);
}

function wholeMemory(steps: StepTable, machine: FrameMachine, step: number): VmExecuted["mem"] {
  const length = steps.memoryBytes(step);
  return { off: length, data: machine.readMemory(0, length) };
}

/** The items an operation left on top, deepest first; DUP and SWAP list all that they moved over. */
function pushedItems(opcode: number, stack: readonly bigint[]): readonly bigint[] {
  const count = opcodeShape(opcode).pushes;
  if (count === 0) return [];
  return count === 1 ? [stack[stack.length - 1] as bigint] : stack.slice(stack.length - count);
}
