/**
 * Struct logs as JSON text, written from the recorded steps. The text equals that of the encoder of their values.
 *
 * Most operations change only gas and stack. The rest of such an entry is copied from the last entry with the same
 * program counter.
 */
import { StepOutcome } from "../../../evm/frames.ts";
import { MEMORY_REGIONS } from "../../../evm/instructions.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import { STEP_BYTES, STEP_WORDS, type StepBuffer, StepByte, StepWord } from "../../../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { gethOpcodeName } from "../../../tracer/formats/geth-errors.ts";
import {
  type ListedMachine,
  type StructLogOptions,
  type StructLogs,
  StructLogVisitor,
  structLogCost,
} from "../../../tracer/formats/struct-log.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { returnDataAfter } from "../../../tracer/recording.ts";
import { writeFragment, writeNumber, writeText } from "../stream/ascii.ts";
import { Fragments } from "../stream/fragments.ts";
import type { Pause } from "../stream/text.ts";
import { TextWriter } from "../stream/text-writer.ts";
import { MemoryText } from "./memory-text.ts";
import { type PlaceSpans, PlaceTexts } from "./place-texts.ts";
import { StackText } from "./stack-text.ts";
import { StorageText } from "./storage-text.ts";

const { SLOAD, SSTORE, SELFDESTRUCT } = Op;

/** The JSON array in pieces. */
export function* structLogsText({ recording, options }: StructLogs): Generator<string | Pause> {
  const { steps, frames } = recording;
  if (steps === undefined) throw new TypeError("structLogsText: the recording has no steps");
  const lister = new StructLogWriter(frames, options);
  const { writer } = lister;
  let left = options.limit || Number.POSITIVE_INFINITY;
  for (const buffer of steps) {
    if (buffer instanceof Promise) {
      yield buffer;
      continue;
    }
    const end = Math.min(buffer.length, left);
    for (let row = 0; row < end; ) {
      row = lister.write(buffer, row, end);
      if (writer.isFull) yield* writer.takePieces();
      lister.completeWritten();
    }
    left -= end;
    if (left === 0) break;
  }
  lister.end();
  yield writer.takePiece();
}

const PARTS = Fragments.of(',{"pc":', ',"gasCost":');
const PC = 0;
const GAS_COST = 1;
const NAMES = Fragments.of(...Array.from({ length: 256 }, (_, opcode) => `,"op":"${gethOpcodeName(opcode)}","gas":`));
const OPENING_BRACKET = 0x5b;
/** Upper bound of an entry's bytes without its stack. */
const ENTRY_BYTES = 512;

/** True for opcodes that start no frame, show no storage and do not change the refund counter. */
const IS_PLAIN: readonly boolean[] = Array.from({ length: 256 }, (_, opcode) => {
  return !startsFrame(opcode) && opcode !== SLOAD && opcode !== SSTORE && opcode !== SELFDESTRUCT;
});

/** Writes the entries as text. */
class StructLogWriter extends StructLogVisitor<string, ListedFrame, StorageText> {
  readonly writer = new TextWriter();
  /** True if entries end with the stack, as they do by default. */
  readonly #endsWithStack: boolean;
  #isEmpty = true;
  #completion: (() => void) | undefined;
  /** Refund counter of the entry before, and the text after the stack that holds it. */
  #refund = 0;
  #ending = Fragments.of("]}");
  /** Offsets of the entry's beginning, and of the texts before and after its gas. */
  #start = 0;
  #headEnd = 0;
  #tailStart = 0;

  constructor(frames: readonly CallFrame[], options: StructLogOptions) {
    super(frames, options);
    const { disableStack, enableMemory, enableReturnData } = options;
    this.#endsWithStack = disableStack !== true && enableMemory !== true && enableReturnData !== true;
  }

