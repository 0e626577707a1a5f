/**
 * Collects `console.log` calls while a transaction runs, up to a limit, because such calls cost a contract next to
 * nothing.
 */
import type { EventSink, FrameStart, SinkWants } from "../../evm/event-sink.ts";
import { CONSOLE_ADDRESS } from "./console-address.ts";
import type { ConsoleCall } from "./console-logs.ts";

/** Most bytes that are held between two calls of {@link take}. */
const MAX_BYTES = 2 ** 18;
/** Estimated bytes of a call beside its data. */
const BYTES_PER_CALL = 100;

/** Collects the `console.log` calls of one transaction or call. */
export class ConsoleCollector implements EventSink {
  readonly wants: SinkWants = { frames: CONSOLE_ADDRESS, data: CONSOLE_ADDRESS };
  #calls: ConsoleCall[] = [];
  #bytes = 0;

  /** Returns the calls of the console since the last time, in order, including those of failed frames. */
  take(): readonly ConsoleCall[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#bytes = 0;
    return calls;
  }

  enterFrame({ from, input }: FrameStart): void {
    this.#bytes += input.length + BYTES_PER_CALL;
    if (this.#bytes <= MAX_BYTES) this.#calls.push({ address: from, input });
  }
}
