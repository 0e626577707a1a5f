/** Lets large requests wait for each other, so that their copies are not all in memory at once. Small ones go by. */
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { GiveBack } from "../../primitives/platform/give-back.ts";

/** Longest text that goes by, in characters. */
const SMALL_LENGTH = 64 * 1024;
/** Most characters of the large texts that are being served. A larger one is served alone. */
export const MAX_LARGE_LENGTH = 16 * 1024 * 1024;
/** A request's text was received in parts, joined, decoded, parsed, and its values were decoded: measured with 5 MB of data. */
const COPIES = 7;

/** Milliseconds of a request that may have made much garbage, whatever its length. */
const LONG_MS = 50;

interface Waiting {
  readonly length: number;
  begin(): void;
}

/** One for each node. */
export class LargeRequests {
  readonly #waiting: Waiting[] = [];
  readonly #giveBack = new GiveBack();
  #inHand = 0;

  /** Waits until a text of this length may be parsed and served; {@link leave} has to follow. */
  enter(length: number): MaybePromise<void> {
    if (length <= SMALL_LENGTH) return;
    if (this.#waiting.length === 0 && this.#hasRoomFor(length)) this.#inHand += length;
    else return new Promise((begin) => void this.#waiting.push({ length, begin }));
  }

  /** Calls {@link leave} when an answer is made, or begins to be written. */
  async leaveAfter<Answer>(length: number, answer: Promise<Answer>): Promise<Answer> {
    const since = performance.now();
    try {
      return await answer;
    } finally {
      this.leave(length, performance.now() - since);
    }
  }

  /** @param elapsedMs - since the request was received */
  leave(length: number, elapsedMs: number): void {
    if (length > SMALL_LENGTH || elapsedMs > LONG_MS) this.#giveBack.addGrown(length * COPIES);
    else this.#giveBack.add(length * COPIES);
    if (length <= SMALL_LENGTH) return;
    this.#inHand -= length;
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoomFor(next.length); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#inHand += next.length;
      next.begin();
    }
  }

  #hasRoomFor(length: number): boolean {
    return this.#inHand === 0 || this.#inHand + length <= MAX_LARGE_LENGTH;
  }
}
