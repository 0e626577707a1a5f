/** Calls that wait for a lagging node to learn of their block. One of them asks again for all that name the same block. */
import type { PendingCall } from "./pending-call.ts";

/** Pauses between the requests to a lagging node, as parts of the time that it gets. */
export const LAG_PAUSES: readonly number[] = [0.125, 0.25, 0.625];

/** One for each client. */
export class LaggingCalls {
  /** By the call that asks again: those that wait for its answer. */
  readonly #waiting = new Map<PendingCall, PendingCall[]>();
  readonly #sendAgain: (calls: readonly PendingCall[]) => void;

  constructor(sendAgain: (calls: readonly PendingCall[]) => void) {
    this.#sendAgain = sendAgain;
  }

  /**
   * Lets a call wait whose block is unknown. Returns the milliseconds until it is sent again; undefined if another call asks,
   * whose answer it waits for.
   */
  wait(call: PendingCall): number | undefined {
    const pause = call.lagMs * (LAG_PAUSES[call.lags++] ?? 0);
    if (this.#waiting.has(call)) return pause;
    const block = blockOf(call);
    const waiting = [...this.#waiting].find(([asking]) => blockOf(asking) === block)?.[1];
    waiting?.push(call);
    if (waiting !== undefined) return undefined;
    this.#waiting.set(call, []);
    call.onSettled(() => this.#sendAgain(this.take(call)));
    return pause;
  }

  /** The calls that wait for the answer of this one, which no longer asks for them. */
  take(call: PendingCall): readonly PendingCall[] {
    const waiting = this.#waiting.get(call) ?? [];
    this.#waiting.delete(call);
    return waiting;
  }
}

/** Text of the last parameter, which names the block of a request for state. */
const blockOf = ({ params }: PendingCall): string => JSON.stringify(params.at(-1)) ?? "";
