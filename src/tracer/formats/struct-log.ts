/**
 * geth's struct logger: one entry per operation with the machine as it was before (eth/tracers/logger/logger.go).
 *
 * Entries are made while they are iterated, so that a trace of millions of steps is never held whole.
 */
import { StepOutcome } from "../../evm/frames.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { CallFrame, Recording } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { gethErrorText, gethOpcodeName } from "./geth-errors.ts";

const { SLOAD, SSTORE, CREATE, CREATE2 } = Op;

export interface StructLogOptions {
  readonly enableMemory?: boolean;
  readonly disableStack?: boolean;
  readonly disableStorage?: boolean;
  readonly enableReturnData?: boolean;
  /** Most entries; 0 or absent for all. */
  readonly limit?: number;
}

export interface StoredSlot {
  readonly slot: bigint;
  readonly value: bigint;
}

export interface StructLog {
  readonly pc: number;
  readonly op: string;
  /** Gas before the operation. */
  readonly gas: number;
  /** What a call hands to its child is part of its cost; what a creation does is not. */
  readonly gasCost: number;
  /** 1 for the outermost frame. */
  readonly depth: number;
  /** Only where the operation could not be dispatched. */
  readonly error?: string;
  /** Bottom first; a copy. */
  readonly stack?: readonly bigint[];
  /** Whole words; absent while memory is empty. */
  readonly memory?: Bytes;
  /** Slots of the running account seen so far; at SLOAD and SSTORE only. */
  readonly storage?: readonly StoredSlot[];
  /** Absent while empty. */
  readonly returnData?: Bytes;
  /** Refund counter; absent while zero. */
  readonly refund?: number;
}

/** The struct logs of one recording, made while they are iterated; as often as wanted, unless the steps are passing. */
export class StructLogs implements Iterable<StructLog>, AsyncIterable<StructLog> {
  readonly recording: Recording;
  readonly options: StructLogOptions;

  /** @param recording - made with steps, and with memory if `enableMemory` */
  constructor(recording: Recording, options: StructLogOptions = {}) {
    this.recording = recording;
    this.options = options;
  }

  /** @throws {TypeError} if the recording has no steps, or they have yet to come */
  *[Symbol.iterator](): Generator<StructLog> {
    for (const log of entries(this.recording, this.options)) {
      if (log instanceof Promise) throw new TypeError("StructLogs: the steps have to be waited for");
      yield log;
    }
  }

  /** Waits for steps that have yet to come. */
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

/** Takes the steps of a transaction in order. */
class StructLogLister {
  readonly #frames: readonly CallFrame[];
  readonly #options: StructLogOptions;
  /** By depth. */
  readonly #open: (FrameMachine | undefined)[] = [];
  /** Slots that SLOAD and SSTORE named so far, by account: what the logger shows, whatever is reverted later. */
  readonly #slots = new Map<string, Map<bigint, bigint>>();
  /** Frames that steps have started or been refused, the outermost included. */
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
    // Set one by one, since joining objects would take longer than everything else here.
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

  /** Adds the slot that a step looks at, and gives its account's slots; undefined for other operations. */
  #see(steps: StepBuffer, row: number, machine: FrameMachine): ReadonlyMap<bigint, bigint> | undefined {
    const opcode = steps.opcode(row);
    const { account } = machine.frame;
    const isLoad = opcode === SLOAD;
    if ((!isLoad && opcode !== SSTORE) || account === undefined) return undefined;
    if (machine.stack.length < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    const slots = this.#slots.get(key) ?? new Map<bigint, bigint>();
    this.#slots.set(key, slots);
    // A load that could not be paid has no value in the recording.
    if (!isLoad) slots.set(machine.operand(0), machine.operand(1));
    else if (steps.hasWord(row)) slots.set(machine.operand(0), steps.word(row));
    return slots;
  }
}

/** The cost that an entry shows: with what a call hands to its child, without what a creation does. */
export function structLogCost(steps: StepBuffer, row: number): number {
  const opcode = steps.opcode(row);
  return steps.cost(row) + (opcode === CREATE || opcode === CREATE2 ? 0 : steps.forwarded(row));
}

/** The error of an entry: only what stopped its operation from being dispatched. */
export function structLogError(outcome: StepOutcome, frame: CallFrame): string | undefined {
  const isRefused =
    outcome === StepOutcome.outOfGas || outcome === StepOutcome.stackError || outcome === StepOutcome.uncomputable;
  // To geth too much init code is a price that cannot be told.
  const isTooLong = outcome === StepOutcome.failed && frame.error === "initCodeSizeExceeded";
  return (isRefused || isTooLong) && frame.error !== undefined ? gethErrorText(frame.error, frame.detail) : undefined;
}
