/** A clock for runs whose steps are read while they run: they wait for their reader, and that time is not theirs. */
import { ExecutionClock } from "../../executor/evm-clock.ts";

export class PausingClock extends ExecutionClock {
  /** Settles with a promise that the run waits for. The time until then does not count. */
  async pause(until: Promise<void>): Promise<void> {
    const start = performance.now();
    await until;
    this.extend(performance.now() - start);
  }
}
