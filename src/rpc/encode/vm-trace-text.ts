/**
 * A vmTrace as JSON text straight from the recording: character for character what the encoder of its values gives.
 *
 * Steps are taken in the order in which they ran, inner frames in their places, so that one pass over the recording is
 * enough. No object per step; see TextWriter for what is kept as text.
 */
import type { Bytes } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { StepOutcome } from "../../tracer/events.ts";
import type { RecordedVmTrace } from "../../tracer/formats/vm-trace.ts";
import { MEMORY_REGIONS } from "../../tracer/memory-regions.ts";
import { Op, opcodeShape, startsFrame } from "../../tracer/opcodes.ts";
import type { CallFrame, Recording, StepRows, StepTable } from "../../tracer/recording.ts";
import { Fragments } from "./fragments.ts";
import type { Pause } from "./text.ts";
import { TextWriter } from "./text-writer.ts";
import { OperationPlaces, TracedFrame } from "./traced-frame.ts";
import { operationHead, writeOperationRun } from "./vm-trace-run.ts";

/** What is between the numbers of an operation. */
const PARTS = Fragments.of(
  ',{"cost":',
  ',"ex":{"mem":null,"push":[',
  '],"store":null,"used":',
  ',"ex":{"mem":',
  ',"push":[',
  '],"store":',
  ',"used":',
  ',"ex":null',
);
const COST = 0;
const NO_MEMORY_PUSH = 1;
const NO_STORE_USED = 2;
const MEMORY = 3;
const PUSH = 4;
const STORE = 5;
const USED = 6;
const NOT_EXECUTED = 7;

const PUSHES = Uint8Array.from({ length: 256 }, (_, opcode) => opcodeShape(opcode).pushes);

/** The pieces of a trace without quirks: not of reth, whose operations show what was before them, and not of Erigon. */
export function* plainVmTraceText({ recording, options }: RecordedVmTrace): Generator<Bytes | Pause> {
  const { steps } = recording;
  if (steps === undefined) throw new TypeError("plainVmTraceText: the recording has no steps");
  const lister = new OperationLister(recording, options.client !== "openethereum");
  const { writer } = lister;
  lister.open(0, "");
  for (let step = 0; step < steps.length; ) {
    const rows = steps.rows(step);
    if (rows instanceof Promise) {
      yield rows;
      continue;
    }
    const end = rows.first + rows.length;
    while (step < end) {
      step = lister.writeRun(rows, step, end);
      if (writer.isFull) yield writer.takePiece();
      if (step < end) lister.write(rows, step++);
    }
    if (steps.isPassing) lister.catchUpOnMemory();
  }
  lister.closeUntil(Number.POSITIVE_INFINITY);
  yield writer.takePiece();
}

class OperationLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #steps: StepTable;
  readonly #hasNames: boolean;
  /** By depth. */
  readonly #pool: TracedFrame[] = [];
  #depth = -1;
  #current: TracedFrame;
  /** Frames that steps have started or been refused, the outermost included. */
  #framesSeen = 1;
  readonly #places = new Map<Bytes, OperationPlaces>();

  constructor({ frames, steps }: Recording, hasNames: boolean) {
    this.#frames = frames;
    this.#steps = steps as StepTable;
    this.#hasNames = hasNames;
    this.#current = this.#openAt(0);
  }

  open(index: number, tail: string): void {
    const frame = this.#frames[index] as CallFrame;
    const open = this.#openAt(++this.#depth);
    open.begin(frame, this.#placesOf(frame.code), tail);
    this.#current = open;
    this.writer.text(`{"code":"${encodeData(frame.code)}","ops":[`);
  }

  #openAt(depth: number): TracedFrame {
    let open = this.#pool[depth];
    if (open === undefined) {
      open = new TracedFrame();
      this.#pool[depth] = open;
    }
    return open;
  }

  /** Ends the frames that have no step from this one on. */
  closeUntil(step: number): void {
    while (this.#depth >= 0 && (this.#current.frame as CallFrame).stepEnd <= step) {
      this.writer.text(`]}${this.#current.tail}`);
      this.#current = this.#pool[--this.#depth] ?? this.#current;
    }
  }

  /** Writes down what open frames wrote to memory, before the rows that say so are gone. */
  catchUpOnMemory(): void {
    for (let depth = 0; depth <= this.#depth; depth++) this.#pool[depth]?.memoryNow(this.#steps);
  }

  /** Writes operations that have nothing special, from a step on. Returns the step behind them. */
  writeRun(rows: StepRows, first: number, end: number): number {
    const open = this.#current;
    return open.isEmpty ? first : writeOperationRun(this.writer, open, { rows, first, end });
  }

  /** Writes the operation of a step, and moves on past it. Steps come in order. */
  write(rows: StepRows, step: number): void {
    if ((this.#current.frame as CallFrame).stepEnd <= step) this.closeUntil(step);
    const row = step - rows.first;
    const opcode = rows.opcode[row] as number;
    const pc = rows.pc[row] as number;
    const open = this.#current;
    // The STOP behind the end of code is not in it; what was not dispatched is not listed.
    const outcome = rows.outcome[row] as StepOutcome;
    if (pc >= open.places.costs.length || outcome >= StepOutcome.undefinedOpcode) {
      if (startsFrame(opcode)) this.#childOf(step);
      return;
    }
    this.#writeAlone(open, rows, step);
  }

  #begin(open: TracedFrame, cost: number): void {
    const { writer } = this;
    writer.reserve(0);
    if (open.isEmpty) writer.text('{"cost":');
    else writer.fragment(PARTS, COST);
    open.isEmpty = false;
    writer.number(cost);
  }

  #nameOf(opcode: number): string {
    return this.#hasNames ? `,"op":"${opcodeShape(opcode).name}"}` : "}";
  }

  /** Keeps for {@link writeRun} what is said of the place. */
  #writeAlone(open: TracedFrame, rows: StepRows, step: number): void {
    const { writer } = this;
    const row = step - rows.first;
    const opcode = rows.opcode[row] as number;
    const pc = rows.pc[row] as number;
    const steps = this.#steps;
    const child = startsFrame(opcode) ? this.#childOf(step) : undefined;
    this.#begin(open, steps.cost(step) + steps.forwarded(step));
    const outcome = rows.outcome[row] as StepOutcome;
    if (outcome === StepOutcome.done) {
      const cost = rows.cost[row] as number;
      const head = operationHead(opcode, cost, rows.words[row]);
      if (head !== undefined) open.places.keep(pc, cost, head, `},"pc":${pc},"sub":null${this.#nameOf(opcode)}`);
      this.#writeExecuted(open, rows, step);
    } else if (outcome === StepOutcome.badJump) {
      // A bad jump is found out after the operation is over.
      writer.fragment(PARTS, NO_MEMORY_PUSH);
      writer.fragment(PARTS, NO_STORE_USED);
      writer.number(steps.gasAfter(step));
    } else writer.fragment(PARTS, NOT_EXECUTED);
    const isExecuted = outcome === StepOutcome.done || outcome === StepOutcome.badJump;
    writer.text(`${isExecuted ? "}" : ""},"pc":${pc},"sub":`);
    if (child?.isStarted === true) this.open(child.index, this.#nameOf(opcode));
    else writer.text(`null${this.#nameOf(opcode)}`);
  }

  #writeExecuted(open: TracedFrame, rows: StepRows, step: number): void {
    const { writer } = this;
    const { stack } = open;
    const opcode = rows.opcode[step - rows.first] as number;
    const region = MEMORY_REGIONS[opcode];
    const length = region === undefined ? 0 : region.length < 0 ? region.fixedLength : stack.number(region.length);
    const offset = region === undefined || length === 0 ? 0 : stack.number(region.offset);
    const store = opcode === Op.SSTORE ? { key: stack.digits(0), val: stack.digits(1) } : undefined;
    if (region?.isWritten === true) open.unwritten.push(step);
    writer.fragment(PARTS, MEMORY);
    writer.text(length === 0 ? "null" : '{"data":"0x');
    if (opcode === Op.MSTORE) stack.writeWord(writer, 1);
    stack.apply(opcode, rows.words[step - rows.first]);
    if (opcode === Op.MLOAD) stack.writeWord(writer, 0);
    else if (opcode !== Op.MSTORE && length > 0) writer.hex(open.memoryNow(this.#steps), offset, offset + length);
    if (length > 0) {
      writer.text('","off":');
      writer.number(offset);
      writer.text("}");
    }
    writer.fragment(PARTS, PUSH);
    stack.writeTop(writer, PUSHES[opcode] as number);
    writer.fragment(PARTS, STORE);
    writer.text(store === undefined ? "null" : `{"key":"0x${store.key}","val":"0x${store.val}"}`);
    writer.fragment(PARTS, USED);
    writer.slowNumber(this.#steps.gasAfter(step));
  }

  /** The frame that a step started or was refused. Frames are numbered in the order of the steps that started them. */
  #childOf(step: number): CallFrame | undefined {
    const child = this.#frames[this.#framesSeen];
    if (child?.step !== step) return undefined;
    this.#framesSeen++;
    return child;
  }

  #placesOf(code: Bytes): OperationPlaces {
    let places = this.#places.get(code);
    if (places === undefined) {
      places = new OperationPlaces(code.length);
      this.#places.set(code, places);
    }
    return places;
  }
}
