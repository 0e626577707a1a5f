/** A pool of core instances. It limits their number and the size of idle ones, which it keeps by their rules. */
import type { EngineLimits, Pace } from "../../evm/engine.ts";
import type { EngineState } from "../../evm/state-port.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { inBackground, type Timer } from "../../primitives/platform/event-loop.ts";
import { giveBackOfThread } from "../../primitives/platform/give-back.ts";
import { WaitingLine } from "../../primitives/waiting-line.ts";
import { CoreInstance } from "./core-instance.ts";
import type { CoreRules } from "./core-rules.ts";
import { type NeighbourPool, type PoolsOfThread, poolsOfThread } from "./pools-of-thread.ts";
import { SharedMemory } from "./shared-memory.ts";
import { type MemoryLimit, noInstance, queueFull } from "./traps.ts";

/**
 * Largest instance in bytes that stays after its session, because WebAssembly memory never shrinks; and that as a share of
 * an execution's memory, most of which the next session must find free.
 */
const MAX_IDLE_BYTES = 16 * 1024 * 1024;
const MAX_IDLE_SHARE = 1 / 4;
/** Most idle instances with the same rules, and most bytes of them together. */
const MAX_IDLE = 8;
const MAX_IDLE_BYTES_TOGETHER = MAX_IDLE_BYTES;
/**
 * Most bytes of them while many executions run side by side. Dropped instances are garbage outside of V8's heap, because
 * of which it collects.
 */
const MAX_BUSY_BYTES_TOGETHER = 2 * MAX_IDLE_BYTES;
/** The same after a second in which none was in use. */
const QUIET_BYTES_TOGETHER = MAX_IDLE_BYTES / 4;
/**
 * Most memory of all executions together, as a part of one's limit, beyond which all but one wait. They have one thread
 * together, so that those that wait do not end later.
 */
const SHARED_PART = 1 / 4;
/** Milliseconds between two looks at how many were in use at a time. */
const LOOK_MS = 1_000;

/**
 * Gas of a block up to which no execution of it needs more than the default of `executionMemory`. Of imported blocks with more
 * gas, which may take all of `importMemory`, so many are executed at a time; further ones wait as for an instance.
 */
const MODEST_GAS = 100_000_000n;
const MOST_LARGE = 2;

interface Wanted {
  readonly rules: CoreRules;
  readonly state: EngineState;
  /** As {@link SessionRequest.isImported}. */
  readonly isImported: boolean | undefined;
  /** Of the block. */
  readonly gasLimit: bigint;
}

/** The pool of an engine. Every instance from {@link take} must come back by {@link give}. */
export class InstancePool implements NeighbourPool {
  readonly limits: EngineLimits;
  readonly #limit: MemoryLimit;
  readonly #importLimit: MemoryLimit;
  readonly #idle = new Map<string, CoreInstance[]>();
  readonly #line = new WaitingLine<Wanted, CoreInstance>();
  readonly #largeLine = new WaitingLine<Wanted, CoreInstance>();
  readonly #giveBack = giveBackOfThread();
  readonly #others: PoolsOfThread;
  #inUse = 0;
  /** Memory of those in use. */
  readonly memory: SharedMemory<CoreInstance>;
  /** Most in use at a time since the last look. */
  #mostInUse = 0;
  #timer: Timer | undefined;
  #isClosed = false;
  /** Instances in use that may take more memory than others. */
  readonly #large = new Set<CoreInstance>();

  /** @param others - that have the memory of the platform, too */
  constructor(limits: EngineLimits, others = poolsOfThread()) {
    this.limits = limits;
    this.#others = others;
    others.add(this);
    const { executionMemory, importMemory } = limits;
    this.#limit = { bytes: executionMemory, option: "executionMemory" };
    this.#importLimit = { bytes: Math.max(importMemory, executionMemory), option: "importMemory" };
    this.memory = new SharedMemory(executionMemory * SHARED_PART);
  }

  /**
   * An instance; a promise if the most allowed are in use.
   *
   * @throws {LimitError} `EXECUTION_QUEUE_FULL`, and as {@link Pace.check}
   */
  take(wanted: Wanted, pace: Pace): MaybePromise<CoreInstance> {
    const instance = this.#instanceFor(wanted);
    if (instance !== undefined) return instance;
    const isChainsOwn = pace.timeoutMs === undefined;
    const waiting = this.#line.length + this.#largeLine.length;
    if (!isChainsOwn && waiting >= this.limits.queuedExecutions) throw queueFull(this.limits);
    // Others need not wait until the memory for a large one is free.
    if (this.#others.isScarce) this.#others.wait(this);
    const line = mayBeLarge(wanted) ? this.#largeLine : this.#line;
    return line.join(wanted, () => pace.requireTime?.(), isChainsOwn);
  }

  /** An idle instance, preferably one that has the state in its tables, or a new one; undefined if too many are in use. */
  #instanceFor({ rules, state, isImported, gasLimit }: Wanted, isForced = false): CoreInstance | undefined {
    if (this.#inUse >= this.limits.concurrentExecutions) return undefined;
    const isLarge = mayBeLarge({ isImported, gasLimit });
    if (isLarge && this.#large.size >= MOST_LARGE) return undefined;
    const limit = isImported === true ? this.#importLimit : this.#limit;
    const idle = this.#idle.get(keyOf(rules)) ?? [];
    const place = idle.findLastIndex((instance) => instance.state === state);
    const [own] = place < 0 ? [idle.pop()] : idle.splice(place, 1);
    const instance = own ?? this.#others.takeLeft(keyOf(rules), this.#mostIdleBytes);
    instance?.limitMemory(limit);
    const used =
      instance ?? this.#borrowed(rules, limit) ?? (isForced || !this.#isFull ? this.#open(rules, limit) : undefined);
    if (used === undefined) return undefined;
    this.#mostInUse = Math.max(this.#mostInUse, ++this.#inUse);
    if (isLarge) this.#large.add(used);
    this.memory.enter(used);
    return used;
  }

  /** True if the platform refused an instance a short time ago, and those in use will come back. An attempt takes it long. */
  get #isFull(): boolean {
    return this.#others.isScarce && this.#others.isInUse;
  }

  /** An idle instance of another pool, while the platform may have no memory for a new one. */
  #borrowed(rules: CoreRules, limit: MemoryLimit): CoreInstance | undefined {
    const instance = this.#others.isScarce ? this.#others.borrow(keyOf(rules)) : undefined;
    instance?.limitMemory(limit);
    return instance;
  }

