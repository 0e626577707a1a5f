/**
 * Struct logs as JSON text straight from the recorded steps: character for character what the encoder of their values
 * gives.
 */
import { StepOutcome } from "../../evm/frames.ts";
import { MEMORY_REGIONS } from "../../evm/memory-regions.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { returnDataAfter } from "../../tracer/call-results.ts";
import { gethOpcodeName } from "../../tracer/formats/geth-errors.ts";
import {
  type StructLogOptions,
  type StructLogs,
  structLogCost,
  structLogError,
} from "../../tracer/formats/struct-log.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { Fragments } from "./fragments.ts";
import { MemoryText } from "./memory-text.ts";
import { StackText } from "./stack-text.ts";
import type { Pause } from "./text.ts";
import { TextWriter } from "./text-writer.ts";

/** The list in pieces. */
export function* structLogsText({ recording, options }: StructLogs): Generator<Bytes | Pause> {
  const { steps, frames } = recording;
  if (steps === undefined) throw new TypeError("structLogsText: the recording has no steps");
  const lister = new StructLogLister(frames, options);
  const { writer } = lister;
  let left = options.limit || Number.POSITIVE_INFINITY;
  writer.text("[");
  for (const buffer of steps) {
    if (buffer instanceof Promise) {
      yield buffer;
      continue;
    }
    for (let row = 0; row < buffer.length && left > 0; row++, left--) {
      lister.write(buffer, row);
      if (writer.isFull) yield writer.takePiece();
    }
    if (left === 0) break;
  }
  writer.text("]");
  yield writer.takePiece();
}

const PARTS = Fragments.of(',{"pc":', ',"gasCost":');
const PC = 0;
const GAS_COST = 1;
const NAMES = Fragments.of(...Array.from({ length: 256 }, (_, opcode) => `,"op":"${gethOpcodeName(opcode)}","gas":`));

class StructLogLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #options: StructLogOptions;
  /** By depth. */
  readonly #open: ListedFrame[] = [];
  /** Frames that steps have started or been refused, the outermost included. */
  #framesSeen = 1;
  #isEmpty = true;
  /** Slots that SLOAD and SSTORE named so far and what was there, as digits, by account. */
  readonly #storage = new Map<string, Map<string, string>>();

  constructor(frames: readonly CallFrame[], options: StructLogOptions) {
    this.#frames = frames;
    this.#options = options;
  }

  /** Writes the entry of a step, and moves on past it. Steps come in order. */
  write(steps: StepBuffer, row: number): void {
    const open = this.#openFrame(steps.frame(row));
    const { writer } = this;
    writer.reserve(0);
    const opcode = steps.opcode(row);
    if (this.#isEmpty) writer.text('{"pc":');
    else writer.fragment(PARTS, PC);
    this.#isEmpty = false;
    writer.number(steps.pc(row));
    writer.fragment(NAMES, opcode);
    writer.slowNumber(steps.gas(row));
    writer.fragment(PARTS, GAS_COST);
    writer.number(structLogCost(steps, row));
    this.#writeRest(open, steps, row);
    if (steps.outcome(row) === StepOutcome.done) this.#apply(open, steps, row);
  }

  #writeRest(open: ListedFrame, steps: StepBuffer, row: number): void {
    const { writer } = this;
    const { disableStack, enableMemory, enableReturnData, disableStorage } = this.#options;
    writer.fragment(open.depthText, 0);
    const outcome = steps.outcome(row);
    const error = outcome === StepOutcome.done ? undefined : structLogError(outcome, open.frame as CallFrame);
    if (error !== undefined) writer.text(`,"error":${JSON.stringify(error)}`);
    if (disableStack !== true) {
      writer.text(',"stack":[');
      if (open.stack.height > 0) writer.copyFrom(open.stack.text, 0, open.stack.text.at - 1);
      writer.text("]");
    }
    if (enableReturnData === true && open.returnData.length > 0) {
      writer.text(`,"returnData":"${encodeData(open.returnData)}"`);
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

  /** Adds what a SLOAD or SSTORE looks at, and gives its account's slots; undefined for other operations. */
  #slotsAt(open: ListedFrame, steps: StepBuffer, row: number): ReadonlyMap<string, string> | undefined {
    const opcode = steps.opcode(row);
    const account = open.frame?.account;
    const isLoad = opcode === Op.SLOAD;
    if ((!isLoad && opcode !== Op.SSTORE) || account === undefined) return undefined;
    if (open.stack.height < (isLoad ? 1 : 2)) return undefined;
    const key = bytesKey(account);
    const slots = this.#storage.get(key) ?? new Map<string, string>();
    this.#storage.set(key, slots);
    // A load that could not be paid has no value in the recording.
    if (!isLoad) slots.set(wordOf(open.stack.digits(0)), wordOf(open.stack.digits(1)));
    else if (steps.hasWord(row)) slots.set(wordOf(open.stack.digits(0)), wordOf(steps.word(row).toString(16)));
    return slots;
  }

  #apply(open: ListedFrame, steps: StepBuffer, row: number): void {
    const opcode = steps.opcode(row);
    const child = startsFrame(opcode) ? this.#frames[this.#framesSeen++] : undefined;
    if (child !== undefined) open.returnData = returnDataAfter(child);
    if (this.#options.enableMemory === true) writeMemory(open, steps, row, child);
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

  constructor(depth: number) {
    this.depthText = Fragments.of(`,"depth":${depth + 1}`);
  }

  /** Frames of one depth follow each other: what the last one left is used again. */
  begin(frame: CallFrame): void {
    this.frame = frame;
    this.returnData = EMPTY_BYTES;
    this.stack.clear();
    this.memory.clear();
  }
}

function writeMemory(
  { memory, stack, returnData }: ListedFrame,
  steps: StepBuffer,
  row: number,
  child: CallFrame | undefined,
): void {
  if (child === undefined) {
    if (steps.writeLength(row) > 0) memory.write(steps.writeOffset(row), steps.written(row));
    return;
  }
  const region = MEMORY_REGIONS[steps.opcode(row)];
  if (region === undefined) return;
  const length = Math.min(stack.number(region.length), returnData.length);
  if (length > 0) memory.write(stack.number(region.offset), returnData.subarray(0, length));
}

function wordOf(digits: string): string {
  return `0x${digits.padStart(64, "0")}`;
}
