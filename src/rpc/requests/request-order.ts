/** Lets the requests of one connection begin in the order in which they came, and those that write one after another. */
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { onNextTurn } from "../../primitives/platform/event-loop.ts";
import type { CallContext } from "../method.ts";

/** One for each node. */
export class RequestOrder {
  /** By connection: the last request that had to wait. Absent where all have begun. */
  readonly #last = new WeakMap<object, Promise<unknown>>();
  /** By connection: settles when its requests that write have ended. Absent where all have. */
  readonly #writing = new WeakMap<object, Promise<void>>();

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

  /**
   * Runs a request that writes when the connection's earlier ones have ended: they failed, or their answers are
   * complete, in pieces included. A request that waits for others ends its turn early by {@link CallContext.letNextBegin}.
   */
  async inTurn<T>(call: CallContext, run: (call: CallContext) => Promise<T>): Promise<T> {
    const { session, signal } = call;
    if (session === undefined) return run(call);
    const before = this.#writing.get(session);
    const { ended, end } = newTurn();
    this.#writing.set(session, ended);
    const letNextBegin = (): void => {
      end();
      if (this.#writing.get(session) === ended) this.#writing.delete(session);
    };
    if (before !== undefined) await before;
    let isInPieces = false;
    try {
      const answer = await run({ ...call, letNextBegin });
      isInPieces = isStream(answer);
      return isInPieces ? (endingWith(answer as AsyncIterable<unknown>, signal, letNextBegin) as T) : answer;
    } finally {
      if (!isInPieces) letNextBegin();
    }
  }
}

function newTurn(): { readonly ended: Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end: () => end() };
}

function isStream(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}

/** The pieces. Calls `onEnd` after the last, or when the connection is gone: nobody reads them then. */
function endingWith<T>(pieces: AsyncIterable<T>, signal: CallContext["signal"], onEnd: () => void): AsyncIterable<T> {
  if (signal.aborted) onEnd();
  signal.addEventListener("abort", onEnd, { once: true });
  return (async function* () {
    try {
      yield* pieces;
    } finally {
      signal.removeEventListener("abort", onEnd);
      onEnd();
    }
  })();
}
