/**
 * A vmTrace as JSON text straight from the recording: character for character what the encoder of its values gives.
 *
 * Steps are taken in the order in which they ran, inner frames in their places, so that one pass over the recording is
 * enough. No object per step; see TextWriter for what is kept as text.
 */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { StepOutcome } from "../../tracer/events.ts";
import type { RecordedVmTrace } from "../../tracer/formats/vm-trace.ts";
import { MEMORY_REGIONS } from "../../tracer/memory-regions.ts";
import { Op, opcodeShape, startsFrame } from "../../tracer/opcodes.ts";
import type { CallFrame, MemoryWrite, Recording, StepRows, StepTable } from "../../tracer/recording.ts";
import { Fragments } from "./fragments.ts";
import { StackText } from "./stack-text.ts";
import { TextWriter } from "./text-writer.ts";

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

/** Opcodes that start no frame and touch neither memory nor storage. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, opcode) => {
  return startsFrame(opcode) || opcode === Op.SSTORE || MEMORY_REGIONS[opcode] !== undefined ? 0 : 1;
});
const PUSHES = Uint8Array.from({ length: 256 }, (_, opcode) => opcodeShape(opcode).pushes);
const MAX_KEPT_MEMORY = 16 * 1024;
const NOT_SEEN = -1;

/** What operations say of their place in a code. */
interface Places {
  /** `,{"cost":…,"ex":{"mem":null,"push":[` with the cost that was seen first. */
  readonly heads: Fragments;
  /** What ends an operation without a frame of its own. */
  readonly tails: Fragments;
  readonly costs: Float64Array;
}

const NO_PLACES: Places = { heads: new Fragments(0), tails: new Fragments(0), costs: new Float64Array(0) };

/** The pieces of a trace without quirks: not of reth, whose operations show what was before them, and not of Erigon. */
export function* plainVmTraceText({ recording, options }: RecordedVmTrace): Generator<Bytes> {
  const { steps } = recording;
  if (steps === undefined) throw new TypeError("plainVmTraceText: the recording has no steps");
  const lister = new OperationLister(recording, options.client !== "openethereum");
  const { writer } = lister;
  lister.open(0, "");
  for (let step = 0; step < steps.length; ) {
    const rows = steps.rows(step);
    const end = rows.first + rows.length;
    for (; step < end; step++) {
      lister.write(rows, step);
      if (writer.isFull) yield writer.takePiece();
    }
  }
  lister.closeUntil(Number.POSITIVE_INFINITY);
  yield writer.takePiece();
}

/** A frame whose operations are being listed. */
class OpenFrame {
  readonly stack = new StackText();
  frame: CallFrame | undefined;
  places: Places = NO_PLACES;
  /** What follows the list: the rest of the operation that it belongs to. */
  tail = "";
  isEmpty = true;
  #memory: Bytes = EMPTY_BYTES;

  /** Frames of one depth follow each other: what the last one left is used again. */
  begin(frame: CallFrame, places: Places, tail: string): void {
    this.frame = frame;
    this.places = places;
    this.tail = tail;
    this.isEmpty = true;
    this.stack.clear();
    // Filling what a large frame left would cost every small one after it.
    if (this.#memory.length > MAX_KEPT_MEMORY) this.#memory = EMPTY_BYTES;
    else this.#memory.fill(0);
  }

  get memory(): Bytes {
    return this.#memory;
  }

  write({ offset, bytes }: MemoryWrite): void {
    const end = offset + bytes.length;
    if (end > this.#memory.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#memory.length));
      grown.set(this.#memory);
      this.#memory = grown;
    }
    this.#memory.set(bytes, offset);
  }
}

class OperationLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #steps: StepTable;
  readonly #hasNames: boolean;
  /** By depth. */
  readonly #pool: OpenFrame[] = [];
  #depth = -1;
  #current: OpenFrame;
  /** Frames that steps have started or been refused, the outermost included. */
  #framesSeen = 1;
  readonly #places = new Map<Bytes, Places>();

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

  #openAt(depth: number): OpenFrame {
    let open = this.#pool[depth];
    if (open === undefined) {
      open = new OpenFrame();
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
    if (IS_PLAIN[opcode] === 0 || outcome !== StepOutcome.done) {
      this.#writeSpecial(open, rows, step);
      return;
    }
    const { writer } = this;
    writer.reserve(0);
    this.#writeHead(open, pc, rows.cost[row] as number);
    open.stack.apply(opcode, rows.words[row]);
    open.stack.writeTop(writer, PUSHES[opcode] as number);
    writer.fragment(PARTS, NO_STORE_USED);
    writer.slowNumber((rows.gas[row] as number) - (rows.cost[row] as number));
    this.#end(open, pc, opcode);
  }

  /** Up to what an operation pushed that wrote no memory. Most operations cost the same each time. */
  #writeHead(open: OpenFrame, pc: number, cost: number): void {
    const { heads, costs } = open.places;
    if (costs[pc] === cost && !open.isEmpty) {
      this.writer.fragment(heads, pc);
      return;
    }
    if (costs[pc] === NOT_SEEN) {
      costs[pc] = cost;
      heads.set(pc, `,{"cost":${JSON.stringify(cost)},"ex":{"mem":null,"push":[`);
    }
    this.#begin(open, cost);
    this.writer.fragment(PARTS, NO_MEMORY_PUSH);
  }

