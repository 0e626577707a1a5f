/**
 * Hears of steps and puts them in columns: which frame is running, which of its steps, and where that one will write.
 *
 * Frames are known here by their numbers alone; what else there is to them is the Recorder's.
 */

import { CallSteps } from "./call-steps.ts";
import { type FrameEnd, type FrameKind, isCreation, type LiveStep, type StepOutcome, Telling } from "./events.ts";
import { MEMORY_REGIONS, regionLength, regionOffset } from "./memory-regions.ts";
import { isDup, isSwap, Op, opcodeShape, startsFrame } from "./opcodes.ts";
import type { StepChunk } from "./step-chunk.ts";
import { StepColumns } from "./step-columns.ts";
import type { StepStore } from "./step-store.ts";

/** Opcodes that leave one computed item on top, for the formats to list; DUP and SWAP only move items. */
const LEAVES_WORD: readonly boolean[] = Array.from(
  { length: 256 },
  (_, opcode) => opcodeShape(opcode).pushes === 1 && !isDup(opcode) && !isSwap(opcode),
);

/** Operations that change more than gas and stack are told of by events: frames, memory where it is kept, refunds. */
const tellingOf = (opcode: number, hasMemory: boolean): Telling => {
  if (startsFrame(opcode) || opcode === Op.SSTORE || opcode === Op.SELFDESTRUCT) return Telling.events;
  if (hasMemory && MEMORY_REGIONS[opcode]?.isWritten === true) return Telling.events;
  return LEAVES_WORD[opcode] === true ? Telling.rowAndWord : Telling.row;
};
const TELLING = Uint8Array.from({ length: 256 }, (_, opcode) => tellingOf(opcode, false));
const TELLING_WITH_MEMORY = Uint8Array.from({ length: 256 }, (_, opcode) => tellingOf(opcode, true));

interface RunningFrame {
  readonly index: number;
  readonly kind: FrameKind;
  /** Step that is running. */
  pending: number;
  /** Size of the return data buffer: the last child's. */
  returnLength: number;
  /** Memory that the running step writes. */
  writeOffset: number;
  writeLength: number;
}

export class StepRecorder {
  #store: StepStore;
  readonly #keptBytes: number;
  readonly #open: RunningFrame[] = [];
  #current: RunningFrame | undefined;

  /** @param keptBytes - once columns take more, only what their calls left is kept; default everything */
  constructor(store: StepStore, keptBytes: number = Number.POSITIVE_INFINITY) {
    this.#store = store;
    this.#keptBytes = keptBytes;
  }

  /** Where the steps are, or went. */
  get store(): StepStore {
    return this.#store;
  }

  /** How each opcode is to be told of, see RowSink. */
  get telling(): Uint8Array {
    return this.#store.hasMemory ? TELLING_WITH_MEMORY : TELLING;
  }

  /** The step that is running in the innermost frame, -1 for none. */
  get pending(): number {
    return this.#current?.pending ?? -1;
  }

  openRows(): StepChunk {
    const store = this.#store;
    // Rows fill without being looked at: here is where there are found to be too many.
    if (store.size > this.#keptBytes && store instanceof StepColumns) this.#store = new CallSteps(store);
    const rows = this.#store.open();
    rows.runningFrame = this.#current?.index ?? 0;
    return rows;
  }

  reopenRow(): void {
    if (this.#current !== undefined) this.#current.pending = this.#store.latest;
  }

  enterFrame(index: number, kind: FrameKind): void {
    this.#current = { index, kind, pending: -1, returnLength: 0, writeOffset: 0, writeLength: 0 };
    this.#open.push(this.#current);
  }

  exitFrame({ error, output }: FrameEnd): void {
    const frame = this.#open.pop();
    this.#current = this.#open.at(-1);
    if (frame === undefined || this.#current === undefined) return;
    const isBuffer = error === "reverted" || (error === undefined && !isCreation(frame.kind));
    this.#current.returnLength = isBuffer ? output.length : 0;
  }

  refuseFrame(): void {
    if (this.#current !== undefined) this.#current.returnLength = 0;
  }

  /** @returns the step's index, -1 outside of any frame */
  begin(live: LiveStep): number {
    const frame = this.#current;
    if (frame === undefined) return -1;
    const step = this.#store.begin(frame.index, live);
    frame.pending = step;
    if (this.#store.hasMemory) noteRegion(frame, live);
    return step;
  }

  end(live: LiveStep): void {
    const steps = this.#store;
    const frame = this.#current;
    if (frame === undefined) return;
    const step = frame.pending;
    const opcode = live.stepOpcode;
    if (LEAVES_WORD[opcode] === true) steps.setWord(step, live.stack[live.stackHeight - 1] as bigint);
    if (startsFrame(opcode)) steps.setGasAfter(step, live.gas);
    // geth's counter has it from the operation on, here as for SSTORE, which earns it while its price is worked out.
    if (opcode === Op.SELFDESTRUCT) steps.setRefund(step, live.gasRefund);
    if (frame.writeLength === 0) return;
    const length = startsFrame(opcode) ? Math.min(frame.writeLength, frame.returnLength) : frame.writeLength;
    if (length > 0) steps.setWrite(step, live.memory, frame.writeOffset, length);
    frame.writeLength = 0;
  }

  fail(outcome: StepOutcome): void {
    const frame = this.#current;
    if (frame === undefined) return;
    this.#store.setOutcome(frame.pending, outcome);
    frame.writeLength = 0;
  }

  refuse(live: LiveStep, outcome: StepOutcome): void {
    if (this.#current === undefined) return;
    this.#store.setOutcome(this.#store.begin(this.#current.index, live), outcome);
  }
}

/** Remembers where the step will write, while its operands are on the stack. */
function noteRegion(frame: RunningFrame, live: LiveStep): void {
  const region = MEMORY_REGIONS[live.stepOpcode];
  if (region?.isWritten !== true) return;
  frame.writeLength = regionLength(region, live.stack, live.stackHeight);
  if (frame.writeLength > 0) frame.writeOffset = regionOffset(region, live.stack, live.stackHeight);
}
