/** Decides when the miner runs: after each transaction, on a timer, on both, or only when asked. */
import { z } from "zod";
import { HindcastError, InvalidParamsError } from "../errors/hindcast-error.ts";
import { once } from "../primitives/once.ts";
import { inBackground, type Timer } from "../primitives/platform/event-loop.ts";
import type { Miner, MiningInterval, MiningMode } from "./miner.ts";

/** Longest wait of a Node timer in milliseconds; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Describes the values of {@link MiningMode} for errors. */
export const MINING_MODE_SHAPE =
  '"auto", "manual" or { intervalMs } with more than zero milliseconds, or with two such numbers, the smaller first';

const miningMode = once(() =>
  z.union([
    z.enum(["auto", "manual"]),
    z.strictObject({
      intervalMs: z.union([
        z.number().positive(),
        z.tuple([z.number().positive(), z.number().positive()]).refine(([least, most]) => least <= most),
      ]),
      automine: z.boolean().optional(),
    }),
  ]),
);

/** Whether a value is a {@link MiningMode}. */
export function isMiningMode(value: unknown): value is MiningMode {
  return miningMode().safeParse(value).success;
}

/** One for each node. {@link stop} must be called before the chain closes. */
export class MiningSchedule {
  readonly #miner: Miner;
  readonly #onError: (error: unknown) => void;
  #mode: MiningMode;
  #timer: Timer | undefined;
  /** Kind of the error that ended the last attempt to make a block by interval; undefined if there was none. */
  #failure: string | undefined;

  /**
   * @param onError - called if interval mining fails to make a block; not again for the same kind of error until a block is
   * made or the mode is set
   */
  constructor(miner: Miner, mode: MiningMode, onError: (error: unknown) => void) {
    this.#miner = miner;
    this.#mode = mode;
    this.#onError = onError;
    this.#startTimer();
  }

  get mode(): MiningMode {
    return this.#mode;
  }

  get isAutomine(): boolean {
    return this.#mode === "auto" || (typeof this.#mode === "object" && this.#mode.automine === true);
  }

  /** @throws {InvalidParamsError} `INVALID_OPTION` if the value is not a mode */
  set(mode: MiningMode): void {
    if (!isMiningMode(mode)) {
      throw new InvalidParamsError({
        code: "INVALID_OPTION",
        what: "The mining mode is not valid.",
        fix: `It must be ${MINING_MODE_SHAPE}.`,
      });
    }
    this.stop();
    this.#failure = undefined;
    this.#mode = mode;
    this.#startTimer();
  }

  /** Called after a transaction entered the pool. */
  async transactionArrived(): Promise<void> {
    if (this.isAutomine) await this.#miner.mineWaiting();
  }

  /** Stops the timer, for good or until the next {@link set}. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #startTimer(): void {
    if (typeof this.#mode !== "object") return;
    // Each block sets the timer anew, so that a slow block delays the next instead of piling up.
    this.#wait(nextInterval(this.#mode.intervalMs), () => {
      const timer = this.#timer;
      this.#miner
        .mine()
        .then(
          () => {
            this.#failure = undefined;
          },
          (error) => this.#failed(error),
        )
        .finally(() => {
          // The mode may have been set meanwhile, which replaces the timer.
          if (this.#timer === timer) this.#startTimer();
        });
    });
  }

  /** Reports an error once: it usually prevents the next block too, with a text that differs by the time, for example. */
  #failed(error: unknown): void {
    const kind = error instanceof HindcastError ? error.code : String(error);
    if (kind === this.#failure) return;
    this.#failure = kind;
    this.#onError(error);
  }

  #wait(milliseconds: number, then: () => void): void {
    const isLast = milliseconds <= MAX_TIMER_MS;
    const next = isLast ? then : (): void => this.#wait(milliseconds - MAX_TIMER_MS, then);
    this.#timer = inBackground(setTimeout(next, isLast ? milliseconds : MAX_TIMER_MS));
  }
}

/** Milliseconds until the next block. */
function nextInterval(interval: MiningInterval): number {
  if (typeof interval === "number") return interval;
  const [least, most] = interval;
  return least + Math.random() * (most - least);
}
