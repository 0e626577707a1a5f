/**
 * The script's current call, in memory shared by its thread and the main one. The script thread writes to it when a call
 * begins and ends. The main thread reads it to terminate calls that take too long.
 */
import { SCRIPT_FUNCTIONS, type ScriptFunction } from "../script-limits.ts";

const BYTES = 24;
/** Indexes: deadline by {@link processMs}, 0 while nothing runs; number of the function; size of the memory in bytes. */
const DEADLINE = 0;
const FUNCTION = 1;
const MEMORY = 2;

/** A call past its deadline. */
export interface OverdueCall {
  readonly name: ScriptFunction;
  readonly overMs: number;
}

/** Milliseconds on a clock that all threads of the process share; performance.now() differs between threads. */
export function processMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The current call of one script thread. That thread and the main one each have an instance over the same memory. */
export class CallRecord {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Float64Array;
  /** Difference between {@link processMs} and this thread's performance.now(). */
  readonly #offset = processMs() - performance.now();

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#numbers = new Float64Array(memory);
  }

  /** @param deadline - end of the call's time, by this thread's performance.now() */
  begin(name: ScriptFunction, deadline: number): void {
    this.#numbers[FUNCTION] = SCRIPT_FUNCTIONS.indexOf(name);
    this.#numbers[DEADLINE] = deadline + this.#offset;
  }

  /** @param memoryBytes - present size of the sandbox's memory */
  end(memoryBytes: number): void {
    this.#numbers[DEADLINE] = 0;
    this.#numbers[MEMORY] = memoryBytes;
  }

  /** Size of the sandbox's memory after its last call, in bytes. */
  get memoryBytes(): number {
    return this.#numbers[MEMORY] ?? 0;
  }

  /** The current call, if it is past its deadline. */
  overdue(): OverdueCall | undefined {
    const [deadline = 0, place = 0] = this.#numbers;
    const overMs = processMs() - deadline;
    if (deadline === 0 || overMs <= 0) return undefined;
    return { name: SCRIPT_FUNCTIONS[place] ?? "step", overMs };
  }
}
