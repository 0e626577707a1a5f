/** Lets the event loop run while code executes, and stops a run at its time limit. */
import type { Pace } from "../evm/engine.ts";
import { aborted, outOfTime } from "../evm/out-of-time.ts";
import type { AbortState } from "../primitives/abort-state.ts";
import { onNextTurn } from "../primitives/platform/turns.ts";

/** Limits of a run. A run that reaches one ends with a LimitError and has no result. */
export interface ExecutionLimits {
  /** Wall-clock budget of the run, milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
}

/** Time that all executions together may take in one turn of the event loop, in milliseconds. */
const SLICE_MS = 10;
/** Turns that an execution gets before those that have run for longer; and how many of them follow each other. */
const YOUNG_TURNS = 3;
const YOUNG_IN_A_ROW = 3;

/**
 * Shares the event loop among the executions of a node. In each turn one waiting execution continues; new ones run in
 * the same slice of time.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  /** Waiting executions that have run for a short time only: most of them need just a turn or two. */
  readonly #young: (() => void)[] = [];
  #youngInARow = 0;
  #isTurnOver = true;
  #sliceEnd = 0;

  /** True while there is time left in this turn. */
  mayGoOn(now: number): boolean {
    if (this.#isTurnOver) this.#beginTurn(now);
    return now < this.#sliceEnd;
  }

  #beginTurn(now: number): void {
    this.#isTurnOver = false;
    this.#sliceEnd = now + SLICE_MS;
    onNextTurn(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#isTurnOver = true;
    const next = this.#next();
    if (next === undefined) return;
    this.#beginTurn(performance.now());
    next();
  }

  /** Young ones first, but for one turn in {@link YOUNG_IN_A_ROW}: the others are to get on as well. */
  #next(): (() => void) | undefined {
    const isYoungsTurn = this.#waiting.length === 0 || this.#youngInARow < YOUNG_IN_A_ROW;
    const young = isYoungsTurn ? this.#young.shift() : undefined;
    this.#youngInARow = young === undefined ? 0 : this.#youngInARow + 1;
    return young ?? this.#waiting.shift();
  }

  /**
   * Resolves when it is the caller's turn, in the order of the calls.
   *
   * @param isYoung - it has had few turns so far, and goes before those that had many
   */
  async wait(isYoung = false): Promise<void> {
    await new Promise<void>((resolve) => (isYoung ? this.#young : this.#waiting).push(resolve));
  }
}

/**
 * One clock bounds one run, or all runs of one request that shares it: as limits it goes wherever limits go, and the
 * time of the whole request counts.
 */
export class ExecutionClock implements ExecutionLimits, Pace {
  readonly timeoutMs: number | undefined;
  readonly signal: AbortState | undefined;
  readonly #turns: Turns;
  #deadline: number;
  #turnCount = 0;

  constructor(turns: Turns, limits: ExecutionLimits = {}) {
    this.#turns = turns;
    this.timeoutMs = limits.timeoutMs;
    this.signal = limits.signal;
    this.#deadline = limits.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + limits.timeoutMs;
  }

  /**
   * To be called after every millisecond or so of work, and between the runs of a request as well: many short ones
   * together keep the loop as busy as a long one.
   *
   * @returns nothing when there was no need to wait; thousands of runs await only what they get, as each `await` of
   * nothing takes a promise
   * @throws {LimitError} `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`
   */
  check(): Promise<void> | undefined {
    const now = performance.now();
    this.#requireTimeAt(now);
    return this.#turns.mayGoOn(now) ? undefined : this.#takeTurn();
  }

  /** Waits for a promise without counting the time against the run's limit. */
  async pause(until: Promise<void>): Promise<void> {
    const start = performance.now();
    await until;
    this.#deadline += performance.now() - start;
  }

  /** @throws {LimitError} as {@link check} */
  requireTime(): void {
    this.#requireTimeAt(performance.now());
  }

  async #takeTurn(): Promise<void> {
    await this.#turns.wait(this.#turnCount++ < YOUNG_TURNS);
    this.#requireTimeAt(performance.now());
  }

  #requireTimeAt(now: number): void {
    if (this.signal?.aborted === true) throw aborted(this.signal.reason);
    if (now > this.#deadline) throw outOfTime(this.timeoutMs ?? Number.POSITIVE_INFINITY);
  }
}
