/**
 * Struct logs as JSON text straight from the recording: character for character what the encoder of their values gives.
 *
 * No object per step. What an entry says of its place in the code is kept as text from the first time on, and the stack
 * is text that is changed where the step changed it.
 */
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { StepOutcome } from "../../tracer/events.ts";
import { gethOpcodeName } from "../../tracer/formats/geth-errors.ts";
import { type StructLogOptions, type StructLogs, structLogError } from "../../tracer/formats/struct-log.ts";
import { Op, startsFrame } from "../../tracer/opcodes.ts";
import type { CallFrame, Recording, StepRows, StepTable } from "../../tracer/recording.ts";
import { returnDataAfter } from "../../tracer/replay.ts";
import { EntryPlaces, ListedFrame } from "./listed-frame.ts";
import { writeEntryRun } from "./struct-log-run.ts";
import type { Pause } from "./text.ts";
import { TextWriter } from "./text-writer.ts";

/** The list in pieces. */
export function* structLogsText({ recording, options }: StructLogs): Generator<Bytes | Pause> {
  const { steps } = recording;
  if (steps === undefined) throw new TypeError("structLogsText: the recording has no steps");
  const lister = new StructLogLister(recording, options);
  const { writer } = lister;
  const count = options.limit ? Math.min(options.limit, steps.length) : steps.length;
  writer.text("[");
  for (let step = 0; step < count; ) {
    const rows = steps.rows(step);
    if (rows instanceof Promise) {
      yield rows;
      continue;
    }
    const end = Math.min(count, rows.first + rows.length);
    while (step < end) {
      step = lister.writeRun(rows, step, end);
      if (writer.isFull) yield writer.takePiece();
      if (step < end) lister.write(rows, step++);
    }
  }
  writer.text("]");
  yield writer.takePiece();
}

class StructLogLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #steps: StepTable;
  readonly #hasStack: boolean;
  readonly #hasMemory: boolean;
  readonly #hasStorage: boolean;
  readonly #hasReturnData: boolean;
  /** Most entries end with the stack. */
  readonly #isPlain: boolean;
  /** By depth. */
  readonly #open: ListedFrame[] = [];
  #current: ListedFrame | undefined;
  #frameIndex = -1;
  /** By depth, for each code. */
  readonly #places = new Map<Bytes, EntryPlaces[]>();
  /** Slots that SLOAD and SSTORE named so far and what was there, as digits, by account. */
  readonly #storage = new Map<string, Map<string, string>>();

  constructor({ frames, steps }: Recording, options: StructLogOptions) {
    this.#frames = frames;
    this.#steps = steps as StepTable;
    this.#hasStack = options.disableStack !== true;
    this.#hasMemory = options.enableMemory === true;
    this.#hasStorage = options.disableStorage !== true;
    this.#hasReturnData = options.enableReturnData === true;
    this.#isPlain = this.#hasStack && !this.#hasMemory && !this.#hasReturnData;
  }

  /** Writes entries that have nothing special, from a step on. Returns the step behind them. */
  writeRun(rows: StepRows, first: number, end: number): number {
    const open = this.#current;
    if (open === undefined || !this.#isPlain) return first;
    return writeEntryRun(this.writer, open, { rows, first, end, refund: this.#steps.refund(first) });
  }

  /** Writes the entry of a step, and moves on past it. Steps come in order. */
  write(rows: StepRows, step: number): void {
    const row = step - rows.first;
    const index = rows.frame[row] as number;
    const open = index === this.#frameIndex ? (this.#current as ListedFrame) : this.#enter(index);
    const opcode = rows.opcode[row] as number;
    const { writer } = this;
    writer.reserve(0);
    const pc = rows.pc[row] as number;
    this.#writePlace(open.places, pc, opcode, step);
    writer.slowNumber(rows.gas[row] as number);
    this.#writeRest(open, rows, step);
    if (rows.outcome[row] === StepOutcome.done) this.#apply(open, rows, step);
  }

  #writePlace({ heads }: EntryPlaces, pc: number, opcode: number, step: number): void {
    const isKnown = pc < heads.lengths.length;
    if (step > 0 && isKnown && heads.lengths[pc] !== 0) {
      this.writer.fragment(heads, pc);
      return;
    }
    const text = `,{"pc":${pc},"op":"${gethOpcodeName(opcode)}","gas":`;
    if (isKnown) heads.set(pc, text);
    this.writer.text(step === 0 ? text.slice(1) : text);
  }

  /** Everything behind the gas, in the encoder's order. */
  #writeRest(open: ListedFrame, rows: StepRows, step: number): void {
    const { writer } = this;
    const row = step - rows.first;
    const frame = open.frame as CallFrame;
    const cost = gasCost(this.#steps, step, rows.opcode[row] as number);
    const place = `,"gasCost":${JSON.stringify(cost)},"depth":${frame.depth + 1}`;
    const error = structLogError(rows.outcome[row] as StepOutcome, frame);
    writer.text(error === undefined ? place : `${place},"error":${JSON.stringify(error)}`);
    if (this.#hasStack) {
      writer.text(',"stack":[');
      if (error === undefined) open.places.keepTail(rows.pc[row] as number, cost, `${place},"stack":[`);
      if (open.stack.height > 0) writer.copyFrom(open.stack.text, 0, open.stack.text.at - 1);
      writer.text("]");
    }
    if (this.#hasReturnData && open.returnData.length > 0) {
      writer.text(`,"returnData":"${encodeData(open.returnData)}"`);
    }
    const memoryBytes = this.#hasMemory ? (rows.memoryBytes[row] as number) : 0;
    if (memoryBytes > 0) {
      writer.text(',"memory":[');
      open.memory.writeTo(writer, memoryBytes);
      writer.text("]");
    }
    const slots = this.#hasStorage ? this.#slotsAt(open, rows, row) : undefined;
    if (slots !== undefined) writer.text(`,"storage":${JSON.stringify(Object.fromEntries(slots))}`);
    const refund = this.#steps.refund(step);
    if (refund !== 0) writer.text(`,"refund":${refund}`);
    writer.text("}");
  }

  /** Adds what a SLOAD or SSTORE looks at, and gives its account's slots; undefined for other operations. */
  #slotsAt(open: ListedFrame, rows: StepRows, row: number): ReadonlyMap<string, string> | undefined {
    const opcode = rows.opcode[row] as number;
    const account = open.frame?.account;
    if (!isStorage(opcode) || account === undefined) return undefined;
    const isLoad = opcode === Op.SLOAD;
    if (open.stack.height < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    let slots = this.#storage.get(key);
    if (slots === undefined) {
      slots = new Map();
      this.#storage.set(key, slots);
    }
    // A load that could not be paid has no value in the recording.
    const value = isLoad ? rows.words[row]?.toString(16) : open.stack.digits(1);
    if (value !== undefined) slots.set(wordOf(open.stack.digits(0)), wordOf(value));
    return slots;
  }

  #apply(open: ListedFrame, rows: StepRows, step: number): void {
    const row = step - rows.first;
    const opcode = rows.opcode[row] as number;
    open.stack.applyAt(open.places.pushes, rows.pc[row] as number, opcode, rows.words[row]);
    if (this.#hasMemory) {
      const write = this.#steps.write(step);
      if (write !== undefined) open.memory.write(write);
    }
    if (!startsFrame(opcode)) return;
    const child = this.#childOf(open, step);
    open.returnData = child === undefined ? EMPTY_BYTES : returnDataAfter(child);
  }

  /** The child that a step started or was refused. A failed call may have one as well, and it is the frame's last step. */
  #childOf(open: ListedFrame, step: number): CallFrame | undefined {
    const index = open.frame?.children[open.childrenSeen];
    const child = index === undefined ? undefined : this.#frames[index];
    if (child?.step !== step) return undefined;
    open.childrenSeen++;
    return child;
  }

  #enter(index: number): ListedFrame {
    const frame = this.#frames[index] as CallFrame;
    let open = this.#open[frame.depth];
    if (open === undefined) {
      open = new ListedFrame();
      this.#open[frame.depth] = open;
    }
    if (open.frame !== frame) open.begin(frame, this.#placesOf(frame));
    this.#current = open;
    this.#frameIndex = index;
    return open;
  }

  #placesOf({ code, depth }: CallFrame): EntryPlaces {
    let byDepth = this.#places.get(code);
    if (byDepth === undefined) {
      byDepth = [];
      this.#places.set(code, byDepth);
    }
    // One more for the STOP behind the end.
    byDepth[depth] ??= new EntryPlaces(code.length + 1);
    return byDepth[depth];
  }
}

/** What a call hands to its child is part of its cost; what a creation does is not. */
function gasCost(steps: StepTable, step: number, opcode: number): number {
  const isCreate = opcode === Op.CREATE || opcode === Op.CREATE2;
  return steps.cost(step) + (isCreate ? 0 : steps.forwarded(step));
}

function isStorage(opcode: number): boolean {
  return opcode === Op.SLOAD || opcode === Op.SSTORE;
}

function wordOf(digits: string): string {
  return `0x${digits.padStart(64, "0")}`;
}
