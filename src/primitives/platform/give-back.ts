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

/** V8's collector. V8 exposes it only to contexts that are made after the flag was set. */
const collector = once((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
});

/** Counts the garbage of one owner of large buffers or texts, and collects it when there is much of it. */
export class GiveBack {
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Reports bytes outside the heap, or of long texts, that became garbage. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < WORTHWHILE_BYTES || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#collect(), DELAY_MS).unref();
  }

  #collect(): void {
    this.#bytes = 0;
    this.#timer = undefined;
    collector()();
  }
}
