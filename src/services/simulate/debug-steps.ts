/** Struct logs of a transaction as it runs again, no faster than they are read. */
import type { ExecutionLimits } from "../../executor/types.ts";
import { LiveStructLogs } from "../../tracer/formats/live-struct-logs.ts";
import type { StructLog, StructLogOptions } from "../../tracer/formats/struct-log.ts";
import { PausingClock } from "./pausing-clock.ts";
import { type ReplayTarget, replayBlock } from "./replay.ts";

export interface StepStreamRequest extends Omit<ReplayTarget, "limits"> {
  /** Index of the transaction in the block. */
  readonly index: number;
  readonly options: StructLogOptions;
  readonly limits: ExecutionLimits;
}

/** Entries that wait for a reader: so many, or so many bytes of stacks and memories, and the execution waits. */
const MAX_WAITING = 2_048;
const MAX_WAITING_BYTES = 4 * 2 ** 20;
const ENTRY_BYTES = 200;
const STACK_ITEM_BYTES = 16;

/**
 * The entries one by one. The execution waits for the reader, and ends when the reader stops.
 *
 * @throws {LimitError} when time is up or the caller aborted
 */
export async function* streamStructLogs(request: StepStreamRequest): AsyncGenerator<StructLog> {
  const { options, limits } = request;
  const stopping = new AbortController();
  const signals = [stopping.signal, ...(limits.signal === undefined ? [] : [limits.signal])];
  const buffer = new StepBuffer(AbortSignal.any(signals), limits.timeoutMs);
  const running = replay(request, buffer).finally(() => buffer.end());
  // It is waited for below; until then a failure has nobody to go to.
  running.catch(() => {});
  let left = options.limit || Number.POSITIVE_INFINITY;
  try {
    for (let batch = await buffer.take(); batch !== undefined; batch = await buffer.take()) {
      for (const log of batch) {
        yield log;
        if (--left === 0) return;
      }
    }
    await running;
  } finally {
    stopping.abort();
    buffer.discard();
    await running.catch(() => {});
  }
}

async function replay({ index, options, ...target }: StepStreamRequest, buffer: StepBuffer): Promise<void> {
  const logs = new LiveStructLogs(options, (log) => buffer.put(log));
  const transactions = replayBlock({
    ...target,
    limits: buffer.clock,
    until: index,
    recorderFor: (next) => (next.index === index ? logs : undefined),
  });
  while (!(await transactions.next()).done) {
    // What it did went to the buffer.
  }
}

/** Between an execution and a reader. */
class StepBuffer {
  readonly clock: PausingClock;
  #waiting: StructLog[] = [];
  #bytes = 0;
  #isEnded = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor(signal: AbortSignal, timeoutMs: number | undefined) {
    this.clock = new PausingClock({ signal, timeoutMs }, this);
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING || this.#bytes >= MAX_WAITING_BYTES;
  }

  put(log: StructLog): void {
    this.#waiting.push(log);
    this.#bytes += ENTRY_BYTES + (log.memory?.length ?? 0) + STACK_ITEM_BYTES * (log.stack?.length ?? 0);
    // Lets the run loop ask the clock before the next operation.
    if (this.isFull) this.clock.budget = -1;
  }

  /** Says that nothing more comes. */
  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
  }

  /** All that waits, once there is something; undefined at the end. */
  async take(): Promise<readonly StructLog[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    return this.discard();
  }

  /** Empties the buffer, so that the execution goes on. */
  discard(): readonly StructLog[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#wakeWriter?.();
    return taken;
  }

  /** Wakes the reader and waits until it has taken what waits. */
  async emptied(): Promise<void> {
    while (this.isFull) {
      const emptied = new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
      this.#wakeReader?.();
      await emptied;
    }
  }
}
