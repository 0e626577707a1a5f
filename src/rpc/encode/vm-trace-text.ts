/**
 * A vmTrace as JSON text straight from the recorded steps: character for character what the encoder of its values gives.
 *
 * Steps are taken in the order in which they ran, inner frames in their places.
 */
import { StepOutcome } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { MEMORY_REGIONS } from "../../evm/memory-regions.ts";
import { Op, startsFrame } from "../../evm/opcodes.ts";
import type { StepBuffer } from "../../evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { gasAfter, returnDataAfter } from "../../tracer/call-results.ts";
import type { TraceClient } from "../../tracer/formats/flat-errors.ts";
import {
  isBehindCode,
  isExecuted,
  isListed,
  isShown,
  listedCode,
  listedCost,
  pushedCount,
  type RecordedVmTrace,
} from "../../tracer/formats/vm-trace.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { Fragments } from "./fragments.ts";
import { StackText } from "./stack-text.ts";
import type { Pause } from "./text.ts";
import { TextWriter } from "./text-writer.ts";

const MAX_KEPT_MEMORY = 16 * 1024;

/** The pieces of a trace. */
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
    for (let row = 0; row < buffer.length; row++) {
      lister.write(buffer, row);
      if (writer.isFull) yield writer.takePiece();
    }
  }
  lister.closeUntil(undefined);
  yield writer.takePiece();
}

const PARTS = Fragments.of(
  ',{"cost":',
  ',"ex":{"mem":',
  ',"push":[',
  '],"store":',
  ',"used":',
  '},"pc":',
  ',"ex":null,"pc":',
  ',"sub":null',
  "null",
);
const COST = 0;
const MEMORY = 1;
const PUSH = 2;
const STORE = 3;
const USED = 4;
const PC = 5;
const NOT_EXECUTED = 6;
const NO_SUB = 7;
const NULL = 8;
const NAMES = Fragments.of(...Array.from({ length: 256 }, (_, opcode) => `,"op":"${instructionOf(opcode).name}"`));

class OperationLister {
  readonly writer = new TextWriter();
  readonly #frames: readonly CallFrame[];
  readonly #client: TraceClient | undefined;
  /** By depth of nesting. */
  readonly #pool: TracedFrame[] = [];
  #depth = -1;
  /** Frames that steps have started or been refused, the outermost included. */
  #framesSeen = 1;

  constructor(frames: readonly CallFrame[], client: TraceClient | undefined) {
    this.#frames = frames;
    this.#client = client;
  }

