/**
 * geth's struct logger: one entry per operation with the machine's state before it (eth/tracers/logger/logger.go).
 *
 * Entries are made during iteration, so that a trace of millions of steps is never in memory as a whole.
 */
import { StepOutcome } from "../../evm/frames.ts";
import { Op, startsCreation, startsFrame } from "../../evm/opcodes.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { CallFrame, Recording } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { gethErrorText, gethOpcodeName } from "./geth-errors.ts";

const { SLOAD, SSTORE } = Op;

/** The members of geth's configuration (execution-apis). */
export interface StructLogOptions {
  readonly enableMemory?: boolean;
  readonly disableStack?: boolean;
  readonly disableStorage?: boolean;
  readonly enableReturnData?: boolean;
  /** Most entries; 0 or absent means all. */
  readonly limit?: number;
}

/** A slot that the frame has read or written so far. */
export interface StoredSlot {
  readonly slot: bigint;
  readonly value: bigint;
}

/** A step, with the machine before it. */
export interface StructLog {
  readonly pc: number;
  readonly op: string;
  /** Gas before the operation. */
  readonly gas: number;
  /** The cost of a call includes the gas given to its child; that of a creation does not. */
  readonly gasCost: number;
  /** 1 for the outermost frame. */
  readonly depth: number;
  /** Present only if the operation could not be dispatched. */
  readonly error?: string;
  /** Bottom first; a copy. */
  readonly stack?: readonly bigint[];
  /** A multiple of 32 bytes; absent while memory is empty. */
  readonly memory?: Bytes;
  /** Slots of the executing account accessed so far; present only at SLOAD and SSTORE. */
  readonly storage?: readonly StoredSlot[];
  /** Absent while empty. */
  readonly returnData?: Bytes;
  /** Refund counter; absent while zero. */
  readonly refund?: number;
}

/** The struct logs of one recording, made during iteration. Iteration can be repeated unless the steps are streamed. */
export class StructLogs implements Iterable<StructLog>, AsyncIterable<StructLog> {
  readonly recording: Recording;
  readonly options: StructLogOptions;

  /**
   * @param recording - must have steps, and memory if `enableMemory` is set
   * @internal
   */
  constructor(recording: Recording, options: StructLogOptions = {}) {
    this.recording = recording;
    this.options = options;
  }

  /** @throws {TypeError} if the recording has no steps, or streams them */
  *[Symbol.iterator](): Generator<StructLog> {
    for (const log of entries(this.recording, this.options)) {
      if (log instanceof Promise) throw new TypeError("StructLogs: the steps have to be waited for");
      yield log;
    }
  }

  /** Awaits streamed steps. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StructLog> {
    for (const log of entries(this.recording, this.options)) {
      if (log instanceof Promise) await log;
      else yield log;
    }
  }
}

function* entries({ steps, frames }: Recording, options: StructLogOptions): Generator<StructLog | Promise<void>> {
  if (steps === undefined) throw new TypeError("StructLogs: the recording has no steps");
  const lister = new StructLogLister(frames, options);
  let left = options.limit || Number.POSITIVE_INFINITY;
  for (const buffer of steps) {
    if (buffer instanceof Promise) yield buffer;
    else
      for (let row = 0; row < buffer.length; row++) {
        if (left-- === 0) return;
        yield lister.next(buffer, row);
      }
  }
}

/** A frame whose steps are being listed, with its machine in the form in which a visitor shows it. */
export interface ListedMachine<Word> {
  readonly frame: CallFrame | undefined;
  readonly returnData: Bytes;
  /** Number of items on the stack. */
  readonly height: number;
  /** An item of the stack; 0 is the top. */
  operand(index: number): Word;
  /** Applies a completed step. */
  apply(steps: StepBuffer, row: number, child: CallFrame | undefined): void;
}

/** The slots of an account that were accessed so far, each with its last value. */
interface AccessedSlots<Word> {
  set(slot: Word, value: Word): unknown;
}

/**
 * Visits the steps of a transaction in order, and says which members their entries have, in geth's order. What becomes
 * of the members, values or text, is up to the class that extends it.
 */
export abstract class StructLogVisitor<Word, Machine extends ListedMachine<Word>, Slots extends AccessedSlots<Word>> {
  protected readonly options: StructLogOptions;
  readonly #frames: readonly CallFrame[];
  /** By depth. */
  readonly #open: (Machine | undefined)[] = [];
  /** By account: slots that SLOAD and SSTORE accessed so far. As in geth, reverts do not undo them. */
  readonly #slots = new Map<string, Slots>();
  /** Number of frames that the steps so far started or tried to start, the outermost included. */
  #framesSeen = 1;

  constructor(frames: readonly CallFrame[], options: StructLogOptions) {
    this.#frames = frames;
    this.options = options;
  }

  /** The machine of a frame that begins. @param last - that of the last frame at this depth */
  protected abstract machineOf(frame: CallFrame, last: Machine | undefined): Machine;
  /** The item that a step left on the stack. */
  protected abstract recordedWord(steps: StepBuffer, row: number): Word;
  /** Begins an entry: program counter, operation, gas, cost and depth. */
  protected abstract begin(machine: Machine, steps: StepBuffer, row: number): void;
  protected abstract error(text: string): void;
  protected abstract stack(machine: Machine, steps: StepBuffer, row: number): void;
  protected abstract returnData(bytes: Bytes): void;
  /** @param length - a positive multiple of 32 */
  protected abstract memory(machine: Machine, length: number): void;
  protected abstract noSlots(): Slots;
  protected abstract storage(slots: Slots): void;
  protected abstract refund(counter: number): void;

