/** Sets the chain's time, in seconds. Changes are stored with the chain, so that they survive a restart. */

import type { ChainWriter } from "../../chain/chain-writer.ts";
import type { ChainBlocks } from "../../chain/readable-chain.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Clock, requireSeconds } from "../../miner/clock.ts";
import { type LooseInteger, toInteger } from "../../primitives/validation/loose.ts";
import { requireValues } from "./check-values.ts";

/** The clock that is set, and the chain that keeps its offset. */
export interface TimeControlOptions {
  readonly chain: ChainBlocks;
  readonly writer: ChainWriter;
  readonly clock: Clock;
  readonly habits: TimeHabits;
}

/** Behaviours in which development nodes differ. */
export interface TimeHabits {
  /** Unit of `evm_setTime` and its like. */
  readonly setTimeUnit: "seconds" | "milliseconds";
}

/** Serves `evm_increaseTime` and similar methods, and `node.time`. */
export class TimeControl {
  readonly #chain: ChainBlocks;
  readonly #writer: ChainWriter;
  readonly #clock: Clock;
  readonly #habits: TimeHabits;

  /** @internal */
  constructor({ chain, writer, clock, habits }: TimeControlOptions) {
    this.#chain = chain;
    this.#writer = writer;
    this.#clock = clock;
    this.#habits = habits;
  }

  get now(): bigint {
    return this.#clock.now();
  }

  /**
   * Moves time forward: the next block will be at least this much later than the head. Returns the total offset from
   * the clock.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` unless the value is a number of seconds from zero, as in all methods
   * here
   */
  async increase(by: LooseInteger): Promise<bigint> {
    const seconds = toInteger(by);
    requireValues({ seconds });
    const offset = this.#clock.increase(seconds, this.#chain.head.header.timestamp);
    await this.#writer.saveTime();
    return offset;
  }

  /**
   * Sets the current time. Returns how far it moved forward; zero if it moved back.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a time before the head's timestamp, and for one in milliseconds
   */
  async set(to: LooseInteger): Promise<bigint> {
    const timestamp = toInteger(to);
    requireValues({ timestamp });
    const before = this.#clock.now();
    const head = this.#chain.head.header.timestamp;
    requireSeconds(timestamp, head);
    if (timestamp < head) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Time ${timestamp} is before the head's, ${head}.`,
        fix: `Give at least ${head}, or go back to an earlier block first, by a snapshot or a rollback.`,
      });
    }
    this.#clock.setNow(timestamp);
    await this.#writer.saveTime();
    return timestamp > before ? timestamp - before : 0n;
  }

  /** As {@link set}, in the unit that the node's clients use; fractions of seconds are dropped. */
  setInUnit(to: bigint): Promise<bigint> {
    return this.set(this.#habits.setTimeUnit === "milliseconds" ? to / 1000n : to);
  }

  /**
   * Sets the timestamp of the next block; later time counts from there.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if it is not after the head's
   */
  setNext(to: LooseInteger): void {
    const timestamp = toInteger(to);
    requireValues({ timestamp });
    this.#clock.setNext(timestamp, this.#chain.head.header.timestamp);
  }

  /**
   * Sets the seconds between block timestamps, independent of the clock; zero makes each one second later than its
   * parent.
   */
  setInterval(by: LooseInteger): void {
    const seconds = toInteger(by);
    requireValues({ seconds });
    this.#clock.setInterval(seconds, this.#chain.head.header.timestamp);
  }

  /** Undoes {@link setInterval}. Returns false if no interval was set. */
  removeInterval(): boolean {
    const wasSet = this.#clock.interval !== undefined;
    this.#clock.removeInterval();
    return wasSet;
  }
}
