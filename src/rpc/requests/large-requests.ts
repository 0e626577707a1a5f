/** Lets large requests wait for each other, so that their copies are not all in memory at once. Small ones go by. */
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { giveBackOfThread } from "../../primitives/platform/give-back.ts";
import { type HeldMemory, heldMemory } from "../../primitives/platform/held-memory.ts";

/** Longest text that goes by, in characters. */
const SMALL_LENGTH = 64 * 1024;
/** Most characters of the large texts that are being served. A larger one is served alone. */
export const MAX_LARGE_LENGTH = 16 * 1024 * 1024;
/** Most bytes of bodies and unread answers beside which more than one of them is served. */
const MAX_HELD_BYTES = 2 * MAX_LARGE_LENGTH;

interface Waiting {
  readonly length: number;
  begin(): void;
}

/** One for each node. */
export class LargeRequests {
  readonly #waiting: Waiting[] = [];
  readonly #giveBack = giveBackOfThread();
  readonly #held: Pick<HeldMemory, "bytes">;
  #inHand = 0;

  /** @param held - what clients have the process hold, these requests among it */
  constructor(held: Pick<HeldMemory, "bytes"> = heldMemory()) {
    this.#held = held;
  }

  /** Waits until a text of this length may be parsed and served; {@link leave} has to follow. */
  enter(length: number): MaybePromise<void> {
    if (length <= SMALL_LENGTH) return;
    this.#giveBack.growSparingly();
    if (this.#waiting.length === 0 && this.#hasRoomFor(length)) this.#inHand += length;
    else return new Promise((begin) => void this.#waiting.push({ length, begin }));
  }

  /** Lets the next begin when an answer is made, or begins to be written. */
  leave(length: number): void {
    this.giveBack();
    if (length <= SMALL_LENGTH) return;
    this.#inHand -= length;
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoomFor(next.length); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#inHand += next.length;
      next.begin();
    }
  }

  /** A function that calls {@link leave} when it is first called. */
  leaving(length: number): () => void {
    let hasLeft = false;
    return () => {
      if (!hasLeft) this.leave(length);
      hasLeft = true;
    };
  }

  /** Must be called after what may have left garbage, whether it was a request or not. */
  giveBack(): void {
    this.#giveBack.note();
  }

  #hasRoomFor(length: number): boolean {
    if (this.#inHand === 0) return true;
    return this.#inHand + length <= MAX_LARGE_LENGTH && this.#held.bytes <= MAX_HELD_BYTES;
  }
}
