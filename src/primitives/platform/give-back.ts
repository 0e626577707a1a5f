/**
 * Triggers a garbage collection when the process has become idle. V8 collects by itself only while memory is allocated, in
 * steps beside other work; what is garbage when allocation ends stays. So it is made to begin such a collection. `gc()`
 * would stop everything until all live objects are marked. It would also drop the optimized code for each class that has no
 * instance just then: the first block of 500 transfers after it took 1.5 times as long.
 */
import { once } from "../once.ts";

/** Not the global one, which test runners replace together with the timers. */
const clock = once(() => process.getBuiltinModule("node:perf_hooks").performance);

/**
 * Milliseconds that the process must have been idle, and the part of them that it may have worked nevertheless. A client
 * that polls every 20 ms takes 0.02 of them, one that sends a transfer every 30 ms 0.05.
 */
const IDLE_MS = 1_000;
const IDLE_UTILIZATION = 0.03;
/** Bytes by which memory must have grown since the last collection, or be above the least after any. */
const WORTHWHILE_BYTES = 16 * 1024 * 1024;
/**
 * Until a second collection: what was in use at the first may have become garbage. V8 makes room for new objects smaller
 * only if it counted few for five seconds, and at the first collection it counts those of the work before.
 */
const AGAIN_MS = 5_000;
/** Milliseconds until what stayed in use is looked for anew, at first. They double each time that none of it was garbage. */
const RETRY_MS = 10_000;
/** Milliseconds until the buffers that a collection found were released, by threads of V8. */
const RELEASE_MS = 200;
/**
 * Milliseconds until the end of a collection is looked for, and another one begun if it has not come. V8 may have been
 * in the middle of another one, which treats all that was allocated since its beginning as in use.
 */
const LOOK_MS = 500;
/** Most times that it is looked for. */
const LOOKS = 20;

/**
 * Percent of what is in use by which V8's heap may grow until it is collected, beside large requests. Else V8 lets it grow
 * to up to four times as much, which makes fewer collections.
 */
const SPARING_PERCENT = 25;
/**
 * Milliseconds after the last large request until V8 decides again. What it decides at a collection holds until the next:
 * with a second, one between two large requests let 70 MB that were in use grow to 300.
 */
const SPARING_MS = 10_000;

/** Sets an option of V8. A code cache fits only where the same ones are set, so that none is left set for long. */
function setV8Option(option: string): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(option);
}

type Collect = (options: { readonly type: "minor" }) => void;

/** Calls a function once what was registered with it was collected, unless it was collected itself before. */
const garbage = once(() => new FinalizationRegistry((tell: () => void) => tell()));

/**
 * Begins a collection that V8 goes on with in steps. After each collection of young objects V8 decides whether to begin one
 * of all objects; under the first option it always does. Under the second it moves all live objects together, and not only
 * those on sparse pages.
 *
 * @returns whether it is over
 */
function beginCollection(): () => boolean {
  let isOver = false;
  garbage().register({}, () => {
    isOver = true;
  });
  setV8Option("--stress-incremental-marking");
  setV8Option("--compact-on-every-full-gc");
  try {
    collectYoung();
  } finally {
    setV8Option("--no-compact-on-every-full-gc");
    setV8Option("--no-stress-incremental-marking");
  }
  return () => isOver;
}

/** Collects young objects at once. That takes a millisecond. */
function collectYoung(): void {
  collector()({ type: "minor" });
}

/** V8's collector. V8 exposes it only to contexts that are made while the option is set. */
const collector = once((): Collect => {
  if (globalThis.gc !== undefined) return globalThis.gc as Collect;
  setV8Option("--expose-gc");
  const collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as Collect;
  setV8Option("--no-expose-gc");
  return collect;
});