  #begin(open: OpenFrame, cost: number): void {
    const { writer } = this;
    writer.reserve(0);
    if (open.isEmpty) writer.text('{"cost":');
    else writer.fragment(PARTS, COST);
    open.isEmpty = false;
    writer.number(cost);
  }

  /** Everything behind `used`, of an operation without a frame of its own. */
  #end({ places: { tails } }: OpenFrame, pc: number, opcode: number): void {
    if (tails.lengths[pc] === 0) tails.set(pc, `},"pc":${pc},"sub":null${this.#nameOf(opcode)}`);
    this.writer.fragment(tails, pc);
  }

  #nameOf(opcode: number): string {
    return this.#hasNames ? `,"op":"${opcodeShape(opcode).name}"}` : "}";
  }

  /** Operations that start frames, touch memory or storage, or failed. */
  #writeSpecial(open: OpenFrame, rows: StepRows, step: number): void {
    const { writer } = this;
    const row = step - rows.first;
    const opcode = rows.opcode[row] as number;
    const pc = rows.pc[row] as number;
    const steps = this.#steps;
    const child = startsFrame(opcode) ? this.#childOf(step) : undefined;
    this.#begin(open, steps.cost(step) + steps.forwarded(step));
    const outcome = rows.outcome[row] as StepOutcome;
    if (outcome === StepOutcome.done) this.#writeExecuted(open, opcode, rows.words[row], step);
    else if (outcome === StepOutcome.badJump) {
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

  #writeExecuted(open: OpenFrame, opcode: number, word: bigint | undefined, step: number): void {
    const { writer } = this;
    const { stack } = open;
    const region = MEMORY_REGIONS[opcode];
    const length = region === undefined ? 0 : region.length < 0 ? region.fixedLength : stack.number(region.length);
    const offset = region === undefined || length === 0 ? 0 : stack.number(region.offset);
    const store = opcode === Op.SSTORE ? { key: stack.digits(0), val: stack.digits(1) } : undefined;
    const write = this.#steps.write(step);
    if (write !== undefined) open.write(write);
    stack.apply(opcode, word);
    writer.fragment(PARTS, MEMORY);
    if (length === 0) writer.text("null");
    else {
      writer.text('{"data":"0x');
      writer.hex(open.memory, offset, offset + length);
      writer.text('","off":');
      writer.number(offset);
      writer.text("}");
    }
    writer.fragment(PARTS, PUSH);
    stack.writeTop(writer, PUSHES[opcode] as number);
    writer.fragment(PARTS, STORE);
    writer.text(store === undefined ? "null" : `{"key":"0x${store.key}","val":"0x${store.val}"}`);
    writer.fragment(PARTS, USED);
    writer.number(this.#steps.gasAfter(step));
  }

  /** The frame that a step started or was refused. Frames are numbered in the order of the steps that started them. */
  #childOf(step: number): CallFrame | undefined {
    const child = this.#frames[this.#framesSeen];
    if (child?.step !== step) return undefined;
    this.#framesSeen++;
    return child;
  }

  #placesOf(code: Bytes): Places {
    let places = this.#places.get(code);
    if (places === undefined) {
      const size = code.length;
      const costs = new Float64Array(size).fill(NOT_SEEN);
      places = { heads: new Fragments(size), tails: new Fragments(size), costs };
      this.#places.set(code, places);
    }
    return places;
  }
}
