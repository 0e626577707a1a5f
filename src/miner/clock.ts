/** Timestamps of new blocks: the system clock, or the caller's clock, plus an offset. */
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import { MAX_UINT64 } from "../primitives/bytes/limits.ts";
import { isMilliseconds } from "../primitives/validation/shape.ts";

/** The clock, and the distance of the chain's time from it. */
export interface ClockOptions {
  /**
   * Returns the present time in seconds; default: the system clock. With the same function and inputs the chain is the
   * same on every machine.
   */
  readonly now?: () => bigint;
  /** Seconds added to that clock. */
  readonly offset?: bigint;
  /** Seconds that a block has to be later than its parent; default 1. */
  readonly step?: bigint;
}

/** State of a clock, which a snapshot restores. Times in seconds. */
export interface ClockState {
  readonly now: bigint;
  readonly next: bigint | undefined;
  readonly interval: bigint | undefined;
}

/** The time of one chain, in seconds. */
export class Clock {
  readonly #now: () => bigint;
  /** Seconds that a block has to be later than its parent. */
  readonly step: bigint;
  #offset: bigint;
  #next: bigint | undefined;
  #interval: bigint | undefined;

  constructor(options: ClockOptions = {}) {
    this.#now = options.now ?? (() => BigInt(Math.floor(Date.now() / 1000)));
    this.#offset = options.offset ?? 0n;
    this.step = options.step ?? 1n;
  }

  /** Seconds added to the underlying clock. */
  get offset(): bigint {
    return this.#offset;
  }

  /** Present chain time in seconds. */
  now(): bigint {
    return this.#now() + this.#offset;
  }

  /** Timestamp for a child of a block, in seconds; always later than the parent's, unless {@link step} is zero. */
  timestampAfter(parentTimestamp: bigint): bigint {
    const least = parentTimestamp + this.step;
    if (this.#next === undefined && this.#interval !== undefined && this.#interval > 0n) {
      return parentTimestamp + this.#interval;
    }
    const wanted = this.#next ?? (this.#interval === undefined ? this.now() : least);
    return wanted > least ? wanted : least;
  }

  /** Must be called after a block with this timestamp was made. */
  used(timestamp: bigint): void {
    if (this.#next === undefined) return;
    // Time continues from the timestamp.
    this.#offset = timestamp - this.#now();
    this.#next = undefined;
  }

  /**
   * Moves time forward by some seconds, from the head if that is ahead of the clock. Blocks made within one second have
   * timestamps a second apart, so after a hundred blocks an offset of a minute from the clock alone would not affect
   * the next block.
   *
   * @returns the whole offset
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a time that no block can have
   */
  increase(seconds: bigint, headTimestamp: bigint): bigint {
    requireSeconds(seconds, headTimestamp);
    const lag = headTimestamp - this.now();
    const added = seconds + (lag > 0n ? lag : 0n);
    checkTime(this.now() + added);
    this.#offset += added;
    return this.#offset;
  }

  /** Sets the current time, in seconds. Returns the whole offset. */
  setNow(timestamp: bigint): bigint {
    this.#offset = timestamp - this.#now();
    return this.#offset;
  }

  /**
   * Sets the timestamp of the next block, in seconds.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` when it is not after the head's, or as {@link requireSeconds}
   */
  setNext(timestamp: bigint, headTimestamp: bigint): void {
    requireSeconds(timestamp, headTimestamp);
    if (timestamp < headTimestamp + this.step) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `Timestamp ${timestamp} is not after the head's ${headTimestamp}.`,
        fix: `Give at least ${headTimestamp + this.step}.`,
        values: { timestamp, head: headTimestamp },
      });
    }
    this.#next = timestamp;
  }

  /**
   * Sets the seconds between blocks.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if no block after the head can have its time
   */
  setInterval(seconds: bigint, headTimestamp: bigint): void {
    checkTime(headTimestamp + seconds);
    this.#interval = seconds;
  }

  /** Blocks follow the clock again. */
  removeInterval(): void {
    this.#interval = undefined;
  }

  /** Seconds between blocks, if they are set. */
  get interval(): bigint | undefined {
    return this.#interval;
  }

  /** The clock's state, for a snapshot. */
  get state(): ClockState {
    return { now: this.now(), next: this.#next, interval: this.#interval };
  }

  /** Restores a state; time continues from there. */
  restore({ now, next, interval }: ClockState): void {
    this.setNow(now);
    this.#next = next;
    this.#interval = interval;
  }

  /** Resets the clock, with an offset in seconds to the underlying clock. */
  reset(offset: bigint): void {
    this.#offset = offset;
    this.#next = undefined;
    this.#interval = undefined;
  }
}

/**
 * Checks that a block can have a time: a header has 64 bits for it.
 *
 * @param timestamp - seconds
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function checkTime(timestamp: bigint): void {
  if (timestamp <= MAX_UINT64) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `The time ${timestamp} is beyond what a block can have: 2^64 - 1 seconds.`,
    fix: "Give an earlier time or a shorter interval, or go back to an earlier block by a snapshot or a rollback.",
  });
}

/**
 * Refuses a time that a caller gives in milliseconds, which would be a time of 45,000 years later.
 *
 * @param timestamp - seconds
 * @param from - time of the block before, in seconds; a chain that is that far already goes on there
 * @throws {InvalidParamsError} `INVALID_PARAMS`
 */
export function requireSeconds(timestamp: bigint, from: bigint): void {
  if (!isMilliseconds(timestamp) || isMilliseconds(from)) return;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `The time ${timestamp} seems to be in milliseconds.`,
    fix: `Give seconds, such as ${timestamp / 1000n}.`,
  });
}
