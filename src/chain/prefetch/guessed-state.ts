/**
 * A state for speculative runs: values that are not known yet are guessed to be zero or absent, and noted, so that
 * everything that a run reads can be fetched at once. A result that depends on a guess must not be used.
 */
import type { EngineState } from "../../evm/state-port.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { AccountState, StateReader } from "../../state/view.ts";

/** A state that can be read and executed on. */
export type ReadableState = StateReader & EngineState;

/** Lives for one speculative run. Writes are not needed, because the run's effects are dropped. */
export class GuessedState implements ReadableState {
  /** Reads under way of the values that were guessed. */
  readonly guesses: Promise<unknown>[] = [];
  readonly #state: ReadableState;
  readonly #onGuess: () => void;

  /** @param onGuess - called after each guess */
  constructor(state: ReadableState, onGuess: () => void) {
    this.#state = state;
    this.#onGuess = onGuess;
  }

  getAccount(address: Bytes): MaybePromise<AccountState | undefined> {
    return this.#settled(this.#state.getAccount(address), undefined);
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#settled(this.#state.getStorage(address, slot), EMPTY_BYTES);
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return this.#settled(this.#state.getCode(codeHash), EMPTY_BYTES);
  }

  hasStorage(address: Bytes): MaybePromise<boolean> {
    return this.#settled(this.#state.hasStorage(address), false);
  }

  #settled<T>(answer: MaybePromise<T>, guess: T): T {
    if (!(answer instanceof Promise)) return answer;
    this.guesses.push(answer);
    this.#onGuess();
    return guess;
  }
}