  get #current(): TracedFrame {
    return this.#pool[this.#depth] as TracedFrame;
  }

  /** @param tail - what follows the frame: the rest of the operation that it belongs to */
  open(frame: CallFrame, tail: string, idxPrefix: string): void {
    this.#depth++;
    this.#pool[this.#depth] ??= new TracedFrame();
    this.#current.begin(frame, tail, idxPrefix);
    this.writer.text(`{"code":"${encodeData(listedCode(frame, this.#client))}","ops":[`);
  }

  /** Ends the frames that are within this one; all of them where there is none. */
  closeUntil(frame: number | undefined): void {
    for (; this.#depth >= 0 && this.#current.frame?.index !== frame; this.#depth--) {
      this.writer.text(`]}${this.#current.tail}`);
    }
  }

  /** Writes the operation of a step, and moves on past it. Steps come in order. */
  write(steps: StepBuffer, row: number): void {
    this.closeUntil(steps.frame(row));
    const open = this.#current;
    const frame = open.frame as CallFrame;
    const outcome = steps.outcome(row);
    if (isBehindCode(steps, row, frame, this.#client) || !isListed(outcome, this.#client)) return;
    const opcode = steps.opcode(row);
    const child = startsFrame(opcode) && outcome === StepOutcome.done ? this.#frames[this.#framesSeen++] : undefined;
    const { writer } = this;
    writer.reserve(0);
    if (open.count === 0) writer.text('{"cost":');
    else writer.fragment(PARTS, COST);
    writer.number(listedCost(steps, row, this.#client));
    if (isExecuted(outcome, this.#client)) {
      writer.fragment(PARTS, MEMORY);
      this.#writeExecuted(open, steps, row, child);
      writer.fragment(PARTS, PC);
    } else writer.fragment(PARTS, NOT_EXECUTED);
    writer.number(steps.pc(row));
    const idx = `${open.idxPrefix}${open.count++}`;
    if (child !== undefined && isShown(child, this.#client)) {
      writer.text(',"sub":');
      this.open(child, this.#tail(opcode, idx), `${idx}-`);
    } else {
      writer.fragment(PARTS, NO_SUB);
      if (this.#client !== "openethereum") writer.fragment(NAMES, opcode);
      if (this.#client === "erigon") writer.text(`,"idx":"${idx}"`);
      writer.text("}");
    }
  }

  #tail(opcode: number, idx: string): string {
    if (this.#client === "openethereum") return "}";
    return `,"op":"${instructionOf(opcode).name}"${this.#client === "erigon" ? `,"idx":"${idx}"` : ""}}`;
  }

  #writeExecuted(open: TracedFrame, steps: StepBuffer, row: number, child: CallFrame | undefined): void {
    const { writer } = this;
    const { stack } = open;
    const isReth = this.#client === "reth";
    const isDone = steps.outcome(row) === StepOutcome.done;
    const opcode = steps.opcode(row);
    let offset = 0;
    let length = 0;
    if (isReth) {
      length = steps.memoryBytes(row);
      writer.text('{"data":"0x');
      writer.hex(open.memory, 0, length);
      writer.text(`","off":${length}}`);
    }
    const region = isDone ? MEMORY_REGIONS[opcode] : undefined;
    if (region !== undefined) {
      length = region.length < 0 ? region.fixedLength : stack.number(region.length);
      offset = length === 0 ? 0 : stack.number(region.offset);
      open.writeMemory(steps, row, child, offset, length);
    }
    const isStore = isDone && opcode === Op.SSTORE && !isReth;
    const key = isStore ? stack.digits(0) : "";
    const value = isStore ? stack.digits(1) : "";
    if (isDone) stack.apply(steps, row, child);
    if (!isReth) {
      if (region === undefined || length === 0) writer.fragment(PARTS, NULL);
      else {
        writer.text('{"data":"0x');
        writer.hex(open.memory, offset, offset + length);
        writer.text('","off":');
        writer.number(offset);
        writer.text("}");
      }
    }
    writer.fragment(PARTS, PUSH);
    stack.writeTop(writer, pushedCount(steps, row, this.#client));
    writer.fragment(PARTS, STORE);
    if (isStore) writer.text(`{"key":"0x${key}","val":"0x${value}"}`);
    else writer.fragment(PARTS, NULL);
    writer.fragment(PARTS, USED);
    writer.slowNumber(isReth ? steps.gas(row) : gasAfter(steps, row, child));
  }
}

/** A frame whose operations are being listed. */
class TracedFrame {
  readonly stack = new StackText();
  frame: CallFrame | undefined;
  tail = "";
  idxPrefix = "";
  /** Operations that were listed. */
  count = 0;
  memory: Bytes = EMPTY_BYTES;

  /** Frames of one depth follow each other: what the last one left is used again. */
  begin(frame: CallFrame, tail: string, idxPrefix: string): void {
    this.frame = frame;
    this.tail = tail;
    this.idxPrefix = idxPrefix;
    this.count = 0;
    this.stack.clear();
    // Filling what a large frame left would cost every small one after it.
    if (this.memory.length > MAX_KEPT_MEMORY) this.memory = EMPTY_BYTES;
    else this.memory.fill(0);
  }

  /** Does to the memory what a step did; `offset` and `length` are those of the region that it names. */
  writeMemory(steps: StepBuffer, row: number, child: CallFrame | undefined, offset: number, length: number): void {
    const bytes = child === undefined ? steps.written(row) : returnDataAfter(child).subarray(0, length);
    const end = offset + bytes.length;
    if (end > this.memory.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.memory.length));
      grown.set(this.memory);
      this.memory = grown;
    }
    this.memory.set(bytes, offset);
  }
}
