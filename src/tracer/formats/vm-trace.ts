/**
 * vmTrace: every operation of every frame with its cost, pushed items and writes (`docs/trace-formats.md`, section 6).
 *
 * Operations and nested frames are made during iteration, so that a trace of millions of steps is never in memory as a
 * whole. Iteration can be repeated; each walks only its own frame.
 */
import { isCreation, StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { gasAfter } from "../call-results.ts";
import type { CallFrame, Recording } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { StepTable } from "../step-table.ts";
import type { TraceClient } from "./flat-errors.ts";

const { RETURNDATACOPY, SSTORE } = Op;

/** The trace of one frame. */
export interface VmTrace {
  /** The executed code; empty for accounts without code and for precompiles. */
  readonly code: Bytes;
  readonly ops: Iterable<VmOperation>;
}

/** One operation of a frame. */
export interface VmOperation {
  readonly pc: number;
  /** Gas charged at dispatch, including the gas given to a child frame. */
  readonly cost: number;
  /** Null if the operation was dispatched but failed. */
  readonly ex: VmExecuted | null;
  /** Trace of the frame that a call or creation started; null if none started. */
  readonly sub: VmTrace | null;
  /** Name of the operation; absent for OpenEthereum. */
  readonly op?: string;
  /** Erigon's path of operation numbers. */
  readonly idx?: string;
}

/** The effects of an operation. */
export interface VmExecuted {
  /** Gas left in the frame after the operation (for reth before it), in spite of the name. */
  readonly used: number;
  /** Items that the operation pushed, deepest first. */
  readonly push: readonly bigint[];
  readonly mem: { readonly off: number; readonly data: Bytes } | null;
  readonly store: { readonly key: bigint; readonly val: bigint } | null;
}

/** The client whose form the trace has. */
export interface VmTraceOptions {
  readonly client?: TraceClient;
  /** Prefix of Erigon's `idx`: the transaction's index in replays. */
  readonly idxPrefix?: string;
}

/** The trace of a whole recording. It exposes the recording, for an encoder that writes it in one pass. */
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
    code: listedCode(frame, options.client),
    ops: { [Symbol.iterator]: () => operations(recording, frame, options) },
  };
}

/** The code shown for a frame. reth reads it from the state before the transaction, which lacks new contracts. */
export function listedCode({ kind, code }: CallFrame, client: TraceClient | undefined): Bytes {
  return client === "reth" && isCreation(kind) ? EMPTY_BYTES : code;
}

function* operations(recording: Recording, frame: CallFrame, options: VmTraceOptions): Generator<VmOperation> {
  const { steps, frames } = recording;
  if (!(steps instanceof StepTable)) throw new TypeError("vmTrace: the recording has no steps to be read in any order");
  const { client, idxPrefix = "" } = options;
  const machine = new FrameMachine(frame);
  let number = 0;
  let childrenSeen = 0;
  for (let step = frame.step + 1; step < frame.stepEnd; ) {
    const buffer = steps.bufferOf(step);
    const row = step - buffer.first;
    if (isBehindCode(buffer, row, frame, client)) return;
    const opcode = buffer.opcode(row);
    const runsChild = startsFrame(opcode) && buffer.outcome(row) === StepOutcome.done;
    const child = runsChild ? frames[frame.children[childrenSeen++] as number] : undefined;
    step = child?.isStarted === true ? child.stepEnd : step + 1;
    const ex = executed(buffer, row, { machine, child, client });
    if (!isListed(buffer.outcome(row), client)) continue;
    const idx = client === "erigon" ? `${idxPrefix}${number++}` : undefined;
    // Assigned one by one, because merging objects would take longer than everything else here.
    const operation: VmOperationDraft = {
      pc: buffer.pc(row),
      cost: listedCost(buffer, row, client),
      ex,
      sub:
        child !== undefined && isShown(child, client)
          ? frameTrace(recording, child, { ...options, idxPrefix: `${idx}-` })
          : null,
    };
    if (client !== "openethereum") operation.op = instructionOf(opcode).name;
    if (idx !== undefined) operation.idx = idx;
    yield operation;
  }
}

