/** Decides when the miner runs: after each transaction, on a timer, on both, or only when asked. */
import type { Miner, MiningMode } from "./miner.ts";

export class MiningSchedule {
  readonly #miner: Miner;
  readonly #onError: (error: unknown) => void;
  #mode: MiningMode;
  #timer: NodeJS.Timeout | undefined;

  /** @param onError - hears of a failure of a block that nobody asked for by name (interval mining) */
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

  set(mode: MiningMode): void {
    this.stop();
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
    const mode = this.#mode;
    if (typeof mode !== "object" || mode.intervalMs <= 0) return;
    // Each block sets the timer anew, so that a slow block delays the next instead of piling up.
    this.#timer = setTimeout(() => {
      this.#miner
        .mine()
        .catch(this.#onError)
        .finally(() => {
          if (this.#timer !== undefined && this.#mode === mode) this.#startTimer();
        });
    }, mode.intervalMs);
    this.#timer.unref();
  }
}
