/** Lets the event loop run while code executes, and stops a run at its time limit. */
import type { Pace } from "../evm/engine.ts";
import { aborted, outOfTime, recordedTooMuch, type TimeoutFlag } from "../evm/out-of-time.ts";
import type { AbortState } from "../primitives/abort-state.ts";
import { onNextTurn } from "../primitives/platform/event-loop.ts";

/** Limits of a run. A run that reaches one ends with a LimitError and has no result. */
export interface ExecutionLimits {
  /** Time limit of the run in milliseconds of wall-clock time. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortState | undefined;
  /** Most bytes that may be recorded of a run, estimated; default: the executor's. */
  readonly recordingMemory?: number | undefined;
}

/** Most milliseconds for all executions together in one turn of the event loop. */
const SLICE_MS = 5;
/** Number of turns in which an execution has priority over those that have run longer, and most such turns in a row. */
const YOUNG_TURNS = 3;
const YOUNG_IN_A_ROW = 3;

interface WaitingRun {
  readonly resume: () => void;
  readonly isOver: (now: number) => boolean;
}

/**
 * Shares the event loop among the executions of a node. In each turn one waiting execution continues; new ones run in
 * the same slice of time.
 */
export class Turns {
  readonly #waiting: WaitingRun[] = [];
  /** Waiting executions that have run for a short time only: most of them need just a turn or two. */
  readonly #young: WaitingRun[] = [];
  #youngInARow = 0;
  #isTurnOver = true;
  #sliceEnd = 0;

  /** True while this turn has time left. */
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
    const now = performance.now();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.resume();
      if (next.isOver(now)) continue;
      this.#beginTurn(now);
      return;
    }
  }

  /** Young ones first, except in one turn of {@link YOUNG_IN_A_ROW}, so that the others advance too. */
  #next(): WaitingRun | undefined {
    const isYoungsTurn = this.#waiting.length === 0 || this.#youngInARow < YOUNG_IN_A_ROW;
    const young = isYoungsTurn ? this.#young.shift() : undefined;
    this.#youngInARow = young === undefined ? 0 : this.#youngInARow + 1;
    return young ?? this.#waiting.shift();
  }

  /**
   * Resolves when it is the caller's turn.
   *
   * @param isYoung - true if it has had few turns so far, which gives it priority
   * @param isOver - whether it has reached a limit, so that it will only end and needs no turn of its own
   */
  async wait(isYoung = false, isOver: (now: number) => boolean = () => false): Promise<void> {
    await new Promise<void>((resume) => (isYoung ? this.#young : this.#waiting).push({ resume, isOver }));
  }
}

/**
 * A clock for one run, or for all runs of a request that share its time limit. It can be passed wherever limits are
 * expected.
 */
export class ExecutionClock implements ExecutionLimits, Pace {
  readonly timeoutMs: number | undefined;
  readonly #flag: TimeoutFlag;
  readonly signal: AbortState | undefined;
  readonly #recordingMemory: number;
  readonly #turns: Turns;
  #deadline: number;
  #turnCount = 0;

  /** @param flag - raises the time limit; for its error */
  constructor(turns: Turns, limits: ExecutionLimits = {}, flag: TimeoutFlag = "--trace-timeout") {
    this.#turns = turns;
    this.timeoutMs = limits.timeoutMs;
    this.#flag = flag;
    this.signal = limits.signal;
    this.#recordingMemory = limits.recordingMemory ?? Number.POSITIVE_INFINITY;
    this.#deadline = limits.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + limits.timeoutMs;
  }

  /**
   * Must be called after about every millisecond of work, and between the runs of a request, because many short runs
   * keep the event loop as busy as a long one.
   *
   * @returns undefined if there is no need to wait, so that callers can avoid an `await`
   * @throws {LimitError} `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`
   */
  check(): Promise<void> | undefined {
    const now = performance.now();
    this.#requireTimeAt(now);
    return this.#turns.mayGoOn(now) ? undefined : this.#takeTurn();
  }

  /** Waits for a promise; the time does not count towards the run's limit. */
  async pause(until: Promise<void>): Promise<void> {
    const start = performance.now();
    await until;
    this.#deadline += performance.now() - start;
  }

  /** @throws {LimitError} `RECORDING_LIMIT` */
  requireRoom(recorded: number): void {
    if (recorded > this.#recordingMemory) throw recordedTooMuch(this.#recordingMemory, "--recording-memory");
  }

  /** @throws {LimitError} as {@link check} */
  requireTime(): void {
    this.#requireTimeAt(performance.now());
  }

  async #takeTurn(): Promise<void> {
    await this.#turns.wait(this.#turnCount++ < YOUNG_TURNS, (now) => this.#isOver(now));
    this.#requireTimeAt(performance.now());
  }

  #isOver(now: number): boolean {
    return this.signal?.aborted === true || now > this.#deadline;
  }

  #requireTimeAt(now: number): void {
    if (!this.#isOver(now)) return;
    if (this.signal?.aborted === true) throw aborted(this.signal.reason);
    throw outOfTime(this.timeoutMs ?? Number.POSITIVE_INFINITY, this.#flag);
  }
}