/** Bytes of V8's heap, with what is free in it, and outside of it in buffers and WebAssembly. */
function bytesTaken(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/** V8, as it is used here. */
export interface Collector {
  /** Begins a collection. @returns whether it is over */
  begin(): () => boolean;
  /** Collects young objects only, at once. */
  collectYoung(): void;
  bytesTaken(): number;
  /** @param percent - see {@link SPARING_PERCENT}; 0 lets V8 decide */
  limitGrowth(percent: number): void;
}

const V8: Collector = {
  begin: beginCollection,
  collectYoung,
  bytesTaken,
  limitGrowth: (percent) => setV8Option(`--heap-growing-percent=${percent}`),
};

/** Deno does not say how busy it is, Bun is not on V8. */
const isNode = (): boolean => typeof clock().eventLoopUtilization === "function" && process.versions.bun === undefined;

/** Collects the garbage of an owner that tells when it may have made some, or will make much. */
export class GiveBack {
  /** Whether this platform lets a program collect garbage. */
  readonly isEffective: boolean = isNode();
  readonly #v8: Collector;
  /** Bytes taken after the last collection, and at the least. */
  #after: number;
  #lowest: number;
  #timer: NodeJS.Timeout | undefined;
  /** True if work has ended since the first of two collections: the second has found more than the first had to leave. */
  #isNoted = false;
  /** When a collection may next look for what stayed in use, and how long it is until the one after it. */
  #retryAt = 0;
  #retryMs = RETRY_MS;
  #collections = 0;
  /** While V8's heap grows sparingly. */
  #sparing: NodeJS.Timeout | undefined;

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

  /** Must be called before work that may wait for others, such as an answer that is read slowly, and the result after it. */
  hold(): () => void {
    const before = this.#collections;
    return () => {
      // That collection had to leave the result.
      if (this.#collections !== before) this.#retryAt = 0;
      this.note();
    };
  }

  /** Must be called before a large request is served: its texts and values are garbage soon. */
  growSparingly(): void {
    if (!this.isEffective) return;
    if (this.#sparing !== undefined) return void this.#sparing.refresh();
    this.#v8.limitGrowth(SPARING_PERCENT);
    this.#sparing = setTimeout(() => this.growFreely(), SPARING_MS).unref();
  }

  /** Must be called before a code cache is made, for which V8 must have the options of the start. */
  growFreely(): void {
    if (this.#sparing === undefined) return;
    clearTimeout(this.#sparing);
    this.#sparing = undefined;
    this.#v8.limitGrowth(0);
  }

  #whenIdle(ms: number, act: () => void): NodeJS.Timeout {
    const before = clock().eventLoopUtilization();
    const look = (): void => {
      const { utilization } = clock().eventLoopUtilization(before);
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
    const hasGrown = bytes - this.#after >= WORTHWHILE_BYTES;
    const mayRetry = bytes - this.#lowest >= WORTHWHILE_BYTES && clock().now() >= this.#retryAt;
    if (!hasGrown && !mayRetry) return;
    this.#isNoted = false;
    this.#collect(() => {
      const isFound = bytes - this.#after >= WORTHWHILE_BYTES;
      this.#retryMs = isFound ? RETRY_MS : 2 * this.#retryMs;
      this.#retryAt = clock().now() + this.#retryMs;
      this.#waitAgain(() => this.#isNoted && this.#waitAgain(() => undefined));
    });
  }

  #waitAgain(then: () => void): void {
    this.#timer = this.#whenIdle(AGAIN_MS, () => {
      this.#timer = undefined;
      if (this.#v8.bytesTaken() - this.#lowest >= WORTHWHILE_BYTES) this.#collect(then);
    });
  }

  #collect(then: () => void): void {
    this.#collections++;
    const settle = (): void => {
      this.#timer = undefined;
      // V8 counts released buffers as external memory until its next collection.
      this.#v8.collectYoung();
      this.#after = this.#v8.bytesTaken();
      this.#lowest = Math.min(this.#lowest, this.#after);
      then();
    };
    const begin = (left: number): void => {
      const isOver = this.#v8.begin();
      const look = (): void => {
        if (isOver() || left === 0) this.#timer = setTimeout(settle, RELEASE_MS).unref();
        else begin(left - 1);
      };
      this.#timer = setTimeout(look, LOOK_MS).unref();
    };
    begin(LOOKS);
  }
}

/** Shortest buffer that is worth it to be given back by itself. */
const WORTHWHILE_BUFFER = 16 * 1024;

/** A port whose other end is closed. */
const nowhere = once(() => {
  const { port1, port2 } = new (process.getBuiltinModule("node:worker_threads").MessageChannel)();
  port2.close();
  return port1;
});

/**
 * Frees bytes that nobody needs any more, if their buffer is long and their own. They are empty then. The next ones get the
 * same memory. If they were left to V8, tens of megabytes would wait for its collector, and the C library would keep them.
 *
 * A message that nobody can receive is dropped, and the buffer that was transferred with it.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength < WORTHWHILE_BUFFER || buffer.byteLength !== byteLength || !isNode()) return;
  nowhere().postMessage(buffer, [buffer]);
}

/** That of this thread. Its nodes have one heap: an owner of its own for each would collect the same garbage again. */
export const giveBackOfThread: () => GiveBack = once(() => new GiveBack());
