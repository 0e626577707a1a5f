/**
 * Paces requests to one upstream node: calls per second, calls per message, and concurrent messages.
 *
 * Unless a rate is given, there is no limit at first. After a refusal the rate becomes that of the last second, after a
 * pause as long as the node asks for. It then grows with each accepted call. Times are milliseconds of one clock.
 */
export interface PaceOptions {
  /** Calls per second; detected unless given. */
  readonly rate?: number | undefined;
  /** Most calls in one message. */
  readonly maxBatch: number;
  /** Most concurrent messages. */
  readonly maxConcurrency: number;
  /** From 0 to 1; randomizes pauses, so that several processes do not return at once. */
  readonly random: () => number;
}

/** Pause in milliseconds after a refusal that names none; doubled by each further one. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** Factor of the rate after a refusal. */
const SLOWER = 0.85;
/** Calls per second that each accepted call adds to the rate: 3 % per second. */
const FASTER = 0.03;
/** As above, while the rate was measured on fewer than {@link FEW} calls, which say little about the node's limit. */
const FASTER_AT_FIRST = 0.5;
const FEW = 10;
/** At a limited rate, calls are sent in this many messages per second. */
const PARTS = 10;
/** A rate above this counts as unlimited. */
const UNLIMITED = 20_000;

/** Limits the requests to one upstream node. */
export class Pace {
  readonly #options: PaceOptions;
  #rate: number;
  #tokens = 0;
  #filledAt = 0;
  #batch: number;
  /** Most calls that may still be tried in one message. */
  #ceiling: number;
  #concurrency: number;
  #pausedUntil = 0;
  #refusedAt = 0;
  /** Refusals since the last accepted call. */
  #refusals = 0;
  #growth = FASTER;
  #accepted: { readonly at: number; readonly calls: number }[] = [];

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#rate = options.rate ?? Number.POSITIVE_INFINITY;
    this.#batch = options.maxBatch;
    this.#ceiling = options.maxBatch;
    this.#concurrency = options.maxConcurrency;
  }

  /** Number of messages that may be in flight. */
  get concurrency(): number {
    return this.#concurrency;
  }

  /** Milliseconds until the next message may be sent, given the number of waiting calls; 0 for now. */
  wait(now: number, waiting: number): number {
    const pause = Math.max(0, this.#pausedUntil - now);
    if (this.#rate === Number.POSITIVE_INFINITY) return pause;
    this.#fill(now);
    const wanted = Math.min(waiting, this.#portion());
    return Math.max(pause, wanted <= this.#tokens ? 0 : Math.ceil(((wanted - this.#tokens) / this.#rate) * 1000));
  }

  /** Takes waiting calls for one message: at least one. */
  take(now: number, waiting: number): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return Math.min(this.#batch, waiting);
    this.#fill(now);
    const count = Math.max(1, Math.min(this.#batch, waiting, Math.floor(this.#tokens)));
    this.#tokens -= count;
    return count;
  }

  /** Notes that the calls of a message were accepted, whatever their answers are. */
  accepted(now: number, calls: number): void {
    this.#refusals = 0;
    this.#accepted.push({ at: now, calls });
    this.#forget(now);
    if (calls >= this.#batch) this.#batch = Math.min(this.#ceiling, this.#batch + Math.ceil(this.#batch / 4));
    if (this.#concurrency < this.#options.maxConcurrency) this.#concurrency++;
    this.#rate += this.#growth * calls;
    if (this.#options.rate !== undefined) this.#rate = Math.min(this.#rate, this.#options.rate);
    else if (this.#rate > UNLIMITED) this.#rate = Number.POSITIVE_INFINITY;
  }

  /**
   * Notes that a message was refused for its pace. Of several concurrent ones only the first counts.
   *
   * @param sentAt - time at which the message was sent
   */
  refused(now: number, calls: number, sentAt: number, retryAfterMs: number | undefined): void {
    if (sentAt < this.#refusedAt) return;
    this.#refusedAt = now;
    this.#refusals++;
    this.#forget(now);
    const accepted = this.#accepted.reduce((sum, entry) => sum + entry.calls, 0);
    const isKnown = this.#rate !== Number.POSITIVE_INFINITY;
    this.#growth = !isKnown && accepted < FEW ? FASTER_AT_FIRST : FASTER;
    if (isKnown) this.#rate = Math.max(0.5, this.#rate * SLOWER);
    else if (accepted > 0) this.#rate = accepted;
    this.#concurrency = Math.max(1, this.#concurrency >> 1);
    // If every message is refused, its length may be the reason.
    const divisor = this.#refusals > 1 || accepted === 0 ? 4 : 2;
    this.#batch = Math.max(1, Math.floor(Math.min(calls, this.#batch) / divisor));
    const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#refusals - 1));
    this.#pausedUntil =
      now + (retryAfterMs ?? backoff) + this.#options.random() * (retryAfterMs === undefined ? backoff / 2 : 20);
  }

  /**
   * Notes that a message was too long, or was not answered at all.
   *
   * @param isFinal - the node said that it is too long, so this length is not tried again
   */
  tooLong(calls: number, isFinal: boolean): void {
    this.#batch = Math.max(1, Math.min(this.#batch, calls >> 1));
    if (isFinal) this.#ceiling = Math.max(1, Math.min(this.#ceiling, calls - 1));
  }

  /** Number of calls to collect before a message is sent. */
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
