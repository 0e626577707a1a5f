/**
 * Struct logs as JSON text, written from the recorded steps. The text equals that of the encoder of their values.
 *
 * Most operations change only gas and stack. The rest of such an entry is copied from the last entry with the same
 * program counter.
 */
import { StepOutcome } from "../../../evm/frames.ts";
import { MEMORY_REGIONS } from "../../../evm/memory-regions.ts";
import { Op, startsFrame } from "../../../evm/opcodes.ts";
import { STEP_BYTES, STEP_WORDS, type StepBuffer, StepByte, StepWord } from "../../../evm/step-buffer.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { returnDataAfter } from "../../../tracer/call-results.ts";
import { gethOpcodeName } from "../../../tracer/formats/geth-errors.ts";
import {
  type StructLogOptions,
  type StructLogs,
  structLogCost,
  structLogError,
} from "../../../tracer/formats/struct-log.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { writeFragment, writeNumber, writeText } from "../stream/ascii.ts";
import { Fragments } from "../stream/fragments.ts";
import type { Pause } from "../stream/text.ts";
import { TextWriter } from "../stream/text-writer.ts";
import { MemoryText } from "./memory-text.ts";
import { type PlaceSpans, PlaceTexts } from "./place-texts.ts";
import { StackText } from "./stack-text.ts";

const { SLOAD, SSTORE, SELFDESTRUCT } = Op;

