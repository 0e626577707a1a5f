/**
 * Gives the event loop its turn while code runs, and ends a run that has had its time.
 *
 * Reading a clock at every opcode would cost as much as the opcode. So opcodes spend from a budget of rough work units,
 * about a nanosecond each; only when it is used up is the clock read.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { LimitError } from "../errors/hindcast-error.ts";
import type { ExecutionLimits } from "./types.ts";

/** Work units between two clock readings: about a millisecond, more on a slow machine. */
const BUDGET = 500_000;
/** How long a run may keep the event loop to itself, in milliseconds. */
const SLICE_MS = 10;

/**
 * One clock bounds one run, or all runs of one request that shares it: as limits it goes wherever limits go, and the
 * time of the whole request counts.
 */
export class ExecutionClock implements ExecutionLimits {
  /** What is left before {@link check} is due; whoever works subtracts. */
  budget = BUDGET;
  #sliceStart = performance.now();
  #deadline: number;
  /** What {@link check} waits for. */
  #held: Promise<void> | undefined;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;

  constructor(limits: ExecutionLimits = {}) {
    this.timeoutMs = limits.timeoutMs;
    this.#deadline = limits.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + limits.timeoutMs;
    this.signal = limits.signal;
  }

  /**
   * Refills the budget; when the slice is over, waits for the event loop's next turn. To be called between the runs of
   * a request as well: many short ones together keep the loop as busy as a long one.
   *
   * @returns nothing when there was no need to wait; thousands of runs await only what they get, as each `await` of nothing
   *   takes a promise
   * @throws {LimitError} `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`; not an EVM error, so it leaves every frame
   */
  check(): Promise<void> | undefined {
    this.budget = BUDGET;
    const now = performance.now();
    this.#requireTime(now);
    if (this.#held !== undefined) return this.#waitForHeld();
    return now - this.#sliceStart < SLICE_MS ? undefined : this.#takeTurn();
  }

  /** Has the run wait for a promise before its next operation. */
  hold(until: Promise<void>): void {
    this.#held = until;
    until.catch(() => {});
    this.budget = -1;
  }

  /** Settles when what {@link hold} was told is settled. */
  async held(): Promise<void> {
    if (this.#held !== undefined) await this.#waitForHeld();
  }

  async #waitForHeld(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held;
    await this.#takeTurn();
  }

  /** Moves the deadline by time that was not the run's own. */
  protected extend(milliseconds: number): void {
    this.#deadline += milliseconds;
  }

  async #takeTurn(): Promise<void> {
    await nextTurn();
    this.#sliceStart = performance.now();
    this.#requireTime(this.#sliceStart);
  }

  #requireTime(now: number): void {
    if (this.signal?.aborted === true) {
      throw new LimitError({
        code: "EXECUTION_ABORTED",
        what: "The execution was aborted by its caller.",
        cause: this.signal.reason,
      });
    }
    if (now <= this.#deadline) return;
    throw new LimitError({
      code: "EXECUTION_TIMEOUT",
      what: `The execution took longer than its limit of ${this.timeoutMs} ms.`,
      fix: "Raise the time limit, or give the call less gas.",
    });
  }
}