type VmOperationDraft = { -readonly [Member in keyof VmOperation]: VmOperation[Member] };

/** True for the implicit STOP after the end of the code. geth and reth show it, OpenEthereum does not. */
export function isBehindCode(
  steps: StepBuffer,
  row: number,
  { code }: CallFrame,
  client: TraceClient | undefined,
): boolean {
  return steps.pc(row) >= code.length && client !== "reth";
}

/** Operations that were not dispatched are listed only by reth and Erigon. */
export function isListed(outcome: StepOutcome, client: TraceClient | undefined): boolean {
  return outcome < StepOutcome.undefinedOpcode || client === "reth" || client === "erigon";
}

/**
 * True if an operation's effects are shown. Failed operations have none, except bad jumps, which fail after their
 * execution.
 */
export function isExecuted(outcome: StepOutcome, client: TraceClient | undefined): boolean {
  if (outcome === StepOutcome.done || outcome === StepOutcome.badJump || client === "reth") return true;
  // Erigon omits the effects only if the gas could not be paid.
  return client === "erigon" && outcome !== StepOutcome.outOfGas && outcome !== StepOutcome.uncomputable;
}

/** True if the frame of a call or creation is shown: if it started, and for reth if it is not a precompile's. */
export function isShown(child: CallFrame, client: TraceClient | undefined): boolean {
  return client === "reth" ? !child.isPrecompile : child.isStarted;
}

/** Gas of an operation. For reth: all gas if it could not be paid, none if a static frame forbids the operation. */
export function listedCost(steps: StepBuffer, row: number, client: TraceClient | undefined): number {
  const outcome = steps.outcome(row);
  if (client === "reth" && outcome === StepOutcome.outOfGas) return steps.gas(row);
  if (client === "reth" && outcome === StepOutcome.failed && steps.opcode(row) !== RETURNDATACOPY) return 0;
  return steps.cost(row) + steps.forwarded(row);
}

/** Number of items that an operation shows as pushed. For reth calls show none, because it looks before they return. */
export function pushedCount(steps: StepBuffer, row: number, client: TraceClient | undefined): number {
  const opcode = steps.opcode(row);
  if (steps.outcome(row) !== StepOutcome.done || (client === "reth" && startsFrame(opcode))) return 0;
  return instructionOf(opcode).pushes;
}

interface ExecutedContext {
  readonly machine: FrameMachine;
  readonly child: CallFrame | undefined;
  readonly client: TraceClient | undefined;
}

/**
 * Applies a step to the machine and returns its effects.
 *
 * reth shows gas and the whole memory before the operation, and no stores. Observed: revm-inspectors in Anvil 1.7.1.
 */
function executed(steps: StepBuffer, row: number, { machine, child, client }: ExecutedContext): VmExecuted | null {
  const opcode = steps.opcode(row);
  const outcome = steps.outcome(row);
  const isDone = outcome === StepOutcome.done;
  const isReth = client === "reth";
  const before = isReth ? steps.memoryBytes(row) : 0;
  const memoryBefore = isReth ? machine.readMemory(0, before) : EMPTY_BYTES;
  const { offset, length } = isDone ? machine.region(opcode) : NO_REGION;
  const store = isDone && opcode === SSTORE && !isReth ? { key: machine.operand(0), val: machine.operand(1) } : null;
  machine.apply(steps, row, child);
  if (!isExecuted(outcome, client)) return null;
  const count = pushedCount(steps, row, client);
  const push = count === 0 ? [] : machine.stack.slice(machine.stack.length - count);
  if (isReth) return { used: steps.gas(row), push, mem: { off: before, data: memoryBefore }, store };
  const mem = length === 0 ? null : { off: offset, data: machine.readMemory(offset, length) };
  return { used: gasAfter(steps, row, child), push, mem, store };
}

const NO_REGION = { offset: 0, length: 0 };
