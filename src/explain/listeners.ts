/** Listeners of one kind of event. If one throws, the others are still called. */
import { listener as listenerShape, requireShape } from "../primitives/validation/shape.ts";

/** Called in the order in which they were added. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onError: (error: unknown) => void;

  /** @param onError - called with errors that listeners throw */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** True if there is no listener, so that the event need not be made. */
  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /**
   * Returns a function that removes the listener.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if it is not a function
   */
  add(listener: (event: Event) => void): () => void {
    requireShape(listenerShape(), listener, "listener");
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(event: Event): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
