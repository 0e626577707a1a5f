/**
 * A vmTrace as JSON text, written from the recorded steps. The text equals that of the encoder of its values.
 *
 * Operations are written in execution order, inner frames in their places. Most operations change only gas and stack.
 * The rest of such an operation is copied from the last one with the same program counter.
 *
 * It has over 300 lines, because one loop writes a whole trace, and its state would pass between files otherwise.
 */
import { StepOutcome } from "../../../evm/frames.ts";
import { instructionOf, MEMORY_REGIONS } from "../../../evm/instructions.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import { STEP_BYTES, STEP_WORDS, type StepBuffer, StepByte, StepWord } from "../../../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import type { TraceClient } from "../../../tracer/formats/flat-errors.ts";
import {
  listedCode,
  type MemorySpan,
  type OperationMachine,
  OperationVisitor,
  type RecordedVmTrace,
  runsChild,
  type Slot,
} from "../../../tracer/formats/vm-trace.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { returnDataAfter } from "../../../tracer/recording.ts";
import { writeFragment, writeHex, writeNumber } from "../stream/ascii.ts";
import { Fragments } from "../stream/fragments.ts";
import type { Pause } from "../stream/text.ts";
import { TextWriter } from "../stream/text-writer.ts";
import { type PlaceSpans, PlaceTexts } from "./place-texts.ts";
import { StackText } from "./stack-text.ts";

const { SSTORE } = Op;

const MAX_HELD_MEMORY = 16 * 1024;

/** The trace in pieces. */
export function* vmTraceText({ recording, options }: RecordedVmTrace): Generator<string | Pause> {
  const { steps, frames } = recording;
  if (steps === undefined) throw new TypeError("vmTraceText: the recording has no steps");
  const lister = new OperationWriter(frames, options.client);
  const { writer } = lister;
  lister.open(frames[0] as CallFrame, "", options.idxPrefix ?? "");
  for (const buffer of steps) {
    if (buffer instanceof Promise) {
      yield buffer;
      continue;
    }
    for (let row = 0; row < buffer.length; ) {
      row = lister.write(buffer, row);
      if (writer.isFull) yield writer.takePiece();
    }
  }
  lister.closeUntil(undefined);
  yield writer.takePiece();
}

const PARTS = Fragments.of(
  ',{"cost":',
  ',"ex":{"mem":null,"push":[',
  ',"ex":{"mem":{"data":"0x',
  '","off":',
  '},"push":[',
  '],"store":null,"used":',
  ',"ex":null',
  ',"pc":',
  ',"sub":null',
);
const COST = 0;
const NO_MEMORY = 1;
const MEMORY = 2;
const OFFSET = 3;
const PUSH = 4;
const USED = 5;
const NOT_EXECUTED = 6;
const PC = 7;
const NO_SUB = 8;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
/** Upper bound of an operation's bytes, pushed items not counted. */
const OPERATION_BYTES = 512;

/** Bytes of memory that MLOAD, MSTORE and MSTORE8 show, by opcode; 0 for other operations. */
const FIXED_LENGTHS = Uint8Array.from(MEMORY_REGIONS, (region) => region?.fixedLength ?? 0);
/** The operand with the offset of these bytes. */
const FIXED_OFFSETS = Uint8Array.from(MEMORY_REGIONS, (region) => region?.offset ?? 0);
/** True for opcodes that start no frame and show neither storage nor more than a word of memory. */
const IS_PLAIN: readonly boolean[] = Array.from({ length: 256 }, (_, opcode) => {
  if (startsFrame(opcode) || opcode === SSTORE) return false;
  return MEMORY_REGIONS[opcode] === undefined || FIXED_LENGTHS[opcode] !== 0;
});
const PUSHES = Uint8Array.from({ length: 256 }, (_, opcode) => instructionOf(opcode).pushes);
const NAMES = Array.from({ length: 256 }, (_, opcode) => `,"op":"${instructionOf(opcode).name}"`);
const NAMED_ENDINGS = Fragments.of(...NAMES.map((name) => `${name}}`));
/** The beginnings of those that Erigon numbers. */
const NUMBERED_ENDINGS = Fragments.of(...NAMES.map((name) => `${name},"idx":"`));
/** Without names, as in OpenEthereum. */
const ENDINGS = Fragments.of(...NAMES.map(() => "}"));

/** Writes the operations as text. */
class OperationWriter extends OperationVisitor<string, TracedFrame> {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  /**
   * True if operations of one program counter differ only in gas and pushed items, which is not so in the forms of reth
   * and Erigon.
   */
  readonly #hasPlaces: boolean;
  /** Open frames up to {@link #depth}, then closed ones whose buffers are reused. */
  readonly #open: TracedFrame[] = [];
  #depth = -1;
  /** Number of frames that the steps so far started or tried to start, the outermost included. */
  #framesSeen = 1;
  /** By code. */
  readonly #places = new Map<Bytes, PlaceTexts>();
  /** Offsets of the operation's beginning, of its memory or its pushed items, and of the text after its gas. */
  #start = 0;
  #headEnd = 0;
  #tailStart = 0;

