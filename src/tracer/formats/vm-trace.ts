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
import type { CallFrame, Recording } from "../recording.ts";
import { gasAfter } from "../recording.ts";
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

  /** @internal */
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
  const maker = new OperationMaker(recording, options);
  const machine = new FrameMachine(frame);
  let childrenSeen = 0;
  for (let step = frame.step + 1; step < frame.stepEnd; ) {
    const buffer = steps.bufferOf(step);
    const row = step - buffer.first;
    const child = runsChild(buffer, row) ? frames[frame.children[childrenSeen++] as number] : undefined;
    step = child?.isStarted === true ? child.stepEnd : step + 1;
    const operation = maker.make(machine, buffer, row, child);
    if (operation !== undefined) yield operation;
  }
}

/** True if a step started a frame, or tried to. */
export function runsChild(steps: StepBuffer, row: number): boolean {
  return startsFrame(steps.opcode(row)) && steps.outcome(row) === StepOutcome.done;
}

/** A frame whose operations are being listed, with its machine in the form in which a visitor shows it. */
export interface OperationMachine<Word> {
  readonly frame: CallFrame;
  /** An item of the stack; 0 is the top. */
  operand(index: number): Word;
  /** The memory region that the next step names; length 0 if it names none. */
  region(opcode: number): MemorySpan;
  /** Applies a completed step. */
  apply(steps: StepBuffer, row: number, child: CallFrame | undefined): void;
}

/** A part of a frame's memory, in bytes. */
export interface MemorySpan {
  readonly offset: number;
  readonly length: number;
}

/**
 * Visits operations, and says which of them are listed and with which members, in the order of the answer. What becomes
 * of the members, values or text, is up to the class that extends it.
 */
export abstract class OperationVisitor<Word, Machine extends OperationMachine<Word>> {
  protected readonly client: TraceClient | undefined;
  /** False if operations have no names, as in OpenEthereum. */
  protected readonly hasNames: boolean;
  /** True if operations have numbers, as in Erigon. */
  protected readonly hasNumbers: boolean;

  constructor(client: TraceClient | undefined) {
    this.client = client;
    this.hasNames = client !== "openethereum";
    this.hasNumbers = client === "erigon";
  }

  protected abstract begin(cost: number): void;
  protected abstract notExecuted(): void;
  /** Begins the effects. @param span - undefined if no memory is shown. @param off - the offset shown with it */
  protected abstract memory(machine: Machine, span: MemorySpan | undefined, off: number): void;
  /** The rest of the effects. @param slot - key and value of an SSTORE */
  protected abstract effects(machine: Machine, pushed: number, slot: Slot<Word> | undefined, used: number): void;
  /** The rest of the operation. @param sub - the frame to show that it started */
  protected abstract end(machine: Machine, pc: number, opcode: number, sub: CallFrame | undefined): void;

  /** Visits an operation and applies its step to the machine of its frame. Returns whether the operation is listed. */
  protected visit(machine: Machine, steps: StepBuffer, row: number, child: CallFrame | undefined): boolean {
    const { client } = this;
    const outcome = steps.outcome(row);
    if (isBehindCode(steps, row, machine.frame, client) || !isListed(outcome, client)) return false;
    this.begin(listedCost(steps, row, client));
    if (isExecuted(outcome, client)) this.#visitEffects(machine, steps, row, child);
    else this.notExecuted();
    const sub = child !== undefined && isShown(child, client) ? child : undefined;
    this.end(machine, steps.pc(row), steps.opcode(row), sub);
    return true;
  }

  /** reth shows gas and the whole memory before the operation, and no stores. Observed: revm-inspectors in Anvil 1.7.1. */
  #visitEffects(machine: Machine, steps: StepBuffer, row: number, child: CallFrame | undefined): void {
    const isReth = this.client === "reth";
    const isDone = steps.outcome(row) === StepOutcome.done;
    const opcode = steps.opcode(row);
    const isStore = isDone && opcode === SSTORE && !isReth;
    const slot = isStore ? ([machine.operand(0), machine.operand(1)] as const) : undefined;
    const { offset, length } = isDone && !isReth ? machine.region(opcode) : NO_SPAN;
    const before = steps.memoryBytes(row);
    if (isReth) this.memory(machine, { offset: 0, length: before }, before);
    if (isDone) machine.apply(steps, row, child);
    if (!isReth) this.memory(machine, length === 0 ? undefined : { offset, length }, offset);
    const used = isReth ? steps.gas(row) : gasAfter(steps, row, child);
    this.effects(machine, pushedCount(steps, row, this.client), slot, used);
  }
}

/** Key and value of an SSTORE. */
export type Slot<Word> = readonly [key: Word, value: Word];

