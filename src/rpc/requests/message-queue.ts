/** The messages of a provider in their order. They can be held until the next turn of the event loop. */
import { onNextTurn } from "../../primitives/platform/event-loop.ts";

/** A message as EIP-1193 has it. */
export interface ProviderMessage {
  readonly type: string;
  readonly data: unknown;
}

/** One for each provider. */
export class MessageQueue {
  readonly #deliver: (message: ProviderMessage) => void;
  readonly #waiting: ProviderMessage[] = [];
  /** Settles when messages are no longer held; undefined if they are not. */
  #held: Promise<void> | undefined;
  #isDelivering = false;

  /** @param deliver - passes a message to the listeners; never throws */
  constructor(deliver: (message: ProviderMessage) => void) {
    this.#deliver = deliver;
  }

  /** Delivers a message at once, or after those that wait. */
  push(message: ProviderMessage): void {
    this.#waiting.push(message);
    this.#deliverWaiting();
  }

  /** Holds messages until the next turn. */
  hold(): void {
    this.#held ??= new Promise((resolve) => {
      onNextTurn(() => {
        this.#held = undefined;
        this.#deliverWaiting();
        resolve();
      });
    });
  }

  /** Resolves when all messages so far were delivered; undefined if none waits. */
  received(): Promise<void> | undefined {
    return this.#held !== undefined && this.#waiting.length > 0 ? this.#receive() : undefined;
  }

  async #receive(): Promise<void> {
    while (this.#held !== undefined && this.#waiting.length > 0) await this.#held;
  }

  /** Drops the messages that wait. */
  clear(): void {
    this.#waiting.length = 0;
  }

  #deliverWaiting(): void {
    // A listener that causes a message gets it after the current one.
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    while (this.#held === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#deliver(next);
    }
    this.#isDelivering = false;
  }
}