  /**
   * A new instance; undefined if the platform has no memory for it until another one is given back. A page has room for
   * some hundred, which it shares with other tabs of its site.
   *
   * @throws {LimitError} `EXECUTION_MEMORY` if no pool of this thread can give one back
   */
  #open(rules: CoreRules, limit: MemoryLimit): CoreInstance | undefined {
    for (;;) {
      try {
        return new CoreInstance(rules, limit);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.#others.noteRefusal();
        const borrowed = this.#borrowed(rules, limit);
        if (borrowed !== undefined) return borrowed;
        if (this.#others.dropIdle()) continue;
        if (!this.#others.isInUse) throw noInstance(error);
        this.#others.wait(this);
        return undefined;
      }
    }
  }

  /** Returns an instance to the pool; a broken one is dropped. */
  give(instance: CoreInstance, rules: CoreRules): void {
    this.#inUse--;
    this.#large.delete(instance);
    this.memory.leave(instance);
    if (!instance.isBroken && instance.size <= this.#mostIdleBytes) this.#keep(instance, keyOf(rules));
    else this.#giveBack.note();
    this.#serveLines();
    this.#others.serve();
  }

  /** Most bytes of an instance that stays after its session. */
  get #mostIdleBytes(): number {
    return Math.min(MAX_IDLE_BYTES, this.limits.executionMemory * MAX_IDLE_SHARE);
  }

  /** Leaves its instances to pools that are opened later: the idle ones, and those in use when they come back. */
  close(): void {
    this.#isClosed = true;
    for (const [rules, idle] of this.#idle) for (const instance of idle) this.#others.leave(instance, rules);
    this.#idle.clear();
  }

  #serveLines(isForced = false): void {
    this.#largeLine.serve((wanted) => this.#instanceFor(wanted, isForced));
    this.#line.serve((wanted) => this.#instanceFor(wanted, isForced));
  }

  get isInUse(): boolean {
    return this.#inUse > 0;
  }

  lend(rules: string): CoreInstance | undefined {
    return this.#idle.get(rules)?.pop();
  }

  dropIdle(): boolean {
    const had = [...this.#idle.values()].some(({ length }) => length > 0);
    this.#idle.clear();
    return had;
  }

  serve(): void {
    this.#serveLines();
    const isWaiting = (): boolean => this.#line.length + this.#largeLine.length > 0;
    // Idle ones have other rules, and none of its own will come back.
    if (isWaiting() && this.#inUse === 0 && this.#others.dropIdle()) this.#serveLines(true);
    if (isWaiting()) this.#others.wait(this);
  }

  #keep(instance: CoreInstance, key: string): void {
    if (this.#isClosed) {
      this.#others.leave(instance, key);
      return;
    }
    let idle = this.#idle.get(key);
    if (idle === undefined) {
      idle = [];
      this.#idle.set(key, idle);
    }
    idle.push(instance);
    limit(idle, this.limits.concurrentExecutions, MAX_BUSY_BYTES_TOGETHER);
    this.#timer ??= inBackground(setTimeout(() => this.#look(), LOOK_MS));
  }

  /** Drops what there would not be work for if as much is asked for as in the last second. */
  #look(): void {
    const isBusy = this.#mostInUse > MAX_IDLE;
    const isQuiet = this.#mostInUse === 0;
    const few = isBusy ? this.#mostInUse : MAX_IDLE;
    // Garbage that cannot be collected when it is wanted holds the memory that the next instance needs.
    const most = this.#giveBack.isEffective ? few : this.limits.concurrentExecutions;
    const fewBytes = isQuiet ? QUIET_BYTES_TOGETHER : MAX_IDLE_BYTES_TOGETHER;
    for (const idle of this.#idle.values()) limit(idle, most, isBusy ? MAX_BUSY_BYTES_TOGETHER : fewBytes);
    this.#mostInUse = this.#inUse;
    this.#timer = isQuiet ? undefined : inBackground(setTimeout(() => this.#look(), LOOK_MS));
    this.#giveBack.note();
  }
}

/** Drops the largest ones while there are too many bytes, which leaves more of them, then those idle for the longest. */
function limit(idle: CoreInstance[], most: number, mostBytes: number): void {
  let bytes = idle.reduce((sum, { size }) => sum + size, 0);
  while (bytes > mostBytes) {
    const largest = idle.reduce((one, other) => (other.size > one.size ? other : one));
    idle.splice(idle.indexOf(largest), 1);
    bytes -= largest.size;
  }
  idle.splice(0, Math.max(0, idle.length - most));
}

function mayBeLarge({ isImported, gasLimit }: Pick<Wanted, "isImported" | "gasLimit">): boolean {
  return isImported === true && gasLimit > MODEST_GAS;
}

function keyOf({ hardfork, maxCodeSize, maxInitCodeSize, isCounting }: CoreRules): string {
  return `${hardfork} ${maxCodeSize} ${maxInitCodeSize} ${isCounting === true}`;
}
