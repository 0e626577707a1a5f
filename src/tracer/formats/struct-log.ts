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

  /** @param recording - must have steps, and memory if `enableMemory` is set */
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

type StructLogDraft = { -readonly [Member in keyof StructLog]: StructLog[Member] };

/** Makes the entries of a transaction's steps, in order. */
class StructLogLister {
  readonly #frames: readonly CallFrame[];
  readonly #options: StructLogOptions;
  /** By depth. */
  readonly #open: (FrameMachine | undefined)[] = [];
  /** By account: slots that SLOAD and SSTORE accessed so far. As in geth, reverts do not undo them. */
  readonly #slots = new Map<string, Map<bigint, bigint>>();
  /** Number of frames that the steps so far started or tried to start, the outermost included. */
  #framesSeen = 1;

  constructor(frames: readonly CallFrame[], options: StructLogOptions) {
    this.#frames = frames;
    this.#options = options;
  }

  next(steps: StepBuffer, row: number): StructLog {
    const frame = this.#frames[steps.frame(row)] as CallFrame;
    let machine = this.#open[frame.depth];
    if (machine?.frame !== frame) {
      machine = new FrameMachine(frame);
      this.#open[frame.depth] = machine;
    }
    const log = this.#entry(steps, row, machine);
    const runsChild = startsFrame(steps.opcode(row)) && steps.outcome(row) === StepOutcome.done;
    machine.apply(steps, row, runsChild ? this.#frames[this.#framesSeen++] : undefined);
    return log;
  }

  #entry(steps: StepBuffer, row: number, machine: FrameMachine): StructLog {
    const { disableStack, enableMemory, disableStorage, enableReturnData } = this.#options;
    const log: StructLogDraft = {
      pc: steps.pc(row),
      op: gethOpcodeName(steps.opcode(row)),
      gas: steps.gas(row),
      gasCost: structLogCost(steps, row),
      depth: machine.frame.depth + 1,
    };
    // Assigned one by one, because merging objects would take longer than everything else here.
    const error = structLogError(steps.outcome(row), machine.frame);
    if (error !== undefined) log.error = error;
    if (disableStack !== true) log.stack = machine.stack.slice();
    const memoryBytes = enableMemory === true ? steps.memoryBytes(row) : 0;
    if (memoryBytes > 0) log.memory = machine.readMemory(0, memoryBytes);
    const slots = disableStorage === true ? undefined : this.#see(steps, row, machine);
    if (slots !== undefined) log.storage = Array.from(slots, ([slot, value]) => ({ slot, value }));
    if (enableReturnData === true && machine.returnData.length > 0) log.returnData = machine.returnData;
    const refund = steps.refund(row);
    if (refund !== 0) log.refund = refund;
    return log;
  }

  /** Adds the slot that a step accesses and returns its account's slots; undefined for other operations. */
  #see(steps: StepBuffer, row: number, machine: FrameMachine): ReadonlyMap<bigint, bigint> | undefined {
    const opcode = steps.opcode(row);
    const { account } = machine.frame;
    const isLoad = opcode === SLOAD;
    if ((!isLoad && opcode !== SSTORE) || account === undefined) return undefined;
    if (machine.stack.length < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    const slots = this.#slots.get(key) ?? new Map<bigint, bigint>();
    this.#slots.set(key, slots);
    // A load that ran out of gas has no value in the recording.
    if (!isLoad) slots.set(machine.operand(0), machine.operand(1));
    else if (steps.hasWord(row)) slots.set(machine.operand(0), steps.word(row));
    return slots;
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
