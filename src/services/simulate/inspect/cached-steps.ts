/** The steps of a cached recording: all of them, or windows of steps that are recorded on request. */
import { LRUCache } from "lru-cache";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { StepBuffer } from "../../../evm/step-buffer.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import { type MachinesAt, machineAt } from "../../../tracer/inspect/machine-at.ts";
import { OpcodeFinder, WindowRecorder } from "../../../tracer/inspect/step-window.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import type { FrameMachine } from "../../../tracer/replay.ts";
import type { StepTable } from "../../../tracer/step-table.ts";
import { runBlockAgain } from "../replay/replay.ts";

/** Some steps of a transaction. */
export interface StepsPart {
  /** Number of the last step plus one. */
  readonly end: number;
  readonly steps: StepTable;
  /** Stack, memory and other state of the EVM before a step of the part. */
  machineAt(step: number): FrameMachine;
}

/** The steps of one transaction. */
export interface CachedSteps {
  readonly length: number;
  /** The part that holds a step. */
  partAt(step: number, clock: ExecutionClock): Promise<StepsPart>;
  /** The next `count` steps of an opcode, from step `from` on. */
  find(opcode: number, part: { from: number; count: number }, clock: ExecutionClock): Promise<readonly FoundStep[]>;
}

/** A step: a row of a buffer. */
export interface FoundStep {
  readonly steps: StepBuffer;
  readonly row: number;
}

/** Steps that are all in memory. */
export class WholeSteps implements CachedSteps {
  readonly #part: StepsPart;

  constructor(frames: readonly CallFrame[], steps: StepTable) {
    this.#part = { end: steps.length, steps, machineAt: (step) => machineAt({ frames, steps }, step) };
  }

  get length(): number {
    return this.#part.end;
  }

  async partAt(): Promise<StepsPart> {
    return this.#part;
  }

  async find(opcode: number, { from, count }: { from: number; count: number }): Promise<readonly FoundStep[]> {
    const found: FoundStep[] = [];
    const { steps } = this.#part;
    for (let number = from; number < steps.length && found.length < count; number++) {
      const buffer = steps.bufferOf(number);
      const row = number - buffer.first;
      if (buffer.opcode(row) === opcode) found.push({ steps: buffer, row });
    }
    return found;
  }
}

/** Most windows of one transaction in memory. */
const CACHED_WINDOWS = 4;

/** A mined transaction that runs again for its steps. */
export interface LongTransaction {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly block: Block;
  readonly index: number;
  readonly frames: readonly CallFrame[];
  /** Number of its steps. */
  readonly length: number;
  /** Number of steps in a window. */
  readonly window: number;
  /** The state of the EVM at some steps, in order. A run for a window begins to record at one of them. */
  readonly starts: readonly MachinesAt[];
}

/** Steps that are recorded window by window. For each window the transaction runs again. */
export class LongSteps implements CachedSteps {
  readonly #transaction: LongTransaction;
  readonly #windows = new LRUCache<number, Promise<StepsPart>>({ max: CACHED_WINDOWS });

  constructor(transaction: LongTransaction) {
    this.#transaction = transaction;
  }

  get length(): number {
    return this.#transaction.length;
  }

  partAt(step: number, clock: ExecutionClock): Promise<StepsPart> {
    const from = step - (step % this.#transaction.window);
    const cached = this.#windows.get(from);
    if (cached !== undefined) return cached;
    const part = this.#record(from, clock);
    this.#windows.set(from, part);
    part.catch(() => this.#windows.delete(from));
    return part;
  }

  async find(opcode: number, { from, count }: { from: number; count: number }, clock: ExecutionClock) {
    const finder = new OpcodeFinder(opcode, from, count);
    await runTransaction(this.#transaction, finder, clock);
    return finder.found.map((steps) => ({ steps, row: 0 }));
  }

  async #record(from: number, clock: ExecutionClock): Promise<StepsPart> {
    const { frames, starts, length, window } = this.#transaction;
    const end = Math.min(length, from + window);
    const before = starts.findLast(({ step }) => step <= from);
    const recorder = new WindowRecorder(frames, { from, end }, before);
    await runTransaction(this.#transaction, recorder, clock);
    const { steps, start } = recorder;
    return { end, steps, machineAt: (step) => machineAt({ frames, steps }, step, start) };
  }
}

/** Runs a block up to a transaction, and then the transaction with a sink. */
export function runTransaction(
  { chain, block, index }: Pick<LongTransaction, "chain" | "block" | "index">,
  sink: EventSink,
  limits: ExecutionClock,
): Promise<void> {
  return runBlockAgain({ chain, block, only: index, limits, recorderFor: () => sink });
}
