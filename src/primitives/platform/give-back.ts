/**
 * Triggers a garbage collection when the process has become idle. V8 collects by itself while memory is allocated, in
 * steps beside other work; what is garbage when allocation ends it would keep. A collection that is asked for stops
 * everything for as long as the live objects take to be marked, so that none is asked for while anybody works.
 */
// Not the global one, which test runners replace together with the timers.
import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { once } from "../once.ts";

/** Milliseconds that the process must have been idle, and the part of them that it may have worked nevertheless. */
const IDLE_MS = 1_000;
const IDLE_UTILIZATION = 0.25;
/** Bytes by which memory must have grown since the last collection, or be above the least after any. */
const WORTHWHILE_BYTES = 16 * 1024 * 1024;
/**
 * Until a second collection: what was in use at the first may have become garbage, and V8 makes room for new objects
 * smaller only if little was allocated for five seconds.
 */
const AGAIN_MS = 5_500;
/** Milliseconds until the buffers that a collection found were released, by threads of V8. */
const RELEASE_MS = 200;

/** V8's collector. V8 exposes it only to contexts that are made after the flag was set. */
const collector = once((): ((options?: { readonly type: "minor" }) => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
});

/** Bytes of V8's heap, with what is free in it, and outside of it in buffers and WebAssembly. */
function bytesTaken(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** V8, as it is used here. */
export interface Collector {
  collect(options?: { readonly type: "minor" }): void;
  bytesTaken(): number;
}

const V8: Collector = { collect: (options) => collector()(options), bytesTaken };

/** Collects the garbage of an owner that tells when it may have made some. */
export class GiveBack {
  /** Whether this platform lets a program collect garbage: Deno does not say how busy it is, Bun is not on V8. */
  readonly isEffective: boolean =
    typeof performance.eventLoopUtilization === "function" && process.versions.bun === undefined;
  readonly #v8: Collector;
  /** Bytes taken after the last collection, and at the least. */
  #after: number;
  #lowest: number;
  #timer: NodeJS.Timeout | undefined;
  /** True if work has ended since the first of two collections: the second has found more than the first had to leave. */
  #isNoted = false;

  /** @param v8 - default: that of this process */
  constructor(v8 = V8) {
    this.#v8 = v8;
    this.#after = v8.bytesTaken();
    this.#lowest = this.#after;
  }

  /** Must be called after work that may have left garbage. */
  note(): void {
    if (!this.isEffective) return;
    this.#isNoted = true;
    this.#timer ??= this.#whenIdle(IDLE_MS, () => this.#collectGrown());
  }

  #whenIdle(ms: number, act: () => void): NodeJS.Timeout {
    const before = performance.eventLoopUtilization();
    const look = (): void => {
      const { utilization } = performance.eventLoopUtilization(before);
      if (utilization < IDLE_UTILIZATION) act();
      else this.#timer = this.#whenIdle(IDLE_MS, act);
    };
    return setTimeout(look, ms).unref();
  }

  #collectGrown(): void {
    this.#timer = undefined;
    const bytes = this.#v8.bytesTaken();
    // V8 has collected in the meantime.
    this.#after = Math.min(this.#after, bytes);
    if (bytes - this.#after < WORTHWHILE_BYTES) return;
    this.#isNoted = false;
    this.#collect(() => this.#waitAgain(() => this.#isNoted && this.#waitAgain(() => undefined)));
  }

  #waitAgain(then: () => void): void {
    this.#timer = this.#whenIdle(AGAIN_MS, () => {
      this.#timer = undefined;
      if (this.#v8.bytesTaken() - this.#lowest >= WORTHWHILE_BYTES) this.#collect(then);
    });
  }

  #collect(then: () => void): void {
    this.#v8.collect();
    const settle = (): void => {
      this.#timer = undefined;
      // V8 counts released buffers as external memory until its next collection: a minor one, of a millisecond.
      this.#v8.collect({ type: "minor" });
      this.#after = this.#v8.bytesTaken();
      this.#lowest = Math.min(this.#lowest, this.#after);
      then();
    };
    this.#timer = setTimeout(settle, RELEASE_MS).unref();
  }
}
