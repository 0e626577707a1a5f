/** Lets the requests of one connection begin in the order in which they came, whatever each has to wait for first. */
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { onNextTurn } from "../../primitives/platform/turns.ts";

/** One for each node. */
export class StartOrder {
  /** By connection: the last request that had to wait. Absent where all have begun. */
  readonly #last = new WeakMap<object, Promise<unknown>>();

  /**
   * Makes a request ready: its text is parsed, its method is loaded.
   *
   * @param connection - undefined for a request that is alone on its connection
   * @param prepare - called when all earlier requests of the connection are ready
   * @returns the prepared value; at once if nothing has to be awaited. The request has to begin without further waiting
   */
  enter<T>(connection: object | undefined, prepare: () => MaybePromise<T>): MaybePromise<T> {
    if (connection === undefined) return prepare();
    const last = this.#last.get(connection);
    const ready = last === undefined ? prepare() : last.then(prepare, prepare);
    if (ready instanceof Promise) this.#waitFor(ready, connection);
    return ready;
  }

  #waitFor(ready: Promise<unknown>, connection: object): void {
    this.#last.set(connection, ready);
    // Not before the next turn: all that waited for this one have begun by then.
    const forget = (): void =>
      onNextTurn(() => {
        if (this.#last.get(connection) === ready) this.#last.delete(connection);
      });
    ready.then(forget, forget);
  }
}
