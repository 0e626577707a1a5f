/** A line in which callers wait for something that there is too little of. */
import type { Timer } from "./platform/event-loop.ts";

/** Milliseconds between two checks whether callers still want to wait. */
const CHECK_MS = 20;

interface Waiting<Wanted, Given> {
  readonly wanted: Wanted;
  readonly check: () => void;
  resolve(given: Given): void;
  reject(reason: unknown): void;
}

/** A line of callers. Each may want something else, which is made when it is the caller's turn. */
export class WaitingLine<Wanted, Given> {
  #waiting: Waiting<Wanted, Given>[] = [];
  #watch: Timer | undefined;

  /** Number of callers that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Waits until {@link serve} gives something.
   *
   * @param check - throws if the caller no longer wants to wait
   * @param isFirst - true to pass those who wait already
   * @throws the error of the check; the reason of {@link rejectAll}
   */
  join(wanted: Wanted, check: () => void, isFirst = false): Promise<Given> {
    this.#watch ??= setInterval(() => this.#checkAll(), CHECK_MS);
    return new Promise((resolve, reject) => {
      const waiting = { wanted, check, resolve, reject };
      if (isFirst) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
    });
  }

  /**
   * Gives to those who wait, in their order.
   *
   * @param give - undefined if there is nothing left; an error is that of the caller whose turn it is
   */
  serve(give: (wanted: Wanted) => Given | undefined): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        next.check();
        const given = give(next.wanted);
        if (given === undefined) return;
        next.resolve(given);
      } catch (error) {
        next.reject(error);
      }
      this.#waiting.shift();
    }
    this.#endWatch();
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    this.#endWatch();
  }

  #checkAll(): void {
    this.#waiting = this.#waiting.filter(({ check, reject }) => {
      try {
        check();
        return true;
      } catch (error) {
        reject(error);
        return false;
      }
    });
    this.#endWatch();
  }

  #endWatch(): void {
    if (this.#waiting.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}
