/**
 * How fast one upstream may be asked: how many calls a second, how many in a message, how many messages at once.
 *
 * It begins without a limit of calls a second, unless one is given. When the upstream refuses, the pace becomes what it had accepted in
 * the last second, waits as long as it is told, and grows again with each accepted call. Times are milliseconds of one clock.
 */
export interface PaceOptions {
  /** Calls a second; found out unless given. */
  readonly rate?: number | undefined;
  /** Most calls in one message. */
  readonly maxBatch: number;
  /** Most messages under way. */
  readonly maxConcurrency: number;
  /** From 0 to 1; waits are spread by it, so that several processes do not come back at once. */
  readonly random: () => number;
}

/** Wait after a refusal that does not say how long, milliseconds; doubled by each that follows. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** The pace after a refusal, of what it was. */
const SLOWER = 0.85;
/** Calls a second by which each accepted call makes the pace faster: 3 % a second. */
const FASTER = 0.03;
/** Parts of a second by which calls go out while a pace is known: short messages waste least of what is allowed. */
const PARTS = 10;
/** A pace above this is none. */
const UNLIMITED = 20_000;

export class Pace {
  readonly #options: PaceOptions;
  #rate: number;
  #tokens = 0;
  #filledAt = 0;
  #batch: number;
  /** Most calls that a message may still be tried with. */
  #ceiling: number;
  #concurrency: number;
  #pausedUntil = 0;
  #refusedAt = 0;
  /** Refusals since a call was last accepted. */
  #refusals = 0;
  #accepted: { readonly at: number; readonly calls: number }[] = [];

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#rate = options.rate ?? Number.POSITIVE_INFINITY;
    this.#batch = options.maxBatch;
    this.#ceiling = options.maxBatch;
    this.#concurrency = options.maxConcurrency;
  }

  /** Messages that may be under way. */
  get concurrency(): number {
    return this.#concurrency;
  }

  /** Milliseconds until the next message may go, of so many calls that wait; 0 for now. */
  wait(now: number, waiting: number): number {
    const pause = Math.max(0, this.#pausedUntil - now);
    if (this.#rate === Number.POSITIVE_INFINITY) return pause;
    this.#fill(now);
    const wanted = Math.min(waiting, this.#portion());
    return Math.max(pause, wanted <= this.#tokens ? 0 : Math.ceil(((wanted - this.#tokens) / this.#rate) * 1000));
  }

  /** Takes as many of the calls that wait as may go in one message: at least one. */
  take(now: number, waiting: number): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return Math.min(this.#batch, waiting);
    this.#fill(now);
    const count = Math.max(1, Math.min(this.#batch, waiting, Math.floor(this.#tokens)));
    this.#tokens -= count;
    return count;
  }

  /** Calls of a message were accepted, whatever their answers are. */
  accepted(now: number, calls: number): void {
    this.#refusals = 0;
    this.#accepted.push({ at: now, calls });
    this.#forget(now);
    if (calls >= this.#batch) this.#batch = Math.min(this.#ceiling, this.#batch + Math.ceil(this.#batch / 4));
    if (this.#concurrency < this.#options.maxConcurrency) this.#concurrency++;
    this.#rate += FASTER * calls;
    if (this.#options.rate !== undefined) this.#rate = Math.min(this.#rate, this.#options.rate);
    else if (this.#rate > UNLIMITED) this.#rate = Number.POSITIVE_INFINITY;
  }

  /**
   * A message was refused for the pace. Of several that were under way together, the first counts.
   *
   * @param sentAt - when the message went out
   */
  refused(now: number, calls: number, sentAt: number, retryAfterMs: number | undefined): void {
    if (sentAt < this.#refusedAt) return;
    this.#refusedAt = now;
    this.#refusals++;
    this.#forget(now);
    const accepted = this.#accepted.reduce((sum, entry) => sum + entry.calls, 0);
    if (this.#rate !== Number.POSITIVE_INFINITY) this.#rate = Math.max(0.5, this.#rate * SLOWER);
    else if (accepted > 0) this.#rate = accepted;
    this.#concurrency = Math.max(1, this.#concurrency >> 1);
    // Nothing has gone through since the last refusal: it may be the length of the message that is too much.
    const divisor = this.#refusals > 1 || accepted === 0 ? 4 : 2;
    this.#batch = Math.max(1, Math.floor(Math.min(calls, this.#batch) / divisor));
    const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#refusals - 1));
    this.#pausedUntil =
      now + (retryAfterMs ?? backoff) + this.#options.random() * (retryAfterMs === undefined ? backoff / 2 : 20);
  }

  /**
   * A message was refused for its length, or never came through.
   *
   * @param isFinal - the upstream said that it is too long, so that the length is not tried again
   */
  tooLong(calls: number, isFinal: boolean): void {
    this.#batch = Math.max(1, Math.min(this.#batch, calls >> 1));
    if (isFinal) this.#ceiling = Math.max(1, Math.min(this.#ceiling, calls - 1));
  }

  /** Calls to wait for before a message goes. */
  #portion(): number {
    return Math.max(1, Math.min(this.#batch, Math.floor(this.#rate / PARTS)));
  }

  #fill(now: number): void {
    const gained = ((now - this.#filledAt) / 1000) * this.#rate;
    this.#tokens = Math.min(Math.max(1, this.#rate), this.#tokens + gained);
    this.#filledAt = now;
  }

  #forget(now: number): void {
    while (this.#accepted[0] !== undefined && this.#accepted[0].at < now - 1000) this.#accepted.shift();
  }
}
