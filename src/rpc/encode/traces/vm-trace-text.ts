/**
 * A vmTrace as JSON text, written from the recorded steps. The text equals that of the encoder of its values.
 *
 * Operations are written in execution order, inner frames in their places. Most operations change only gas and stack.
 * The rest of such an operation is copied from the last one with the same program counter.
 */
import { StepOutcome } from "../../../evm/frames.ts";
import { instructionOf } from "../../../evm/instructions.ts";
import { MEMORY_REGIONS } from "../../../evm/memory-regions.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import { STEP_BYTES, STEP_WORDS, type StepBuffer, StepByte, StepWord } from "../../../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { gasAfter, returnDataAfter } from "../../../tracer/call-results.ts";
import type { TraceClient } from "../../../tracer/formats/flat-errors.ts";
import {
  isBehindCode,
  isExecuted,
  isListed,
  isShown,
  listedCode,
  listedCost,
  pushedCount,
  type RecordedVmTrace,
} from "../../../tracer/formats/vm-trace.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { writeFragment, writeHex, writeNumber } from "../stream/ascii.ts";
import { Fragments } from "../stream/fragments.ts";
import type { Pause } from "../stream/text.ts";
import { TextWriter } from "../stream/text-writer.ts";
import { type PlaceSpans, PlaceTexts } from "./place-texts.ts";
import { StackText } from "./stack-text.ts";

const { SSTORE } = Op;

const MAX_KEPT_MEMORY = 16 * 1024;

/** The trace in pieces. */
export function* vmTraceText({ recording, options }: RecordedVmTrace): Generator<Bytes | Pause> {
  const { steps, frames } = recording;
  if (steps === undefined) throw new TypeError("vmTraceText: the recording has no steps");
  const lister = new OperationLister(frames, options.client);
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
  '},"pc":',
  ',"ex":null,"pc":',
  ',"sub":null',
);
const COST = 0;
const NO_MEMORY = 1;
const MEMORY = 2;
const OFFSET = 3;
const PUSH = 4;
const USED = 5;
const PC = 6;
const NOT_EXECUTED = 7;
const NO_SUB = 8;
const OPENING_BRACKET = 0x5b;
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

class OperationLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #client: TraceClient | undefined;
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

  constructor(frames: readonly CallFrame[], client: TraceClient | undefined) {
    this.#frames = frames;
    this.#client = client;
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
    this.#open[this.#depth] ??= new TracedFrame();
    this.#current.begin(frame, places, ending, idxPrefix);
    this.writer.text('{"code":');
    this.writer.data(listedCode(frame, this.#client));
    this.writer.text(',"ops":');
  }

  /** Closes the frames inside this one; without an argument, all frames. */
  closeUntil(frame: number | undefined): void {
    for (; this.#depth >= 0 && this.#current.frame?.index !== frame; this.#depth--) {
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
    const isInCode = !isBehindCode(steps, row, open.frame as CallFrame, this.#client);
    if (isInCode && isListed(steps.outcome(row), this.#client)) this.#writeOne(open, steps, row);
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
    const index = frame?.index;
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

  /** Writes an operation of any kind and applies its step. */
  #writeOne(open: TracedFrame, steps: StepBuffer, row: number): void {
    const { writer } = this;
    const client = this.#client;
    const outcome = steps.outcome(row);
    const opcode = steps.opcode(row);
    const child = startsFrame(opcode) && outcome === StepOutcome.done ? this.#frames[this.#framesSeen++] : undefined;
    writer.reserve(0);
    const start = writer.at;
    writer.fragment(PARTS, COST);
    writer.number(listedCost(steps, row, client));
    const hasEffects = isExecuted(outcome, client);
    const headEnd = hasEffects ? this.#writeEffects(open, steps, row, child) : start;
    const tailStart = writer.at;
    writer.fragment(PARTS, hasEffects ? PC : NOT_EXECUTED);
    writer.number(steps.pc(row));
    if (child !== undefined && isShown(child, client)) {
      const idx = `${open.idxPrefix}${open.count}`;
      const name = client === "openethereum" ? "" : NAMES[opcode];
      writer.text(',"sub":');
      this.open(child, `${name}${client === "erigon" ? `,"idx":"${idx}"` : ""}}`, `${idx}-`);
    } else {
      writer.fragment(PARTS, NO_SUB);
      if (client === "erigon") {
        writer.fragment(NUMBERED_ENDINGS, opcode);
        writer.text(open.idxPrefix);
        writer.number(open.count);
        writer.text('"}');
      } else writer.fragment(client === "openethereum" ? ENDINGS : NAMED_ENDINGS, opcode);
    }
    if (this.#hasPlaces && outcome === StepOutcome.done && IS_PLAIN[opcode] === true) {
      const spans: PlaceSpans = { head: [start, headEnd], tail: [tailStart, writer.at] };
      open.places.keep(steps.pc(row), steps.cost(row), writer.bytes, spans);
    }
    if (open.count++ === 0) writer.bytes[start] = OPENING_BRACKET;
  }

  /**
   * Writes memory, pushed items, storage and gas. reth shows the gas and the whole memory before the operation.
   *
   * @returns offset of the memory, or of the pushed items if there is no memory
   */
  #writeEffects(open: TracedFrame, steps: StepBuffer, row: number, child: CallFrame | undefined): number {
    const { writer } = this;
    const { stack } = open;
    const isReth = this.#client === "reth";
    const isDone = steps.outcome(row) === StepOutcome.done;
    const opcode = steps.opcode(row);
    const region = isDone ? MEMORY_REGIONS[opcode] : undefined;
    const length = region === undefined ? 0 : region.length < 0 ? region.fixedLength : stack.number(region.length);
    const offset = region === undefined || length === 0 ? 0 : stack.number(region.offset);
    const isStore = isDone && opcode === SSTORE && !isReth;
    const store = isStore ? `],"store":{"key":"0x${stack.digits(0)}","val":"0x${stack.digits(1)}"},"used":` : undefined;
    const before = isReth ? steps.memoryBytes(row) : 0;
    writer.fragment(PARTS, isReth || length > 0 ? MEMORY : NO_MEMORY);
    const headEnd = writer.at;
    if (isReth) writeRegion(writer, open.memory, [0, before], before);
    if (length > 0) open.writeMemory(steps, row, child, [offset, length]);
    if (!isReth && length > 0) writeRegion(writer, open.memory, [offset, offset + length], offset);
    if (isDone) stack.apply(steps, row, child);
    stack.writeTop(writer, pushedCount(steps, row, this.#client));
    if (store === undefined) writer.fragment(PARTS, USED);
    else writer.text(store);
    writer.number(isReth ? steps.gas(row) : gasAfter(steps, row, child));
    return headEnd;
  }
}

function writeRegion(writer: TextWriter, memory: Bytes, [start, end]: readonly [number, number], off: number): void {
  writer.hex(memory, start, end);
  writer.reserve(0);
  writer.fragment(PARTS, OFFSET);
  writer.number(off);
  writer.fragment(PARTS, PUSH);
}

/** A frame whose operations are being listed. */
class TracedFrame {
  readonly stack = new StackText();
  frame: CallFrame | undefined;
  places = new PlaceTexts();
  ending = "";
  /** Prefix of Erigon's `idx`. */
  idxPrefix = "";
  /** Number of operations written. The fast path may leave it too low, but never at zero. */
  count = 0;
  memory: Bytes = EMPTY_BYTES;

  /** Reuses the buffers of the frame that was at this depth before. */
  begin(frame: CallFrame, places: PlaceTexts, ending: string, idxPrefix: string): void {
    this.frame = frame;
    this.places = places;
    this.ending = ending;
    this.idxPrefix = idxPrefix;
    this.count = 0;
    this.stack.clear();
    // A large buffer is not reused, because clearing it would slow down every small frame after it.
    if (this.memory.length > MAX_KEPT_MEMORY) this.memory = EMPTY_BYTES;
    else this.memory.fill(0);
  }

  /** Applies a step to the memory region that it names. */
  writeMemory(
    steps: StepBuffer,
    row: number,
    child: CallFrame | undefined,
    [offset, length]: readonly [number, number],
  ): void {
    const bytes = child === undefined ? steps.written(row) : returnDataAfter(child).subarray(0, length);
    this.#growTo(offset + bytes.length);
    this.memory.set(bytes, offset);
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
