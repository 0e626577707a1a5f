/**
 * The memory that executions take side by side, with what is recorded of them. Beyond their bound those with much of it wait,
 * and one goes on.
 */
import type { Pace } from "../../evm/engine.ts";
import { type HeldMemory, heldMemory } from "../../primitives/platform/held-memory.ts";
import { WaitingLine } from "../../primitives/waiting-line.ts";

/** Memory that an execution may always have; a new one has less. */
const LITTLE_BYTES = 2 ** 20;
/** Part of the bound that executions have, however much clients have the process hold. */
const LEAST_PART = 1 / 4;

/** An instance of the core, as far as it is looked at here. */
interface Sized {
  /** Bytes of its memory. */
  readonly size: number;
}

/** The instances in use of one engine. */
export class SharedMemory<Instance extends Sized> {
  readonly #mostBytes: number;
  readonly #held: Pick<HeldMemory, "bytes">;
  /** Bytes of each, with its recording, when it was last looked at. */
  readonly #sizes = new Map<Instance, number>();
  /** Bytes of each when it was taken. An idle instance has them as well, so that its use does not take them. */
  readonly #before = new Map<Instance, number>();
  readonly #line = new WaitingLine<Instance, true>();
  #bytes = 0;
  /** Goes on although there is too little room, until its message has ended, so that one always does. */
  #ahead: Instance | undefined;

  /** @param mostBytes - of all together, with what clients have the process hold */
  constructor(mostBytes: number, held: Pick<HeldMemory, "bytes"> = heldMemory()) {
    this.#mostBytes = mostBytes;
    this.#held = held;
  }

  /** Bytes of all, as they were last looked at. */
  get bytes(): number {
    return this.#bytes;
  }

  enter(instance: Instance): void {
    this.#note(instance);
    this.#before.set(instance, instance.size);
  }

  /** Must be called when the instance is no longer used. */
  leave(instance: Instance): void {
    this.#bytes -= this.#sizes.get(instance) ?? 0;
    this.#sizes.delete(instance);
    this.#before.delete(instance);
    this.endMessage(instance);
  }

  /** Must be called when a message of the instance has ended: another one may go on. */
  endMessage(instance: Instance): void {
    if (this.#ahead === instance) this.#ahead = undefined;
    if (this.#line.length > 0) this.#line.serve((waiting) => this.#mayGoOn(waiting) || undefined);
  }

  /** True if an execution should soon ask again whether it must wait: in a millisecond it may take ten mebibytes. */
  isScarceFor(instance: Instance): boolean {
    return this.#bytes > this.#room && this.#ahead !== instance;
  }

  /**
   * Waits until an execution may take more memory. The chain's own never wait.
   *
   * @param pace - throws when the execution no longer wants to wait
   * @param recorded - bytes recorded of the execution
   * @returns undefined if it need not wait
   */
  wait(instance: Instance, pace: Pace, recorded = 0): Promise<unknown> | undefined {
    this.#note(instance, recorded);
    if (pace.timeoutMs === undefined || this.#mayGoOn(instance)) return undefined;
    return this.#line.join(instance, () => pace.requireTime?.());
  }

  get #room(): number {
    return Math.max(this.#mostBytes * LEAST_PART, this.#mostBytes - this.#held.bytes);
  }

  #note(instance: Instance, recorded = 0): void {
    const size = instance.size + recorded;
    this.#bytes += size - (this.#sizes.get(instance) ?? 0);
    this.#sizes.set(instance, size);
  }

  /** Those that have taken little do not wait. They can have twice as much when they are asked again: tables double. */
  #mayGoOn(instance: Instance): boolean {
    const share = this.#room / this.#sizes.size / 2;
    const taken = (this.#sizes.get(instance) ?? 0) - (this.#before.get(instance) ?? 0);
    if (!this.isScarceFor(instance) || taken <= Math.max(share, LITTLE_BYTES)) return true;
    this.#ahead ??= instance;
    return this.#ahead === instance;
  }
}
