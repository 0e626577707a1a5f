/**
 * geth's struct logger: one entry per operation with the machine as it was before (eth/tracers/logger/logger.go).
 *
 * Entries are made while they are iterated, so that a trace of millions of steps is never held whole.
 */
import { type Bytes, bytesKey } from "../../primitives/bytes.ts";
import { StepOutcome } from "../events.ts";
import { Op } from "../opcodes.ts";
import type { CallFrame, Recording, StepTable } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { gethErrorText, gethOpcodeName } from "./geth-errors.ts";

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

/** The struct logs of one recording: made while they are iterated, as often as wanted. */
export class StructLogs implements Iterable<StructLog> {
  readonly recording: Recording;
  readonly options: StructLogOptions;

  constructor(recording: Recording, options: StructLogOptions = {}) {
    this.recording = recording;
    this.options = options;
  }

  [Symbol.iterator](): Iterator<StructLog> {
    return structLogs(this.recording, this.options);
  }
}

/**
 * The struct logs of a recording made with steps, and with memory if `enableMemory`.
 *
 * @throws {TypeError} if the recording has no steps
 */
export function* structLogs(recording: Recording, options: StructLogOptions = {}): Generator<StructLog> {
  const { steps, frames } = recording;
  if (steps === undefined) throw new TypeError("structLogs: the recording has no steps");
  const storage = new SeenStorage();
  /** Machines of the frames that are open, outermost first. */
  const open: FrameMachine[] = [];
  const count = options.limit ? Math.min(options.limit, steps.length) : steps.length;
  for (let step = 0; step < count; step++) {
    while ((open.at(-1)?.frame.stepEnd ?? Number.POSITIVE_INFINITY) <= step) open.pop();
    let machine = open.at(-1);
    const index = steps.frame(step);
    if (machine?.frame.index !== index) {
      machine = new FrameMachine(recording, frames[index] as CallFrame);
      open.push(machine);
    }
    yield structLog(steps, machine, step, { options, storage });
    machine.apply(step);
  }
}

type StructLogDraft = { -readonly [Member in keyof StructLog]: StructLog[Member] };

function structLog(
  steps: StepTable,
  machine: FrameMachine,
  step: number,
  { options, storage }: { readonly options: StructLogOptions; readonly storage: SeenStorage },
): StructLog {
  const opcode = steps.opcode(step);
  const log: StructLogDraft = {
    pc: steps.pc(step),
    op: gethOpcodeName(opcode),
    gas: steps.gas(step),
    gasCost: steps.cost(step) + (opcode === Op.CREATE || opcode === Op.CREATE2 ? 0 : steps.forwarded(step)),
    depth: machine.frame.depth + 1,
  };
  // Set one by one, since joining objects would take longer than everything else here.
  const error = structLogError(steps.outcome(step), machine.frame);
  if (error !== undefined) log.error = error;
  if (options.disableStack !== true) log.stack = machine.stack.slice();
  const memoryBytes = options.enableMemory === true ? steps.memoryBytes(step) : 0;
  if (memoryBytes > 0) log.memory = machine.readMemory(0, memoryBytes);
  const slots = options.disableStorage === true ? undefined : storage.see(steps, machine, step);
  if (slots !== undefined) log.storage = slots;
  if (options.enableReturnData === true && machine.returnData.length > 0) log.returnData = machine.returnData;
  const refund = steps.refund(step);
  if (refund !== 0) log.refund = refund;
  return log;
}

/** The error of an entry: only what stopped its operation from being dispatched. */
export function structLogError(outcome: StepOutcome, frame: CallFrame): string | undefined {
  const isRefused =
    outcome === StepOutcome.outOfGas || outcome === StepOutcome.stackError || outcome === StepOutcome.uncomputable;
  // To geth too much init code is a price that cannot be told.
  const isTooLong = outcome === StepOutcome.failed && frame.error === "initCodeSizeExceeded";
  return (isRefused || isTooLong) && frame.error !== undefined ? gethErrorText(frame.error, frame.detail) : undefined;
}

/** Slots that SLOAD and SSTORE named so far, by account: what the logger shows, whatever is reverted later. */
class SeenStorage {
  readonly #slots = new Map<string, Map<bigint, bigint>>();

  /** Adds what a step looks at and lists its account's slots; undefined for other operations. */
  see(steps: StepTable, machine: FrameMachine, step: number): readonly StoredSlot[] | undefined {
    const opcode = steps.opcode(step);
    const { account } = machine.frame;
    const isLoad = opcode === Op.SLOAD;
    if ((!isLoad && opcode !== Op.SSTORE) || account === undefined) return undefined;
    if (machine.stack.length < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    let slots = this.#slots.get(key);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(key, slots);
    }
    // A load that could not be paid has no value in the recording.
    const value = isLoad ? steps.word(step) : machine.operand(1);
    if (value !== undefined) slots.set(machine.operand(0), value);
    return Array.from(slots, ([slot, seen]) => ({ slot, value: seen }));
  }
}