  constructor(frames: readonly CallFrame[], client: TraceClient | undefined) {
    super(client);
    this.#frames = frames;
    this.#hasPlaces = client !== "reth" && client !== "erigon";
  }

  get #current(): TracedFrame {
    return this.#open[this.#depth] as TracedFrame;
  }

  /**
   * Opens a frame within the current one.
   *
   * @param ending - text after the frame: the rest of the operation that started it
   */
  open(frame: CallFrame, ending: string, idxPrefix: string): void {
    const places = this.#places.get(frame.code) ?? new PlaceTexts(frame.code);
    this.#places.set(frame.code, places);
    this.#depth++;
    this.#open[this.#depth] ??= new TracedFrame(frame);
    this.#current.begin(frame, places, ending, idxPrefix);
    this.writer.text('{"code":');
    this.writer.data(listedCode(frame, this.client));
    this.writer.text(',"ops":');
  }

  /** Closes the frames inside this one; without an argument, all frames. */
  closeUntil(frame: number | undefined): void {
    for (; this.#depth >= 0 && this.#current.frame.index !== frame; this.#depth--) {
      const { count, ending } = this.#current;
      this.writer.text(`${count === 0 ? "[" : ""}]}${ending}`);
    }
  }

  /** Writes the operations of the steps from a row on, and returns the next row. Steps must come in order. */
  write(steps: StepBuffer, first: number): number {
    this.closeUntil(steps.frame(first));
    const open = this.#current;
    // The fast path holds gas and costs in 32 bits. Gas never increases within a frame.
    const isPlain = this.#hasPlaces && open.count > 0 && steps.gas(first) < 2 ** 32;
    const row = isPlain ? this.#writeRun(open, steps, first) : first;
    if (row > first) return row;
    const child = runsChild(steps, row) ? this.#frames[this.#framesSeen++] : undefined;
    const isFirst = open.count === 0;
    if (!this.visit(open, steps, row, child)) return row + 1;
    if (this.#hasPlaces && steps.outcome(row) === StepOutcome.done && IS_PLAIN[steps.opcode(row)] === true) {
      const spans: PlaceSpans = { head: [this.#start, this.#headEnd], tail: [this.#tailStart, this.writer.at] };
      open.places.keep(steps.pc(row), steps.cost(row), this.writer.bytes, spans);
    }
    if (isFirst) this.writer.bytes[this.#start] = OPENING_BRACKET;
    return row + 1;
  }

  /** Fast path: writes operations at known program counters, up to one that is not plain. */
  #writeRun(open: TracedFrame, steps: StepBuffer, first: number): number {
    const { writer } = this;
    const { frame, stack, places } = open;
    const { bytes, words } = steps;
    const { indexes, costs, texts } = places;
    writer.reserve(0);
    const { view } = writer;
    const roomEnd = writer.roomEnd - OPERATION_BYTES;
    const { index } = frame;
    let { at } = writer;
    let row = first;
    for (; row < steps.length; row++) {
      const byte = row * STEP_BYTES;
      const word = row * STEP_WORDS;
      if (words[word + StepWord.frame] !== index || bytes[byte + StepByte.outcome] !== StepOutcome.done) break;
      const place = indexes[words[word + StepWord.pc] as number] as number;
      const cost = words[word + StepWord.cost] as number;
      if (place < 0 || costs[place] !== cost || at + stack.end > roomEnd) break;
      const opcode = bytes[byte + StepByte.opcode] as number;
      at = writeFragment(view, at, texts, place);
      if (FIXED_LENGTHS[opcode] !== 0) at = open.writeFixedRegion(view, at, steps, row);
      stack.apply(steps, row, undefined);
      at = stack.writeTopAt(view, at, PUSHES[opcode] as number);
      at = writeFragment(view, at, PARTS, USED);
      at = writeNumber(view, at, (words[word + StepWord.gas] as number) - cost);
      at = writeFragment(view, at, texts, place + 1);
    }
    writer.at = at;
    return row;
  }

  protected override begin(cost: number): void {
    const { writer } = this;
    writer.reserve(0);
    this.#start = writer.at;
    writer.fragment(PARTS, COST);
    writer.number(cost);
  }

  protected override notExecuted(): void {
    this.writer.fragment(PARTS, NOT_EXECUTED);
  }

  protected override memory({ memory }: TracedFrame, span: MemorySpan | undefined, off: number): void {
    const { writer } = this;
    writer.fragment(PARTS, span === undefined ? NO_MEMORY : MEMORY);
    this.#headEnd = writer.at;
    if (span === undefined) return;
    writer.hex(memory, span.offset, span.offset + span.length);
    writer.reserve(0);
    writer.fragment(PARTS, OFFSET);
    writer.number(off);
    writer.fragment(PARTS, PUSH);
  }

  protected override effects({ stack }: TracedFrame, pushed: number, slot: Slot<string> | undefined, used: number) {
    const { writer } = this;
    stack.writeTop(writer, pushed);
    if (slot === undefined) writer.fragment(PARTS, USED);
    else writer.text(`],"store":{"key":"0x${slot[0]}","val":"0x${slot[1]}"},"used":`);
    writer.number(used);
    this.#tailStart = writer.at;
    writer.bytes[writer.at++] = CLOSING_BRACE;
  }

  protected override end(open: TracedFrame, pc: number, opcode: number, sub: CallFrame | undefined): void {
    const { writer } = this;
    writer.fragment(PARTS, PC);
    writer.number(pc);
    const number = `${open.idxPrefix}${open.count++}`;
    if (sub !== undefined) {
      const name = this.hasNames ? NAMES[opcode] : "";
      writer.text(',"sub":');
      this.open(sub, `${name}${this.hasNumbers ? `,"idx":"${number}"` : ""}}`, `${number}-`);
      return;
    }
    writer.fragment(PARTS, NO_SUB);
    if (this.hasNumbers) {
      writer.fragment(NUMBERED_ENDINGS, opcode);
      writer.text(`${number}"}`);
    } else writer.fragment(this.hasNames ? NAMED_ENDINGS : ENDINGS, opcode);
  }
}

/** A frame whose operations are being listed. */
class TracedFrame implements OperationMachine<string> {
  readonly stack = new StackText();
  frame: CallFrame;
  places = new PlaceTexts();
  ending = "";
  /** Prefix of Erigon's `idx`. */
  idxPrefix = "";
  /** Number of operations written. The fast path may leave it too low, but never at zero. */
  count = 0;
  memory: Bytes = EMPTY_BYTES;

  constructor(frame: CallFrame) {
    this.frame = frame;
  }

  /** Reuses the buffers of the frame that was at this depth before. */
  begin(frame: CallFrame, places: PlaceTexts, ending: string, idxPrefix: string): void {
    this.frame = frame;
    this.places = places;
    this.ending = ending;
    this.idxPrefix = idxPrefix;
    this.count = 0;
    this.stack.clear();
    // A large buffer is not reused, because clearing it would slow down every small frame after it.
    if (this.memory.length > MAX_HELD_MEMORY) this.memory = EMPTY_BYTES;
    else this.memory.fill(0);
  }

  operand(index: number): string {
    return this.stack.digits(index);
  }

  region(opcode: number): MemorySpan {
    const region = MEMORY_REGIONS[opcode];
    if (region === undefined) return { offset: 0, length: 0 };
    const length = region.length < 0 ? region.fixedLength : this.stack.number(region.length);
    return { offset: length === 0 ? 0 : this.stack.number(region.offset), length };
  }

  apply(steps: StepBuffer, row: number, child: CallFrame | undefined): void {
    const { offset, length } = this.region(steps.opcode(row));
    if (length > 0) {
      const bytes = child === undefined ? steps.written(row) : returnDataAfter(child).subarray(0, length);
      this.#growTo(offset + bytes.length);
      this.memory.set(bytes, offset);
    }
    this.stack.apply(steps, row, child);
  }

  /** Applies an MLOAD, MSTORE or MSTORE8 to the memory and writes the words that it shows. */
  writeFixedRegion(view: DataView, at: number, { bytes, words, writes }: StepBuffer, row: number): number {
    const opcode = bytes[row * STEP_BYTES + StepByte.opcode] as number;
    const offset = this.stack.number(FIXED_OFFSETS[opcode] as number);
    const record = row * STEP_WORDS;
    const written = words[record + StepWord.writeLength] as number;
    const start = words[record + StepWord.writeStart] as number;
    this.#growTo(offset + written);
    const { memory } = this;
    // A loop is faster than `set` for so few bytes.
    for (let index = 0; index < written; index++) memory[offset + index] = writes[start + index] as number;
    const length = FIXED_LENGTHS[opcode] as number;
    let end = writeHex(view, at, memory, offset, offset + length);
    end = writeFragment(view, end, PARTS, OFFSET);
    end = writeNumber(view, end, offset);
    return writeFragment(view, end, PARTS, PUSH);
  }

  #growTo(length: number): void {
    if (length <= this.memory.length) return;
    const grown = new Uint8Array(Math.max(length, 2 * this.memory.length));
    grown.set(this.memory);
    this.memory = grown;
  }
}