const NO_SPAN: MemorySpan = { offset: 0, length: 0 };

type Draft<Value> = { -readonly [Member in keyof Value]: Value[Member] };

/** Makes the operations of a frame as values. */
class OperationMaker extends OperationVisitor<bigint, FrameMachine> {
  readonly #recording: Recording;
  readonly #options: VmTraceOptions;
  /** Number of operations that were made. */
  #count = 0;
  #operation: Draft<VmOperation> = { pc: 0, cost: 0, ex: null, sub: null };
  #executed: Draft<VmExecuted> = { used: 0, push: [], mem: null, store: null };

  constructor(recording: Recording, options: VmTraceOptions) {
    super(options.client);
    this.#recording = recording;
    this.#options = options;
  }

  /** The next operation of the frame; undefined if it is not listed. */
  make(machine: FrameMachine, steps: StepBuffer, row: number, child: CallFrame | undefined): VmOperation | undefined {
    return this.visit(machine, steps, row, child) ? this.#operation : undefined;
  }

  // Members are assigned one by one, because merging objects would take longer than everything else here.
  protected override begin(cost: number): void {
    this.#operation = { pc: 0, cost, ex: null, sub: null };
  }

  protected override notExecuted(): void {}

  protected override memory(machine: FrameMachine, span: MemorySpan | undefined, off: number): void {
    const mem = span === undefined ? null : { off, data: machine.readMemory(span.offset, span.length) };
    this.#executed = { used: 0, push: [], mem, store: null };
    this.#operation.ex = this.#executed;
  }

  protected override effects({ stack }: FrameMachine, pushed: number, slot: Slot<bigint> | undefined, used: number) {
    const executed = this.#executed;
    if (pushed > 0) executed.push = stack.slice(stack.length - pushed);
    if (slot !== undefined) executed.store = { key: slot[0], val: slot[1] };
    executed.used = used;
  }

  protected override end(_machine: FrameMachine, pc: number, opcode: number, sub: CallFrame | undefined): void {
    const operation = this.#operation;
    const idx = this.hasNumbers ? `${this.#options.idxPrefix ?? ""}${this.#count++}` : undefined;
    operation.pc = pc;
    if (sub !== undefined) operation.sub = frameTrace(this.#recording, sub, { ...this.#options, idxPrefix: `${idx}-` });
    if (this.hasNames) operation.op = instructionOf(opcode).name;
    if (idx !== undefined) operation.idx = idx;
  }
}

/** True for the implicit STOP after the end of the code. geth and reth show it, OpenEthereum does not. */
function isBehindCode(steps: StepBuffer, row: number, { code }: CallFrame, client: TraceClient | undefined): boolean {
  return steps.pc(row) >= code.length && client !== "reth";
}

/** Operations that were not dispatched are listed only by reth and Erigon. */
function isListed(outcome: StepOutcome, client: TraceClient | undefined): boolean {
  return outcome < StepOutcome.undefinedOpcode || client === "reth" || client === "erigon";
}

/**
 * True if an operation's effects are shown. Failed operations have none, except bad jumps, which fail after their
 * execution.
 */
function isExecuted(outcome: StepOutcome, client: TraceClient | undefined): boolean {
  if (outcome === StepOutcome.done || outcome === StepOutcome.badJump || client === "reth") return true;
  // Erigon omits the effects only if the gas could not be paid.
  return client === "erigon" && outcome !== StepOutcome.outOfGas && outcome !== StepOutcome.uncomputable;
}

/** True if the frame of a call or creation is shown: if it started, and for reth if it is not a precompile's. */
function isShown(child: CallFrame, client: TraceClient | undefined): boolean {
  return client === "reth" ? !child.isPrecompile : child.isStarted;
}

/** Gas of an operation. For reth: all gas if it could not be paid, none if a static frame forbids the operation. */
function listedCost(steps: StepBuffer, row: number, client: TraceClient | undefined): number {
  const outcome = steps.outcome(row);
  if (client === "reth" && outcome === StepOutcome.outOfGas) return steps.gas(row);
  if (client === "reth" && outcome === StepOutcome.failed && steps.opcode(row) !== RETURNDATACOPY) return 0;
  return steps.cost(row) + steps.forwarded(row);
}

/** Number of items that an operation shows as pushed. For reth calls show none, because it looks before they return. */
function pushedCount(steps: StepBuffer, row: number, client: TraceClient | undefined): number {
  const opcode = steps.opcode(row);
  if (steps.outcome(row) !== StepOutcome.done || (client === "reth" && startsFrame(opcode))) return 0;
  return instructionOf(opcode).pushes;
}
