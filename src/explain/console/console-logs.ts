/** What contracts print while they run, told to whoever listens. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { Listeners } from "../listeners.ts";
import { ConsoleDecoder, type ConsoleMessage } from "./console-decoder.ts";

/** A call to the console's address, as the executor saw it. */
export interface ConsoleCall {
  /** Contract that printed: whose storage its code worked on. */
  readonly address: Bytes;
  readonly input: Bytes;
}

/** One line that a contract printed. */
export interface ConsoleLog extends ConsoleMessage {
  /** Contract that printed it: the storage's owner, where its code was another's. */
  readonly address: Bytes;
  /** Of the mined transaction; undefined for a call that nobody keeps. */
  readonly transactionHash: Bytes | undefined;
}

export type ConsoleListener = (log: ConsoleLog) => void;

export class ConsoleLogs {
  readonly #decoder = new ConsoleDecoder();
  readonly #listeners: Listeners<ConsoleLog>;

  /** @param onError - hears of listeners that throw */
  constructor(onError: (error: unknown) => void) {
    this.#listeners = new Listeners(onError);
  }

  /** Nobody listens. */
  get isEmpty(): boolean {
    return this.#listeners.isEmpty;
  }

  /** Called with each line. Returns the stop function. */
  on(listener: ConsoleListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Tells the listeners what an execution printed; what is no console.log is passed over. */
  report(calls: readonly ConsoleCall[], transactionHash?: Bytes): void {
    if (this.#listeners.isEmpty) return;
    for (const { address, input } of calls) {
      const message = this.#decoder.decode(input);
      if (message !== undefined) this.#listeners.tell({ ...message, address, transactionHash });
    }
  }
}
