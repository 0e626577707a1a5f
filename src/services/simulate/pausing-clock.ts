/** A clock for runs whose steps are read while they run: they wait for their reader, and that time is not theirs. */
import { ExecutionClock } from "../../executor/evm-clock.ts";
import type { ExecutionLimits } from "../../executor/types.ts";

/** What stands between a run and its reader. */
export interface Backlog {
  /** The run is to wait. */
  readonly isFull: boolean;
  /** Settles once it may go on. */
  emptied(): Promise<void>;
}

export class PausingClock extends ExecutionClock {
  readonly #backlog: Backlog;

  constructor(limits: ExecutionLimits, backlog: Backlog) {
    super(limits);
    this.#backlog = backlog;
  }

  override check(): Promise<void> | undefined {
    const turn = super.check();
    return this.#backlog.isFull ? this.#pause(turn) : turn;
  }

  async #pause(turn: Promise<void> | undefined): Promise<void> {
    await turn;
    const start = performance.now();
    await this.#backlog.emptied();
    this.extend(performance.now() - start);
    // The reader may have stopped meanwhile.
    await super.check();
  }
}
