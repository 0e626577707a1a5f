/**
 * The pools of one thread. Platforms bound the WebAssembly memories of all engines together, browsers to some hundred for
 * the tabs of a site: where there is none for another instance, pools lend each other their idle ones, and wait for others.
 */
import { once } from "../../primitives/once.ts";
import type { CoreInstance } from "./core-instance.ts";

/** A pool, as others see it. */
export interface NeighbourPool {
  readonly isInUse: boolean;
  /** Takes an idle instance with some rules out of it. */
  lend(rules: string): CoreInstance | undefined;
  /** Drops its idle instances. Returns whether it had any. */
  dropIdle(): boolean;
  /** Gives to those who wait. */
  serve(): void;
}

/** Most bytes of all instances that closed pools leave. */
const MAX_LEFT_BYTES = 4 * 1024 * 1024;
/** Milliseconds after a refusal in which the platform is not asked again while instances are in use. */
const SCARCE_MS = 10_000;

/** Holds pools weakly, as an engine need not be closed. */
export class PoolsOfThread {
  readonly #pools = new Set<WeakRef<NeighbourPool>>();
  /** Those in which somebody waits because the platform refused an instance. */
  readonly #starved = new Set<NeighbourPool>();
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** Idle instances of pools that were closed, the oldest first. */
  #left: { readonly rules: string; readonly instance: CoreInstance }[] = [];

  add(pool: NeighbourPool): void {
    this.#pools.add(new WeakRef(pool));
  }

  /** Must be called when the platform refuses a pool an instance. */
  noteRefusal(): void {
    this.#refusedAt = performance.now();
  }

  /** True for a time after a refusal. */
  get isScarce(): boolean {
    return performance.now() - this.#refusedAt < SCARCE_MS;
  }

  /**
   * Keeps an idle instance of a pool that closes, for the next pool. A program that opens a node for each of its tests
   * would allocate 768 KiB for each, and V8 marks its whole heap after 64 MiB that are allocated outside of it.
   */
  leave(instance: CoreInstance, rules: string): void {
    instance.forgetNode();
    this.#left.push({ rules, instance });
    let bytes = this.#left.reduce((sum, { instance: { size } }) => sum + size, 0);
    while (bytes > MAX_LEFT_BYTES) bytes -= this.#left.shift()?.instance.size ?? bytes;
  }

  /** Takes an instance that a closed pool left, with the same rules and at most so many bytes. */
  takeLeft(rules: string, mostBytes: number): CoreInstance | undefined {
    const place = this.#left.findLastIndex((left) => left.rules === rules && left.instance.size <= mostBytes);
    return place < 0 ? undefined : this.#left.splice(place, 1)[0]?.instance;
  }

  /** An idle instance of any pool with the same rules. */
  borrow(rules: string): CoreInstance | undefined {
    for (const pool of this.#live()) {
      const instance = pool.lend(rules);
      if (instance !== undefined) return instance;
    }
    return undefined;
  }

  /** Drops all idle instances. Returns whether there were any. */
  dropIdle(): boolean {
    const hadLeft = this.#left.length > 0;
    this.#left = [];
    return this.#live().filter((pool) => pool.dropIdle()).length > 0 || hadLeft;
  }

  get isInUse(): boolean {
    return this.#live().some(({ isInUse }) => isInUse);
  }

  /** Serves a pool when another one has an instance less in use. */
  wait(pool: NeighbourPool): void {
    this.#starved.add(pool);
  }

  /** Must be called when an instance is no longer used, after the callers of its own pool were served. */
  serve(): void {
    if (this.#starved.size === 0) return;
    const starved = [...this.#starved];
    this.#starved.clear();
    for (const pool of starved) pool.serve();
  }

  #live(): NeighbourPool[] {
    const live: NeighbourPool[] = [];
    for (const reference of this.#pools) {
      const pool = reference.deref();
      if (pool === undefined) this.#pools.delete(reference);
      else live.push(pool);
    }
    return live;
  }
}

/** Those of this thread. */
export const poolsOfThread = once(() => new PoolsOfThread());
