/** Columns of consecutive steps: no object per step, nothing copied when more are needed. */
import type { LiveStep, OpenRows } from "./events.ts";
import type { StepRows } from "./recording.ts";

const NO_COLUMN = new Uint32Array(0);

export class StepChunk implements StepRows, OpenRows {
  first: number;
  length = 0;
  capacity: number;
  runningFrame = 0;
  frame: Uint32Array;
  pc: Uint32Array;
  opcode: Uint8Array;
  outcome: Uint8Array;
  memoryBytes: Uint32Array;
  gas: Float64Array;
  cost: Float64Array;
  /** Number of the region that the step wrote, 0 for none. */
  write: Uint32Array;
  /** Results. Stack items are immutable: they are held here, not copied. */
  words: (bigint | undefined)[];

  /** @param first - step of the first row */
  constructor(first: number, capacity: number, hasMemory: boolean) {
    this.first = first;
    this.capacity = capacity;
    this.frame = new Uint32Array(capacity);
    this.pc = new Uint32Array(capacity);
    this.opcode = new Uint8Array(capacity);
    this.outcome = new Uint8Array(capacity);
    this.memoryBytes = hasMemory ? new Uint32Array(capacity) : NO_COLUMN;
    this.gas = new Float64Array(capacity);
    this.cost = new Float64Array(capacity);
    this.write = hasMemory ? new Uint32Array(capacity) : NO_COLUMN;
    this.words = new Array(capacity);
  }

  get isFull(): boolean {
    return this.length === this.capacity;
  }

  /** Adds a row for a step before it runs and returns its place; there is room. */
  add(frame: number, live: LiveStep): number {
    const at = this.length++;
    this.frame[at] = frame;
    this.pc[at] = live.pc;
    this.opcode[at] = live.stepOpcode;
    if (this.memoryBytes.length > 0) this.memoryBytes[at] = live.stepMemoryBytes;
    this.gas[at] = live.gas;
    this.cost[at] = live.stepCost;
    return at;
  }

  /** Makes room for so many rows in all. */
  grow(capacity: number): void {
    this.capacity = capacity;
    this.frame = widened(this.frame, capacity);
    this.pc = widened(this.pc, capacity);
    this.opcode = widened(this.opcode, capacity);
    this.outcome = widened(this.outcome, capacity);
    this.gas = widened(this.gas, capacity);
    this.cost = widened(this.cost, capacity);
    if (this.memoryBytes.length > 0) this.memoryBytes = widened(this.memoryBytes, capacity);
    if (this.write.length > 0) this.write = widened(this.write, capacity);
    this.words.length = capacity;
  }

  /** Empties the rows, to be filled again from another step on. */
  restart(first: number): void {
    this.first = first;
    // Of the other columns each row is written anew.
    this.outcome.fill(0, 0, this.length);
    this.write.fill(0, 0, this.length);
    this.words.fill(undefined, 0, this.length);
    this.length = 0;
  }
}

function widened<Column extends Uint8Array | Uint32Array | Float64Array>(column: Column, capacity: number): Column {
  const wide = new (column.constructor as new (length: number) => Column)(capacity);
  wide.set(column);
  return wide;
}
