/** Listeners of one kind of event; one that throws disturbs neither the others nor whoever tells. */
import { listener as listenerShape, requireShape } from "../primitives/shapes/shape.ts";

export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onError: (error: unknown) => void;

  /** @param onError - hears of listeners that throw */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** True where telling would be in vain, and making what is told as well. */
  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /**
   * Returns the stop function.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for what is no function
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