  /** The machine of the frame that a step belongs to. */
  protected frameAt(steps: StepBuffer, row: number): Machine {
    const frame = this.#frames[steps.frame(row)] as CallFrame;
    const last = this.#open[frame.depth];
    if (last?.frame === frame) return last;
    const machine = this.machineOf(frame, last);
    this.#open[frame.depth] = machine;
    return machine;
  }

  /** Visits a step and applies it to the machine of its frame. */
  protected visit(machine: Machine, steps: StepBuffer, row: number): void {
    const { disableStack, enableMemory, disableStorage, enableReturnData } = this.options;
    const outcome = steps.outcome(row);
    const isDone = outcome === StepOutcome.done;
    this.begin(machine, steps, row);
    const error = isDone ? undefined : structLogError(outcome, machine.frame as CallFrame);
    if (error !== undefined) this.error(error);
    if (disableStack !== true) this.stack(machine, steps, row);
    if (enableReturnData === true && machine.returnData.length > 0) this.returnData(machine.returnData);
    const memoryBytes = enableMemory === true ? steps.memoryBytes(row) : 0;
    if (memoryBytes > 0) this.memory(machine, memoryBytes);
    const slots = disableStorage === true ? undefined : this.#slotsAt(machine, steps, row);
    if (slots !== undefined) this.storage(slots);
    const refund = steps.refund(row);
    if (refund !== 0) this.refund(refund);
    if (isDone)
      this.complete(machine, steps, row, startsFrame(steps.opcode(row)) ? this.#frames[this.#framesSeen++] : undefined);
  }

  /** Applies a step that was visited. */
  protected complete(machine: Machine, steps: StepBuffer, row: number, child: CallFrame | undefined): void {
    machine.apply(steps, row, child);
  }

  /** Adds the slot that a step accesses and returns its account's slots; undefined for other operations. */
  #slotsAt(machine: Machine, steps: StepBuffer, row: number): Slots | undefined {
    const opcode = steps.opcode(row);
    const account = machine.frame?.account;
    const isLoad = opcode === SLOAD;
    if ((!isLoad && opcode !== SSTORE) || account === undefined) return undefined;
    if (machine.height < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    const slots = this.#slots.get(key) ?? this.noSlots();
    this.#slots.set(key, slots);
    // A load that ran out of gas has no value in the recording.
    if (!isLoad) slots.set(machine.operand(0), machine.operand(1));
    else if (steps.hasWord(row)) slots.set(machine.operand(0), this.recordedWord(steps, row));
    return slots;
  }
}

type StructLogDraft = { -readonly [Member in keyof StructLog]: StructLog[Member] };

/** Makes the entries as values. */
class StructLogLister extends StructLogVisitor<bigint, FrameMachine, Map<bigint, bigint>> {
  #log: StructLogDraft = { pc: 0, op: "", gas: 0, gasCost: 0, depth: 0 };

  next(steps: StepBuffer, row: number): StructLog {
    this.visit(this.frameAt(steps, row), steps, row);
    return this.#log;
  }

  protected override machineOf(frame: CallFrame): FrameMachine {
    return new FrameMachine(frame);
  }

  protected override recordedWord(steps: StepBuffer, row: number): bigint {
    return steps.word(row);
  }

  // Members are assigned one by one, because merging objects would take longer than everything else here.
  protected override begin({ frame }: FrameMachine, steps: StepBuffer, row: number): void {
    this.#log = {
      pc: steps.pc(row),
      op: gethOpcodeName(steps.opcode(row)),
      gas: steps.gas(row),
      gasCost: structLogCost(steps, row),
      depth: frame.depth + 1,
    };
  }

  protected override error(text: string): void {
    this.#log.error = text;
  }

  protected override stack({ stack }: FrameMachine): void {
    this.#log.stack = stack.slice();
  }

  protected override returnData(bytes: Bytes): void {
    this.#log.returnData = bytes;
  }

  protected override memory(machine: FrameMachine, length: number): void {
    this.#log.memory = machine.readMemory(0, length);
  }

  protected override noSlots(): Map<bigint, bigint> {
    return new Map();
  }

  protected override storage(slots: ReadonlyMap<bigint, bigint>): void {
    this.#log.storage = Array.from(slots, ([slot, value]) => ({ slot, value }));
  }

  protected override refund(counter: number): void {
    this.#log.refund = counter;
  }
}

/** The cost shown in an entry. It includes the gas that a call gives to its child, but not that of a creation. */
export function structLogCost(steps: StepBuffer, row: number): number {
  return steps.cost(row) + (startsCreation(steps.opcode(row)) ? 0 : steps.forwarded(row));
}

/** The error of an entry: only an error that prevented the dispatch of its operation. */
export function structLogError(outcome: StepOutcome, frame: CallFrame): string | undefined {
  const isRefused =
    outcome === StepOutcome.outOfGas || outcome === StepOutcome.stackError || outcome === StepOutcome.uncomputable;
  // geth fails on too much init code while it computes the gas cost, before dispatch.
  const isTooLong = outcome === StepOutcome.failed && frame.error === "initCodeSizeExceeded";
  return (isRefused || isTooLong) && frame.error !== undefined ? gethErrorText(frame.error, frame.detail) : undefined;
}
