/**
 * The state that a repeated run reads: it answers at once, with a guess for each value that is not known, and lists these values, so
 * that they can be requested together. The result of a run on it is not used.
 */
import type { EngineState } from "../../evm/state-port.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { AccountState, StateReader } from "../../state/view.ts";
import { type Assumptions, GUESSED_CONTRACT, guessedCode, guessedSlot, type Variant } from "./guesses.ts";

/** A state that can be read and executed on. */
export type ReadableState = StateReader & EngineState;

/** An account, or one of its slots, whose value is not known yet. */
export interface UnknownKey {
  /** The bytes of the address, and of the slot, as text. */
  readonly key: string;
  readonly address: Bytes;
  /** Undefined for the account itself. */
  readonly slot: Bytes | undefined;
}

/** The state below, the guesses, and a listener. */
export interface GuessedStateParts {
  readonly state: ReadableState;
  /** True if a value may be read from the state below: because it is known, or so that it is requested. */
  readonly mayRead: (key: UnknownKey) => boolean;
  readonly assumptions: Assumptions;
  readonly variant: Variant;
  /** Called once for each value that is guessed; with its request, if reading it has made one. */
  readonly onGuess: (key: UnknownKey, read: Promise<unknown> | undefined) => void;
}

/** One for each repetition. */
export class GuessedState implements ReadableState {
  readonly #parts: GuessedStateParts;
  /** By key, in the order of the first reads: the number of the guess. */
  readonly #guesses = new Map<string, number>();

  constructor(parts: GuessedStateParts) {
    this.#parts = parts;
  }

  getAccount(address: Bytes): MaybePromise<AccountState | undefined> {
    const { state, assumptions } = this.#parts;
    // A guessed slot of zero may be used as an address.
    if (assumptions.accounts === "contract" && equalBytes(address, ZERO_ADDRESS)) return GUESSED_CONTRACT;
    const key: UnknownKey = { key: bytesKey(address), address, slot: undefined };
    const found = this.#read(key, () => state.getAccount(address));
    if (found !== UNKNOWN) return found;
    return assumptions.accounts === "contract" ? GUESSED_CONTRACT : undefined;
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    const { state, assumptions, variant } = this.#parts;
    const key: UnknownKey = { key: bytesKey(address) + bytesKey(slot), address, slot };
    const found = this.#read(key, () => state.getStorage(address, slot));
    if (found !== UNKNOWN) return found;
    const guess = assumptions.exceptions.get(key.key) ?? assumptions.slots;
    return guessedSlot(guess, this.#guesses.get(key.key) ?? 0, variant);
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    const guessed = guessedCode(codeHash);
    if (guessed !== undefined) return guessed;
    return availableOr(EMPTY_BYTES, this.#parts.state.getCode(codeHash));
  }

  hasStorage(address: Bytes): MaybePromise<boolean> {
    return availableOr(false, this.#parts.state.hasStorage(address));
  }

  #read<T>(key: UnknownKey, read: () => MaybePromise<T>): T | typeof UNKNOWN {
    const { mayRead } = this.#parts;
    if (!mayRead(key)) return this.#guess(key);
    const answer = read();
    const found = availableOr(UNKNOWN, answer);
    if (answer instanceof Promise) this.#guess(key, answer);
    return found;
  }

  #guess(key: UnknownKey, read?: Promise<unknown>): typeof UNKNOWN {
    if (!this.#guesses.has(key.key)) {
      this.#guesses.set(key.key, this.#guesses.size);
      this.#parts.onGuess(key, read);
    }
    return UNKNOWN;
  }
}

const UNKNOWN = Symbol("unknown");

/** The value if it is available, else a guess. The run reads the same value itself, and reports a failure then. */
function availableOr<T, G>(guess: G, value: MaybePromise<T>): T | G {
  if (!(value instanceof Promise)) return value;
  value.catch(() => undefined);
  return guess;
}
