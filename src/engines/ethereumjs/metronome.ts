/**
 * Keeps pace while code runs whose steps nobody hears.
 *
 * EthereumJS awaits a promise for each operation and never gives the event loop its turn. A `step` listener could, but it
 * makes a loop of plain operations take four times as long, and fifty times where there are 100 kB of memory to copy
 * (measured). So a loop of awaits runs beside EthereumJS': each goes on when the other has. It looks at the time, and
 * listens to a single step only where the run is to wait or to end.
 */
import type { EVM, InterpreterStep } from "@ethereumjs/evm";
import type { Pace } from "../../evm/engine.ts";

/** Awaits between two calls of {@link Pace.check}; EthereumJS runs about one operation between two of them. */
const BEATS_PER_CHECK = 100;

export class Metronome {
  readonly #events: EVM["events"];
  readonly #pace: Pace;
  /** The loop that beats; older ones end when they see that they are not it. */
  #loop: object | undefined;
  /** Awaits since the last check; those before a wait count too, as a state may answer without the event loop. */
  #beats = 0;
  #turn: Promise<void> = Promise.resolve();
  #stopped: { readonly error: unknown } | undefined;

  constructor(events: EVM["events"], pace: Pace) {
    this.#events = events;
    this.#pace = pace;
  }

  /** A run begins. */
  start(): void {
    this.#stopped = undefined;
    this.#resume();
  }

  #resume(): void {
    const loop = {};
    this.#loop = loop;
    void this.#beat(loop);
  }

  /** The run is over. */
  stop(): void {
    this.#loop = undefined;
    this.#events.off("step", this.#pause);
  }

  /** Throws what was to end the run, where that came to its own end first. */
  throwIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped.error;
  }

  /** Waits for something that needs the event loop, which beats would keep busy. */
  async during<T>(answer: Promise<T>): Promise<T> {
    if (this.#loop === undefined) return answer;
    const waiting = {};
    this.#loop = waiting;
    try {
      return await answer;
    } finally {
      if (this.#loop === waiting) this.#resume();
    }
  }

  async #beat(loop: object): Promise<void> {
    while (this.#loop === loop) {
      if (++this.#beats < BEATS_PER_CHECK) {
        await undefined;
        continue;
      }
      this.#beats = 0;
      const turn = this.#check();
      if (turn === undefined) continue;
      this.#turn = turn;
      this.#events.off("step", this.#pause);
      this.#events.on("step", this.#pause);
      return;
    }
  }

  /** Never rejects: what is to end the run is thrown by the listener. */
  #check(): Promise<void> | undefined {
    const stop = (error: unknown): void => {
      this.#stopped = { error };
    };
    try {
      return this.#pace.check()?.catch(stop);
    } catch (error) {
      stop(error);
      return Promise.resolve();
    }
  }

  /** With two parameters: EthereumJS waits until the second one is called. What it throws ends the run. */
  readonly #pause = (_step: InterpreterStep, resume?: () => void): void => {
    this.throwIfStopped();
    void this.#turn.then(() => {
      // Where the run is to end it does so at the next step.
      if (this.#stopped === undefined) {
        this.#events.off("step", this.#pause);
        this.#resume();
      }
      resume?.();
    });
  };
}
