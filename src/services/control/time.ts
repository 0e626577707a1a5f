/** Time travel. What changes is kept with the chain, so that a reopened one goes on from there. Times in seconds. */
import type { Chain } from "../../chain/chain.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Clock } from "../../miner/clock.ts";
import { type LooseInteger, toInteger } from "../../primitives/shapes/loose.ts";
import { requireValues } from "./check-values.ts";

export interface TimeControlOptions {
  readonly chain: Chain;
  readonly clock: Clock;
}

export class TimeControl {
  readonly #chain: Chain;
  readonly #clock: Clock;

  constructor({ chain, clock }: TimeControlOptions) {
    this.#chain = chain;
    this.#clock = clock;
  }

  get now(): bigint {
    return this.#clock.now();
  }

  /**
   * Moves time forward, so that the next block is at least so much later than the head. Returns how far the chain's time
   * is from the clock's in all.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for anything but seconds from zero, as everywhere here
   */
  async increase(by: LooseInteger): Promise<bigint> {
    const seconds = toInteger(by);
    requireValues({ seconds });
    const offset = this.#clock.increase(seconds, this.#chain.head.header.timestamp);
    await this.#chain.saveTime();
    return offset;
  }

  /**
   * Sets the current time. Returns by how much it went forward, zero if it went back.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a time before the head's, which no block could have
   */
  async set(to: LooseInteger): Promise<bigint> {
    const timestamp = toInteger(to);
    requireValues({ timestamp });
    const before = this.#clock.now();
    const head = this.#chain.head.header.timestamp;
    if (timestamp < head) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Time ${timestamp} is before the head's, ${head}.`,
        fix: `Give at least ${head}, or go back to an earlier block first, by a snapshot or a rollback.`,
      });
    }
    this.#clock.setNow(timestamp);
    await this.#chain.saveTime();
    return timestamp > before ? timestamp - before : 0n;
  }

  /**
   * Sets the timestamp of the next block; time goes on from there.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` when it is not after the head's
   */
  setNext(to: LooseInteger): void {
    const timestamp = toInteger(to);
    requireValues({ timestamp });
    this.#clock.setNext(timestamp, this.#chain.head.header.timestamp);
  }

  /** Seconds between blocks from now on, whatever the clock says; with none, each comes one after its parent. */
  setInterval(by: LooseInteger): void {
    const seconds = toInteger(by);
    requireValues({ seconds });
    this.#clock.setInterval(seconds);
  }

  /** Ends {@link setInterval}. Returns false if none was set. */
  removeInterval(): boolean {
    const wasSet = this.#clock.interval !== undefined;
    this.#clock.setInterval(undefined);
    return wasSet;
  }
}
