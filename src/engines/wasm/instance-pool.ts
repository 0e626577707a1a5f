/** A pool of core instances. It limits their number and the size of idle ones, which it keeps by their rules. */
import type { EngineLimits, Pace } from "../../evm/engine.ts";
import type { EngineState } from "../../evm/state-port.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { CoreInstance } from "./core-instance.ts";
import type { CoreRules } from "./core-rules.ts";
import { queueFull } from "./traps.ts";

/**
 * Largest instance in bytes that is kept after its session, because WebAssembly memory never shrinks; and that as a share of
 * an execution's memory, most of which the next session must find free.
 */
const MAX_IDLE_BYTES = 16 * 1024 * 1024;
const MAX_IDLE_SHARE = 1 / 4;
/** Most idle instances with the same rules. */
const MAX_IDLE = 8;

/** Milliseconds between two checks of waiting sessions' time limits. */
const WAITING_CHECK_MS = 50;

interface Waiting {
  readonly rules: CoreRules;
  readonly state: EngineState;
  readonly pace: Pace;
  readonly resolve: (instance: CoreInstance) => void;
  readonly reject: (error: unknown) => void;
}

/** The pool of an engine. Every instance from {@link take} must come back by {@link give}. */
export class InstancePool {
  readonly limits: EngineLimits;
  readonly #idle = new Map<string, CoreInstance[]>();
  #waiting: Waiting[] = [];
  #watch: NodeJS.Timeout | undefined;
  #inUse = 0;

  constructor(limits: EngineLimits) {
    this.limits = limits;
  }

  /**
   * An instance; a promise if the most allowed are in use.
   *
   * @param state - the state of the session
   * @param pace - limits the waiting time
   * @throws {LimitError} `EXECUTION_QUEUE_FULL`, and as {@link Pace.check}
   */
  take(rules: CoreRules, state: EngineState, pace: Pace): MaybePromise<CoreInstance> {
    if (this.#inUse < this.limits.concurrentExecutions) {
      this.#inUse++;
      return this.#instanceFor(rules, state);
    }
    const isChainsOwn = pace.timeoutMs === undefined;
    if (!isChainsOwn && this.#waiting.length >= this.limits.queuedExecutions) throw queueFull(this.limits);
    this.#watch ??= setInterval(() => this.#rejectExpired(), WAITING_CHECK_MS);
    return new Promise((resolve, reject) => {
      const waiting = { rules, state, pace, resolve, reject };
      if (isChainsOwn) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
    });
  }

  /** Rejects waiting sessions whose time is up or whose client has gone. */
  #rejectExpired(): void {
    this.#waiting = this.#waiting.filter(({ pace, reject }) => {
      try {
        pace.requireTime?.();
        return true;
      } catch (error) {
        reject(error);
        return false;
      }
    });
    this.#endWatch();
  }

  #endWatch(): void {
    if (this.#waiting.length > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** An idle instance, preferably one that has the state in its tables. */
  #instanceFor(rules: CoreRules, state: EngineState): CoreInstance {
    const idle = this.#idle.get(keyOf(rules)) ?? [];
    const place = idle.findLastIndex((instance) => instance.state === state);
    const [instance] = place < 0 ? [idle.pop()] : idle.splice(place, 1);
    return instance ?? new CoreInstance(rules, this.limits.executionMemory);
  }

  /** Returns an instance to the pool; a broken one is dropped. */
  give(instance: CoreInstance, rules: CoreRules): void {
    this.#inUse--;
    const mostBytes = Math.min(MAX_IDLE_BYTES, this.limits.executionMemory * MAX_IDLE_SHARE);
    // The memory of others is freed when V8 next collects garbage, which it does within a minute where nothing else happens.
    if (!instance.isBroken && instance.size <= mostBytes) this.#keep(instance, keyOf(rules));
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#endWatch();
    this.#inUse++;
    next.resolve(this.#instanceFor(next.rules, next.state));
  }

  #keep(instance: CoreInstance, key: string): void {
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [instance]);
    else if (idle.length < MAX_IDLE) idle.push(instance);
  }
}

function keyOf({ hardfork, maxCodeSize, maxInitCodeSize, isCounting }: CoreRules): string {
  return `${hardfork} ${maxCodeSize} ${maxInitCodeSize} ${isCounting === true}`;
}
