/** A pool of core instances. It limits their number and the size of idle ones, which it keeps by their rules. */
import type { EngineLimits, Pace } from "../../evm/engine.ts";
import type { EngineState } from "../../evm/state-port.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { inBackground, type Timer } from "../../primitives/platform/event-loop.ts";
import { GiveBack } from "../../primitives/platform/give-back.ts";
import { WaitingLine } from "../../primitives/waiting-line.ts";
import { CoreInstance } from "./core-instance.ts";
import type { CoreRules } from "./core-rules.ts";
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
const MAX_BUSY_BYTES_TOGETHER = 8 * MAX_IDLE_BYTES;
/**
 * Most memory of all executions together, as a part of one's limit, beyond which all but one wait. They have one thread
 * together, so that those that wait do not end later.
 */
const SHARED_PART = 1 / 2;
/** Milliseconds between two looks at how many were in use at a time. */
const LOOK_MS = 1_000;
/** Milliseconds after which it is tried again whether the platform has memory for more instances than it had. */
const ROOM_MS = 10_000;

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
export class InstancePool {
  readonly limits: EngineLimits;
  readonly #limit: MemoryLimit;
  readonly #importLimit: MemoryLimit;
  readonly #idle = new Map<string, CoreInstance[]>();
  readonly #line = new WaitingLine<Wanted, CoreInstance>();
  readonly #largeLine = new WaitingLine<Wanted, CoreInstance>();
  readonly #giveBack = new GiveBack();
  #inUse = 0;
  /** Memory of those in use. */
  readonly memory: SharedMemory<CoreInstance>;
  /** Instances at a time for which the platform has memory, for a time after it refused one: each attempt takes it long. */
  #room = Number.POSITIVE_INFINITY;
  #refusedAt = 0;
  /** Most in use at a time since the last look. */
  #mostInUse = 0;
  #timer: Timer | undefined;
  /** Instances in use that may take more memory than others. */
  readonly #large = new Set<CoreInstance>();

  constructor(limits: EngineLimits) {
    this.limits = limits;
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
    const line = mayBeLarge(wanted) ? this.#largeLine : this.#line;
    return line.join(wanted, () => pace.requireTime?.(), isChainsOwn);
  }

  /** An idle instance, preferably one that has the state in its tables, or a new one; undefined if too many are in use. */
  #instanceFor({ rules, state, isImported, gasLimit }: Wanted): CoreInstance | undefined {
    if (this.#inUse >= this.#mostAtATime) return undefined;
    const isLarge = mayBeLarge({ isImported, gasLimit });
    if (isLarge && this.#large.size >= MOST_LARGE) return undefined;
    const limit = isImported === true ? this.#importLimit : this.#limit;
    const idle = this.#idle.get(keyOf(rules)) ?? [];
    const place = idle.findLastIndex((instance) => instance.state === state);
    const [instance] = place < 0 ? [idle.pop()] : idle.splice(place, 1);
    instance?.limitMemory(limit);
    const used = instance ?? this.#open(rules, limit);
    if (used === undefined) return undefined;
    this.#mostInUse = Math.max(this.#mostInUse, ++this.#inUse);
    if (isLarge) this.#large.add(used);
    this.memory.enter(used);
    return used;
  }

  get #mostAtATime(): number {
    const { concurrentExecutions } = this.limits;
    if (this.#room < concurrentExecutions && performance.now() - this.#refusedAt > ROOM_MS)
      this.#room = Number.POSITIVE_INFINITY;
    return Math.min(concurrentExecutions, this.#room);
  }

  /**
   * A new instance; undefined if the platform has no memory for it until another one is given back. A page has room for
   * some hundred, which it shares with other tabs of its site.
   *
   * @throws {LimitError} `EXECUTION_MEMORY` if none of this pool can be given back
   */
  #open(rules: CoreRules, limit: MemoryLimit): CoreInstance | undefined {
    for (;;) {
      try {
        return new CoreInstance(rules, limit);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        if (this.#idle.size > 0) {
          this.#idle.clear();
        } else if (this.#inUse > 0) {
          this.#room = this.#inUse;
          this.#refusedAt = performance.now();
          return undefined;
        } else throw noInstance(error);
      }
    }
  }

  /** Returns an instance to the pool; a broken one is dropped. */
  give(instance: CoreInstance, rules: CoreRules): void {
    this.#inUse--;
    this.#large.delete(instance);
    this.memory.leave(instance);
    const mostBytes = Math.min(MAX_IDLE_BYTES, this.limits.executionMemory * MAX_IDLE_SHARE);
    if (!instance.isBroken && instance.size <= mostBytes) this.#keep(instance, keyOf(rules));
    else this.#giveBack.note();
    this.#largeLine.serve((wanted) => this.#instanceFor(wanted));
    this.#line.serve((wanted) => this.#instanceFor(wanted));
  }

  #keep(instance: CoreInstance, key: string): void {
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
    const few = isBusy ? this.#mostInUse : MAX_IDLE;
    // Garbage that cannot be collected when it is wanted holds the memory that the next instance needs.
    const most = this.#giveBack.isEffective ? few : this.limits.concurrentExecutions;
    for (const idle of this.#idle.values())
      limit(idle, most, isBusy ? MAX_BUSY_BYTES_TOGETHER : MAX_IDLE_BYTES_TOGETHER);
    this.#mostInUse = this.#inUse;
    this.#timer = isBusy ? inBackground(setTimeout(() => this.#look(), LOOK_MS)) : undefined;
    this.#giveBack.note();
  }
}

/** Drops those that have been idle for the longest. */
function limit(idle: CoreInstance[], most: number, mostBytes: number): void {
  let bytes = idle.reduce((sum, { size }) => sum + size, 0);
  while (idle.length > most || bytes > mostBytes) bytes -= idle.shift()?.size ?? bytes;
}

function mayBeLarge({ isImported, gasLimit }: Pick<Wanted, "isImported" | "gasLimit">): boolean {
  return isImported === true && gasLimit > MODEST_GAS;
}

function keyOf({ hardfork, maxCodeSize, maxInitCodeSize, isCounting }: CoreRules): string {
  return `${hardfork} ${maxCodeSize} ${maxInitCodeSize} ${isCounting === true}`;
}
