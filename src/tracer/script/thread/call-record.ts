/**
 * The script's running call, in memory that its thread and the main one share: written when a call begins and ends, read
 * by whoever has to end the thread of a call that does not.
 */
import { SCRIPT_FUNCTIONS, type ScriptFunction } from "../script-limits.ts";

const BYTES = 24;
/** Places in the memory: milliseconds of {@link processMs}, 0 while nothing runs; the function's number; bytes. */
const DEADLINE = 0;
const FUNCTION = 1;
const MEMORY = 2;

/** A call that has had its time. */
export interface OverdueCall {
  readonly name: ScriptFunction;
  readonly overMs: number;
}

/** Milliseconds on a clock that all threads of the process share, as performance.now() is not. */
export function processMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export class CallRecord {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Float64Array;
  /** From this thread's performance.now() to {@link processMs}. */
  readonly #offset = processMs() - performance.now();

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#numbers = new Float64Array(memory);
  }

  /** @param deadline - by when the call has to be over, as this thread's performance.now() */
  begin(name: ScriptFunction, deadline: number): void {
    this.#numbers[FUNCTION] = SCRIPT_FUNCTIONS.indexOf(name);
    this.#numbers[DEADLINE] = deadline + this.#offset;
  }

  /** @param memoryBytes - what the sandbox has by now */
  end(memoryBytes: number): void {
    this.#numbers[DEADLINE] = 0;
    this.#numbers[MEMORY] = memoryBytes;
  }

  /** Bytes that the sandbox had after its last call. */
  get memoryBytes(): number {
    return this.#numbers[MEMORY] ?? 0;
  }

  /** The running call, if it has had its time. */
  overdue(): OverdueCall | undefined {
    const [deadline = 0, place = 0] = this.#numbers;
    const overMs = processMs() - deadline;
    if (deadline === 0 || overMs <= 0) return undefined;
    return { name: SCRIPT_FUNCTIONS[place] ?? "step", overMs };
  }
}
