/**
 * Triggers a garbage collection when much memory outside V8's heap became garbage, which V8 alone would keep while
 * nothing is allocated.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { once } from "../once.ts";

/** Bytes that make a collection worthwhile; it takes some ten milliseconds. */
const WORTHWHILE_BYTES = 64 * 1024 * 1024;
/** Delay in which more garbage may be added. */
const DELAY_MS = 1_000;
/** Until what was in use at a collection, and became garbage since, is collected too. */
const AGAIN_MS = 4_000;
/** Bytes that make that worthwhile. */
const WORTHWHILE_AGAIN_BYTES = 4 * 1024 * 1024;

/** V8's collector. V8 exposes it only to contexts that are made after the flag was set. */
const collector = once((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
});

/** Counts the garbage of one owner of large buffers or texts, and collects it when there is much of it. */
export class GiveBack {
  /** Whether this platform lets a program collect garbage. */
  readonly isEffective: boolean = true;
  #bytes = 0;
  #heapBytes = process.memoryUsage().heapTotal;
  #timer: NodeJS.Timeout | undefined;
  /** True while the timer is that of a collection for much garbage, not of the one after it. */
  #isDue = false;

  /** As {@link add}, of at least what the heap has grown by since the last call: what a request made is garbage after it. */
  addGrown(bytes: number): void {
    const { heapTotal } = process.memoryUsage();
    const grown = heapTotal - this.#heapBytes;
    this.#heapBytes = heapTotal;
    this.add(Math.max(bytes, grown));
  }

  /** Reports bytes outside the heap, or of long texts, that became garbage. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < WORTHWHILE_BYTES || this.#isDue) return;
    this.#isDue = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#collect(), DELAY_MS).unref();
  }

  #collect(): void {
    this.#isDue = false;
    this.#bytes = 0;
    collector()();
    this.#timer = setTimeout(() => this.#collectAgain(), AGAIN_MS).unref();
  }

  #collectAgain(): void {
    if (this.#bytes >= WORTHWHILE_AGAIN_BYTES) this.#collect();
  }
}
