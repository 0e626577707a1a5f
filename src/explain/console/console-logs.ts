/** Reports `console.log` lines to listeners. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { Listeners } from "../listeners.ts";
import { ConsoleDecoder, type ConsoleMessage } from "./console-decoder.ts";

/** A call to the console's address. */
export interface ConsoleCall {
  /** Address of the contract that printed; for a DELEGATECALL that of the storage. */
  readonly address: Bytes;
  readonly input: Bytes;
}

/** A printed line with its contract and transaction. */
export interface ConsoleLog extends ConsoleMessage {
  /** Address of the contract that printed; for a DELEGATECALL that of the storage. */
  readonly address: Bytes;
  /** Hash of the mined transaction; undefined for a simulated call. */
  readonly transactionHash: Bytes | undefined;
}

/** Receives each line once its transaction is mined or its call has ended. */
export type ConsoleListener = (log: ConsoleLog) => void;

/** Reports the `console.log` lines of a node to its listeners. */
export class ConsoleLogs {
  readonly #decoder = new ConsoleDecoder();
  readonly #listeners: Listeners<ConsoleLog>;

  /** @param onError - called with errors that listeners throw */
  constructor(onError: (error: unknown) => void) {
    this.#listeners = new Listeners(onError);
  }

  /** True if there is no listener. */
  get isEmpty(): boolean {
    return this.#listeners.isEmpty;
  }

  /** Calls a listener with each line. Returns a function that stops it. */
  on(listener: ConsoleListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Reports the console calls of an execution; those that are not a console.log are ignored. */
  report(calls: readonly ConsoleCall[], transactionHash?: Bytes): void {
    if (this.#listeners.isEmpty) return;
    for (const { address, input } of calls) {
      const message = this.#decoder.decode(input);
      if (message !== undefined) this.#listeners.tell({ ...message, address, transactionHash });
    }
  }
}
