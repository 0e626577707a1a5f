/** Time travel. What changes is kept with the chain, so that a reopened one goes on from there. Times in seconds. */
import type { Chain } from "../../chain/chain.ts";
import type { Clock } from "../../miner/clock.ts";
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
  async increase(seconds: bigint): Promise<bigint> {
    requireValues({ seconds });
    const offset = this.#clock.increase(seconds, this.#chain.head.header.timestamp);
    await this.#chain.saveTime();
    return offset;
  }

  /** Sets the current time. Returns by how much it went forward, zero if it went back. */
  async set(timestamp: bigint): Promise<bigint> {
    requireValues({ timestamp });
    const before = this.#clock.now();
    this.#clock.setNow(timestamp);
    await this.#chain.saveTime();
    return timestamp > before ? timestamp - before : 0n;
  }

  /**
   * Sets the timestamp of the next block; time goes on from there.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` when it is not after the head's
   */
  setNext(timestamp: bigint): void {
    requireValues({ timestamp });
    this.#clock.setNext(timestamp, this.#chain.head.header.timestamp);
  }

  /** Seconds between blocks from now on, whatever the clock says; with none, each comes one after its parent. */
  setInterval(seconds: bigint): void {
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
