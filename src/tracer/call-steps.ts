/**
 * What is left of steps that were too many to keep: how many there were, and what calls and creations among them left when
 * they were over. Whoever hears the same run again knows of each of them beforehand how it will end.
 */
import type { Bytes } from "../primitives/bytes.ts";
import { type LiveStep, StepOutcome } from "./events.ts";
import { startsFrame } from "./opcodes.ts";
import type { MemoryWrite, StepRows } from "./recording.ts";
import { StepChunk } from "./step-chunk.ts";
import type { StepColumns } from "./step-columns.ts";
import type { StepStore } from "./step-store.ts";

/** A call or creation once it is over. */
export interface CallStep {
  readonly forwarded: number;
  readonly outcome: StepOutcome;
  readonly gasAfter: number;
  readonly word: bigint | undefined;
  readonly write: MemoryWrite | undefined;
}

type OpenCallStep = { -readonly [Member in keyof CallStep]: CallStep[Member] };

const CHUNK_STEPS = 4096;
/** What one call takes beside the bytes that it wrote, roughly. */
const BYTES_PER_CALL = 150;

export class CallSteps implements StepStore {
  readonly hasMemory: boolean;
  readonly #calls = new Map<number, OpenCallStep>();
  /** Rows that nobody reads, for who fills them without asking. */
  readonly #unread: StepChunk;
  #writtenBytes = 0;

  /** Takes over from columns, which may be let go of then. */
  constructor(columns: StepColumns) {
    this.hasMemory = columns.hasMemory;
    const { length } = columns;
    this.#unread = new StepChunk(length, CHUNK_STEPS, this.hasMemory);
    let rows: StepRows | undefined;
    for (let step = 0; step < length; step++) {
      if (rows === undefined || step >= rows.first + rows.length) rows = columns.rows(step);
      if (startsFrame(rows.opcode[step - rows.first] as number)) this.#takeOver(columns, step);
    }
  }

  #takeOver(columns: StepColumns, step: number): void {
    const write = columns.hasMemory ? columns.write(step) : undefined;
    this.#calls.set(step, {
      forwarded: columns.forwarded(step),
      outcome: columns.outcome(step),
      gasAfter: columns.gasAfter(step),
      word: columns.word(step),
      write: write && { offset: write.offset, bytes: write.bytes.slice() },
    });
    this.#writtenBytes += write?.bytes.length ?? 0;
  }

  /** Steps so far. */
  get length(): number {
    return this.#unread.first + this.#unread.length;
  }

  get latest(): number {
    return this.length - 1;
  }

  get size(): number {
    return this.#calls.size * BYTES_PER_CALL + this.#writtenBytes;
  }

  /** A call or creation; undefined for any other step. */
  at(step: number): CallStep | undefined {
    return this.#calls.get(step);
  }

  open(): StepChunk {
    if (this.#unread.isFull) this.#unread.restart(this.length);
    return this.#unread;
  }

  begin(frame: number, live: LiveStep): number {
    const rows = this.open();
    const step = rows.first + rows.add(frame, live);
    if (startsFrame(live.stepOpcode)) {
      this.#calls.set(step, {
        forwarded: live.stepForwarded,
        outcome: StepOutcome.done,
        gasAfter: live.gas - live.stepCost,
        word: undefined,
        write: undefined,
      });
    }
    return step;
  }

  setOutcome(step: number, outcome: StepOutcome): void {
    const call = this.#calls.get(step);
    if (call !== undefined) call.outcome = outcome;
  }

  setWord(step: number, word: bigint): void {
    const call = this.#calls.get(step);
    if (call !== undefined) call.word = word;
  }

  setGasAfter(step: number, gas: number): void {
    const call = this.#calls.get(step);
    if (call !== undefined) call.gasAfter = gas;
  }

  setRefund(): void {}

  setWrite(step: number, memory: Bytes, offset: number, length: number): void {
    const call = this.#calls.get(step);
    if (call === undefined) return;
    const bytes = new Uint8Array(length);
    bytes.set(memory.subarray(offset, offset + length));
    call.write = { offset, bytes };
    this.#writtenBytes += length;
  }
}