  /**
   * Writes the entries of the steps from row `first` to before `end`, and returns the next row. Steps must come in
   * order.
   */
  write(steps: StepBuffer, first: number, end: number): number {
    const open = this.frameAt(steps, first);
    // The fast path holds gas and costs in 32 bits. Gas never increases within a frame.
    const isPlain = this.#endsWithStack && steps.gas(first) < 2 ** 32;
    const row = isPlain ? this.#writeRun(open, steps, first, end) : first;
    if (row > first) return row;
    this.visit(open, steps, row);
    this.writer.text("}");
    if (this.#isEmpty) this.writer.bytes[this.#start] = OPENING_BRACKET;
    this.#isEmpty = false;
    return row + 1;
  }

  /** Applies the last step if its long texts had to be written before it: it may change them. */
  completeWritten(): void {
    this.#completion?.();
    this.#completion = undefined;
  }

  protected override complete(
    machine: ListedFrame,
    steps: StepBuffer,
    row: number,
    child: CallFrame | undefined,
  ): void {
    if (this.writer.hasLong) this.#completion = () => machine.apply(steps, row, child);
    else machine.apply(steps, row, child);
  }

  /** Ends the array. */
  end(): void {
    this.writer.text(this.#isEmpty ? "[]" : "]");
  }

  /** Fast path: writes entries at known program counters, up to one that is not plain. */
  #writeRun({ frame, stack, places }: ListedFrame, steps: StepBuffer, first: number, end: number): number {
    const { writer } = this;
    const { bytes, words } = steps;
    const { indexes, costs, texts } = places;
    const ending = this.#endingWith(steps.refund(first));
    writer.reserve(0);
    const { view } = writer;
    const roomEnd = writer.roomEnd - ENTRY_BYTES;
    const index = frame?.index;
    let { at } = writer;
    let row = first;
    for (; row < end; row++) {
      const byte = row * STEP_BYTES;
      const word = row * STEP_WORDS;
      const stackLength = stack.end;
      if (words[word + StepWord.frame] !== index || bytes[byte + StepByte.outcome] !== StepOutcome.done) break;
      const place = indexes[words[word + StepWord.pc] as number] as number;
      if (place < 0 || costs[place] !== words[word + StepWord.cost] || at + stackLength > roomEnd) break;
      at = writeFragment(view, at, texts, place);
      at = writeNumber(view, at, words[word + StepWord.gas] as number);
      at = writeFragment(view, at, texts, place + 1);
      if (stackLength > 0) at = writeText(view, at, stack.view, 0, stackLength - 1);
      at = writeFragment(view, at, ending, 0);
      stack.apply(steps, row, undefined);
    }
    writer.at = at;
    return row;
  }

  #endingWith(refund: number): Fragments {
    if (refund !== this.#refund) this.#ending = Fragments.of(refund === 0 ? "]}" : `],"refund":${refund}}`);
    this.#refund = refund;
    return this.#ending;
  }

  /** Reuses the buffers of the frame that was at this depth before. */
  protected override machineOf(frame: CallFrame, last: ListedFrame | undefined): ListedFrame {
    const listed = last ?? new ListedFrame(frame.depth, this.options.enableMemory === true);
    listed.begin(frame);
    return listed;
  }

  protected override recordedWord(steps: StepBuffer, row: number): string {
    return wordOf(steps.word(row).toString(16));
  }

  protected override begin({ depthText }: ListedFrame, steps: StepBuffer, row: number): void {
    const { writer } = this;
    writer.reserve(0);
    this.#start = writer.at;
    writer.fragment(PARTS, PC);
    writer.number(steps.pc(row));
    writer.fragment(NAMES, steps.opcode(row));
    this.#headEnd = writer.at;
    writer.number(steps.gas(row));
    this.#tailStart = writer.at;
    writer.fragment(PARTS, GAS_COST);
    writer.number(structLogCost(steps, row));
    writer.fragment(depthText, 0);
  }

  protected override error(text: string): void {
    this.writer.text(`,"error":${JSON.stringify(text)}`);
  }

  protected override stack({ stack, places }: ListedFrame, steps: StepBuffer, row: number): void {
    const { writer } = this;
    writer.text(',"stack":[');
    if (this.#endsWithStack && steps.outcome(row) === StepOutcome.done && IS_PLAIN[steps.opcode(row)] === true) {
      const spans: PlaceSpans = { head: [this.#start, this.#headEnd], tail: [this.#tailStart, writer.at] };
      places.keep(steps.pc(row), steps.cost(row), writer.bytes, spans);
    }
    stack.writeTo(writer);
    writer.text("]");
  }

  protected override returnData(bytes: Bytes): void {
    this.writer.text(',"returnData":');
    this.writer.data(bytes);
  }

  protected override memory({ memory }: ListedFrame, length: number): void {
    this.writer.text(',"memory":[');
    memory.writeTo(this.writer, length);
    this.writer.text("]");
  }

  protected override noSlots(): StorageText {
    return new StorageText();
  }

  protected override storage(slots: StorageText): void {
    this.writer.text(',"storage":');
    slots.writeTo(this.writer);
  }

  protected override refund(counter: number): void {
    this.writer.text(`,"refund":${counter}`);
  }
}

/** A frame whose steps are being listed. */
class ListedFrame implements ListedMachine<string> {
  readonly stack = new StackText();
  readonly memory = new MemoryText();
  readonly depthText: Fragments;
  readonly #hasMemory: boolean;
  frame: CallFrame | undefined;
  returnData: Bytes = EMPTY_BYTES;
  places = new PlaceTexts();
  /** By code. */
  readonly #places = new Map<Bytes, PlaceTexts>();

  constructor(depth: number, hasMemory: boolean) {
    this.depthText = Fragments.of(`,"depth":${depth + 1}`);
    this.#hasMemory = hasMemory;
  }

  get height(): number {
    return this.stack.height;
  }

  operand(index: number): string {
    return wordOf(this.stack.digits(index));
  }

  /** Begins a frame at the same depth. */
  begin(frame: CallFrame): void {
    this.frame = frame;
    this.returnData = EMPTY_BYTES;
    this.stack.clear();
    this.memory.clear();
    this.places = this.#places.get(frame.code) ?? new PlaceTexts(frame.code);
    this.#places.set(frame.code, this.places);
  }

  apply(steps: StepBuffer, row: number, child: CallFrame | undefined): void {
    if (child !== undefined) this.returnData = returnDataAfter(child);
    if (this.#hasMemory) this.#writeMemory(steps, row);
    this.stack.apply(steps, row, child);
  }

  /** Applies a step to the memory. The stack must be as before the step. */
  #writeMemory(steps: StepBuffer, row: number): void {
    const { memory, stack, returnData } = this;
    if (steps.writeLength(row) > 0) memory.write(steps.writeOffset(row), steps.written(row));
    const region = MEMORY_REGIONS[steps.opcode(row)];
    if (region?.isCallOutput !== true) return;
    const length = Math.min(stack.number(region.length), returnData.length);
    if (length > 0) memory.write(stack.number(region.offset), returnData.subarray(0, length));
  }
}

function wordOf(digits: string): string {
  return `0x${digits.padStart(64, "0")}`;
}