/** The JSON array in pieces. */
export function* structLogsText({ recording, options }: StructLogs): Generator<Bytes | Pause> {
  const { steps, frames } = recording;
  if (steps === undefined) throw new TypeError("structLogsText: the recording has no steps");
  const lister = new StructLogLister(frames, options);
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
      if (writer.isFull) yield writer.takePiece();
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

class StructLogLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #options: StructLogOptions;
  /** True if entries end with the stack, as they do by default. */
  readonly #endsWithStack: boolean;
  /** By depth. */
  readonly #open: ListedFrame[] = [];
  /** Number of frames that the steps so far started or tried to start, the outermost included. */
  #framesSeen = 1;
  #isEmpty = true;
  /** By account: slots that SLOAD and SSTORE have accessed, with their values, as digits. */
  readonly #storage = new Map<string, Map<string, string>>();
  /** Refund counter of the entry before, and the text after the stack that holds it. */
  #refund = 0;
  #ending = Fragments.of("]}");

  constructor(frames: readonly CallFrame[], options: StructLogOptions) {
    const { disableStack, enableMemory, enableReturnData } = options;
    this.#frames = frames;
    this.#options = options;
    this.#endsWithStack = disableStack !== true && enableMemory !== true && enableReturnData !== true;
  }

  /**
   * Writes the entries of the steps from row `first` to before `end`, and returns the next row. Steps must come in
   * order.
   */
  write(steps: StepBuffer, first: number, end: number): number {
    const open = this.#openFrame(steps.frame(first));
    // The fast path holds gas and costs in 32 bits. Gas never increases within a frame.
    const isPlain = this.#endsWithStack && steps.gas(first) < 2 ** 32;
    const row = isPlain ? this.#writeRun(open, steps, first, end) : first;
    if (row > first) return row;
    this.#writeOne(open, steps, row);
    return row + 1;
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

  /** Writes an entry of any kind and applies its step. */
  #writeOne(open: ListedFrame, steps: StepBuffer, row: number): void {
    const { writer } = this;
    writer.reserve(0);
    const start = writer.at;
    writer.fragment(PARTS, PC);
    writer.number(steps.pc(row));
    writer.fragment(NAMES, steps.opcode(row));
    const headEnd = writer.at;
    writer.number(steps.gas(row));
    const tailStart = writer.at;
    writer.fragment(PARTS, GAS_COST);
    writer.number(structLogCost(steps, row));
    writer.fragment(open.depthText, 0);
    const outcome = steps.outcome(row);
    const error = outcome === StepOutcome.done ? undefined : structLogError(outcome, open.frame as CallFrame);
    if (error !== undefined) writer.text(`,"error":${JSON.stringify(error)}`);
    if (this.#options.disableStack !== true) {
      writer.text(',"stack":[');
      if (this.#endsWithStack && error === undefined && IS_PLAIN[steps.opcode(row)] === true) {
        const spans: PlaceSpans = { head: [start, headEnd], tail: [tailStart, writer.at] };
        open.places.keep(steps.pc(row), steps.cost(row), writer.bytes, spans);
      }
      open.stack.writeTo(writer);
      writer.text("]");
    }
    this.#writeRest(open, steps, row);
    if (this.#isEmpty) writer.bytes[start] = OPENING_BRACKET;
    this.#isEmpty = false;
    if (outcome === StepOutcome.done) this.#apply(open, steps, row);
  }

  /** Writes all members after the stack, in the encoder's order. */
  #writeRest(open: ListedFrame, steps: StepBuffer, row: number): void {
    const { writer } = this;
    const { enableMemory, enableReturnData, disableStorage } = this.#options;
    if (enableReturnData === true && open.returnData.length > 0) {
      writer.text(',"returnData":');
      writer.data(open.returnData);
    }
    const memoryBytes = enableMemory === true ? steps.memoryBytes(row) : 0;
    if (memoryBytes > 0) {
      writer.text(',"memory":[');
      open.memory.writeTo(writer, memoryBytes);
      writer.text("]");
    }
    const slots = disableStorage === true ? undefined : this.#slotsAt(open, steps, row);
    if (slots !== undefined) writer.text(`,"storage":${JSON.stringify(Object.fromEntries(slots))}`);
    const refund = steps.refund(row);
    if (refund !== 0) writer.text(`,"refund":${refund}`);
    writer.text("}");
  }

  /** Adds the slot that a SLOAD or SSTORE accesses and returns its account's slots; undefined for other operations. */
  #slotsAt({ frame, stack }: ListedFrame, steps: StepBuffer, row: number): ReadonlyMap<string, string> | undefined {
    const opcode = steps.opcode(row);
    const account = frame?.account;
    const isLoad = opcode === SLOAD;
    if ((!isLoad && opcode !== SSTORE) || account === undefined) return undefined;
    if (stack.height < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    const slots = this.#storage.get(key) ?? new Map<string, string>();
    this.#storage.set(key, slots);
    // A load that ran out of gas has no value in the recording.
    if (!isLoad) slots.set(wordOf(stack.digits(0)), wordOf(stack.digits(1)));
    else if (steps.hasWord(row)) slots.set(wordOf(stack.digits(0)), wordOf(steps.word(row).toString(16)));
    return slots;
  }

  #apply(open: ListedFrame, steps: StepBuffer, row: number): void {
    const child = startsFrame(steps.opcode(row)) ? this.#frames[this.#framesSeen++] : undefined;
    if (child !== undefined) open.returnData = returnDataAfter(child);
    if (this.#options.enableMemory === true) open.writeMemory(steps, row);
    open.stack.apply(steps, row, child);
  }

  #openFrame(index: number): ListedFrame {
    const frame = this.#frames[index] as CallFrame;
    let open = this.#open[frame.depth];
    if (open === undefined) {
      open = new ListedFrame(frame.depth);
      this.#open[frame.depth] = open;
    }
    if (open.frame !== frame) open.begin(frame);
    return open;
  }
}

/** A frame whose steps are being listed. */
class ListedFrame {
  readonly stack = new StackText();
  readonly memory = new MemoryText();
  readonly depthText: Fragments;
  frame: CallFrame | undefined;
  returnData: Bytes = EMPTY_BYTES;
  places = new PlaceTexts();
  /** By code. */
  readonly #places = new Map<Bytes, PlaceTexts>();

  constructor(depth: number) {
    this.depthText = Fragments.of(`,"depth":${depth + 1}`);
  }

  /** Reuses the buffers of the frame that was at this depth before. */
  begin(frame: CallFrame): void {
    this.frame = frame;
    this.returnData = EMPTY_BYTES;
    this.stack.clear();
    this.memory.clear();
    this.places = this.#places.get(frame.code) ?? new PlaceTexts(frame.code);
    this.#places.set(frame.code, this.places);
  }

  /** Applies a step to the memory. The stack must be as before the step. */
  writeMemory(steps: StepBuffer, row: number): void {
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
