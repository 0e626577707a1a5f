/** Divides long work between turns of the event loop. */
import { once } from "../once.ts";
import { onNextTurn } from "./event-loop.ts";

/** Longest time in milliseconds that work may block the event loop, not including the step that exceeds it. */
const SLICE_MS = 5;
/** The same for all long work other than execution in one turn. */
const TURN_MS = 10;
/** The same for work that begins when the time of the turn is used up: shorter work does not wait for others. */
const SHORT_MS = 1;
/** Longest time of a turn in which short work begins. Hundreds of short batches may come at once. */
const LONGEST_TURN_MS = 20;

/** Shares the event loop among pieces of long work: what does not fit in a turn continues in a later one, in its order. */
class SharedTurns {
  readonly #waiting: (() => void)[] = [];
  /** When the work of this turn began; undefined before it. */
  #began: number | undefined;

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      onNextTurn(this.#serve);
    });
  }

  /** True if work has had its time in this turn: by default long work other than execution. */
  isTurnOver(now: number, mostMs = TURN_MS): boolean {
    if (this.#began === undefined) {
      this.#began = now;
      // The first task of the next turn.
      onNextTurn(() => {
        this.#began = undefined;
      });
    }
    return now - this.#began >= mostMs;
  }

  /** Lets one piece of work continue, in the microtasks after this. */
  readonly #serve = (): void => {
    if (this.isTurnOver(performance.now())) onNextTurn(this.#serve);
    else this.#waiting.shift()?.();
  };
}

/** Of this thread, which has one event loop. */
const sharedTurns = once(() => new SharedTurns());

/** Waits until everything else has had its turn, and as long as other long work fills the turns. */
export function nextShare(): Promise<void> {
  return sharedTurns().wait();
}

/** Waits for some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Yields to the event loop during long work other than execution. Lives for one piece of work. */
export class Breaks {
  #sliceStart = performance.now();

  /**
   * Must be called after each small step.
   *
   * @returns undefined if there is no need to wait
   */
  check(): Promise<void> | undefined {
    const now = performance.now();
    const elapsed = now - this.#sliceStart;
    const isTurnOver = sharedTurns().isTurnOver(now, elapsed < SHORT_MS ? LONGEST_TURN_MS : TURN_MS);
    return elapsed < SLICE_MS && !isTurnOver ? undefined : this.#take();
  }

  async #take(): Promise<void> {
    await nextShare();
    this.#sliceStart = performance.now();
  }
}

/** Long work in small steps. It may wait after each of them. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all steps without a break. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the steps and yields to the event loop between them. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  const breaks = new Breaks();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
}

/** The items of an iterable as a list. Yields to the event loop between them. */
export async function listInTurns<Item>(items: Iterable<Item>): Promise<Item[]> {
  const breaks = new Breaks();
  const list: Item[] = [];
  for (const item of items) {
    list.push(item);
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return list;
}

/** Work that is done once for several that need it at the same time: whoever comes next does the next step. */
export class SharedSteps<Result> {
  readonly #steps: Steps<Result>;
  #outcome: (() => Result) | undefined;

  constructor(steps: Steps<Result>) {
    this.#steps = steps;
  }

  /** The steps that are left, with the result or the error of all. */
  *join(): Steps<Result> {
    for (;;) {
      this.#outcome ??= this.#next();
      if (this.#outcome !== undefined) return this.#outcome();
      yield;
    }
  }

  #next(): (() => Result) | undefined {
    try {
      const { done, value } = this.#steps.next();
      return done ? () => value : undefined;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  }
}

/** Maps items one after another, yielding to the event loop during long lists. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
): Promise<Mapped[]> {
  const breaks = new Breaks();
  const mapped: Mapped[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return mapped;
}
