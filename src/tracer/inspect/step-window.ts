/**
 * Sinks for transactions with more steps than are held in memory. Such a transaction runs once for its frames, once for the
 * storage writes of all its steps, and once more for each window of steps that is requested.
 */
import type { EventSink } from "../../evm/event-sink.ts";
import { STEP_BYTES, StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../recording.ts";
import { FrameMachine } from "../replay.ts";
import { StepTable } from "../step-table.ts";
import type { MachinesAt } from "./machine-at.ts";
import { noteStep, type StorageWrite } from "./storage-writes.ts";

const STEPS = { steps: "recorded" } as const;
const STEPS_AND_MEMORY = { ...STEPS, memory: true } as const;

/** Follows the machines of all running frames from step to step. */
class RunningMachines {
  readonly #machines = new Map<CallFrame, FrameMachine>();
  readonly #frames: readonly CallFrame[];
  /** Frames by the step that started them. */
  readonly #started: ReadonlyMap<number, CallFrame>;

  constructor(frames: readonly CallFrame[], start: MachinesAt | undefined) {
    this.#frames = frames;
    this.#started = new Map(frames.map((frame) => [frame.step, frame]));
    for (const [frame, machine] of start?.machines ?? []) this.#machines.set(frame, machine.copy());
  }

  /** The machine before a step. */
  at(steps: StepBuffer, row: number): FrameMachine {
    const frame = this.#frames[steps.frame(row)] as CallFrame;
    let machine = this.#machines.get(frame);
    if (machine === undefined) {
      machine = new FrameMachine(frame);
      this.#machines.set(frame, machine);
    }
    return machine;
  }

  /** Applies a step to the machine of its frame. */
  apply(machine: FrameMachine, steps: StepBuffer, row: number): void {
    const number = steps.first + row;
    machine.apply(steps, row, this.#started.get(number));
    for (let frame: CallFrame | undefined = machine.frame; frame?.stepEnd === number + 1; ) {
      this.#machines.delete(frame);
      frame = this.#frames[frame.parent];
    }
  }

  get size(): number {
    let size = 0;
    for (const machine of this.#machines.values()) size += machine.size;
    return size;
  }

  /** @param step - the next one */
  copy(step: number): MachinesAt {
    return { step, machines: new Map(Array.from(this.#machines, ([frame, machine]) => [frame, machine.copy()])) };
  }
}

/** Goes through all steps: writes to storage, inputs of hashes, and the machines at regular distances. */
export class StepSurvey implements EventSink {
  readonly wants = STEPS_AND_MEMORY;
  readonly writes: StorageWrite[] = [];
  readonly preimages = new Map<bigint, Bytes>();
  /** In order. Some are left out where they would take too much memory. */
  readonly starts: MachinesAt[] = [];
  readonly #machines: RunningMachines;
  readonly #distance: number;
  #freeBytes: number;

  /** @param distance - steps from one copy of the machines to the next; `maxBytes` limits the copies together */
  constructor(frames: readonly CallFrame[], distance: number, maxBytes: number) {
    this.#machines = new RunningMachines(frames, undefined);
    this.#distance = distance;
    this.#freeBytes = maxBytes;
  }

  takeSteps(steps: StepBuffer): void {
    for (let row = 0; row < steps.length; row++) {
      const number = steps.first + row;
      if (number > 0 && number % this.#distance === 0) this.#copy(number);
      const machine = this.#machines.at(steps, row);
      noteStep(machine, steps, row, this);
      this.#machines.apply(machine, steps, row);
    }
  }

  #copy(number: number): void {
    const { size } = this.#machines;
    if (size > this.#freeBytes) return;
    this.#freeBytes -= size;
    this.starts.push(this.#machines.copy(number));
  }
}

/** Keeps the steps of a window, and the machines as they were before it. */
export class WindowRecorder implements EventSink {
  readonly wants = STEPS_AND_MEMORY;
  readonly steps = new StepTable();
  readonly #machines: RunningMachines;
  readonly #from: number;
  readonly #end: number;
  #next: number;
  #start: MachinesAt | undefined;

  /** @param start - machines at the window's first step or before it; default: the transaction's beginning */
  constructor(
    frames: readonly CallFrame[],
    window: { readonly from: number; readonly end: number },
    start?: MachinesAt,
  ) {
    this.#machines = new RunningMachines(frames, start);
    this.#from = window.from;
    this.#end = window.end;
    this.#next = start?.step ?? 0;
  }

  /** Machines before the window's first step. */
  get start(): MachinesAt {
    return this.#start ?? this.#machines.copy(this.#from);
  }

  takeSteps(steps: StepBuffer): void {
    const end = steps.first + steps.length;
    for (; this.#next < Math.min(end, this.#from); this.#next++) {
      const row = this.#next - steps.first;
      this.#machines.apply(this.#machines.at(steps, row), steps, row);
    }
    if (end <= this.#from || steps.first >= this.#end) return;
    this.#start ??= this.#machines.copy(this.#from);
    this.steps.add(steps);
  }
}

/** Keeps steps of one opcode, from a step on. */
export class OpcodeFinder implements EventSink {
  readonly wants = STEPS;
  readonly found: StepBuffer[] = [];
  readonly #opcode: number;
  readonly #from: number;
  readonly #most: number;

  constructor(opcode: number, from: number, most: number) {
    this.#opcode = opcode;
    this.#from = from;
    this.#most = most;
  }

  takeSteps(steps: StepBuffer): void {
    for (let row = Math.max(0, this.#from - steps.first); row < steps.length; row++) {
      if (this.found.length === this.#most) return;
      if (steps.opcode(row) !== this.#opcode) continue;
      const record = steps.bytes.slice(row * STEP_BYTES, (row + 1) * STEP_BYTES);
      this.found.push(new StepBuffer(steps.first + row, record, EMPTY_BYTES));
    }
  }
}
