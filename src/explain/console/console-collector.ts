/** Collects what contracts print while a transaction runs, up to a limit: calls of the console cost them next to nothing. */
import type { EventSink, FrameStart, SinkWants } from "../../evm/event-sink.ts";
import { CONSOLE_ADDRESS } from "./console-address.ts";
import type { ConsoleCall } from "./console-logs.ts";

/** Bytes that are kept between two times. */
const MAX_BYTES = 2 ** 18;
/** What a line takes beside its own bytes. */
const BYTES_PER_CALL = 100;

export class ConsoleCollector implements EventSink {
  readonly wants: SinkWants = { frames: CONSOLE_ADDRESS };
  #calls: ConsoleCall[] = [];
  #bytes = 0;

  /** Gives the calls to the console's address since the last time, in order, those of frames that failed included. */
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
