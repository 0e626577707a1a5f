/**
 * Finds out what a run on a forked chain is going to read: repeats it on guesses in place of the values that are not
 * known, and fetches everything that it reads.
 *
 * First every unknown slot is zero and every unknown account absent. Many runs end early then, at a balance that is too
 * low or a contract without code. So further guesses are tried: amounts, one, contracts. What only they lead to is
 * fetched if it does not depend on a guess itself: two runs with different amounts must both read it.
 */
import { LimitError } from "../../errors/hindcast-error.ts";
import type { PinnedState, StateKeys } from "../../remote/upstream.ts";
import { GuessedState, type UnknownKey } from "./guessed-state.ts";
import type { Assumptions, SlotGuess, Variant } from "./guesses.ts";
import type { RunPlan } from "./run-plan.ts";

/** Milliseconds and guesses of a repetition without amounts: what it reads is what the run may read. */
const PLAIN_LIMITS = { timeoutMs: 250, most: 10_000 };
/** Those of others: one that reaches them is most likely in a loop whose end was guessed, and none of its reads count. */
const TRIAL_LIMITS = { timeoutMs: 25, most: 2_000 };
/** Most trials of a round. */
const MOST_TRIALS = 40;
/** Milliseconds of trials that found nothing, after which a run has no further ones. */
const PATIENCE_MS = 100;
/** Most milliseconds that the requests of a round wait for its trials. */
const LONGEST_HOLD_MS = 100;
/** Number of last guesses of a run that are doubted one by one, because the last is most likely why it ended. */
const DOUBTED = 3;

const NOTHING: Assumptions = { slots: "zero", accounts: "absent", exceptions: new Map() };
const WITH_CONTRACTS: Assumptions = { ...NOTHING, accounts: "contract" };
const SLOT_GUESSES: readonly SlotGuess[] = ["zero", "one", "amount", "packed"];
/** Assumptions of the trials that come first. */
const FIRST_TRIALS: readonly Assumptions[] = [
  WITH_CONTRACTS,
  ...SLOT_GUESSES.slice(1).map((slots) => ({ ...WITH_CONTRACTS, slots })),
];

/** The guesses of one repetition, in their order. */
type Guesses = ReadonlyMap<string, UnknownKey>;

/** Repeats one run with guesses until nothing more can be fetched for it in the same round of requests. */
export class Speculation {
  /** All that was fetched. */
  readonly keys: StateKeys[] = [];
  readonly #plan: RunPlan;
  readonly #pinned: PinnedState;
  readonly #signal: AbortSignal;
  /** Keys whose values the state of the plan has at once. */
  readonly #known = new Set<string>();
  #fetching = new Map<string, Promise<unknown>>();
  #wastedMs = 0;
  /** Rounds in a row whose trials found nothing, and the rounds from now on that have none therefore. */
  #futileRounds = 0;
  #roundsWithoutTrials = 0;
  /** Sends the requests of this round; undefined after that. */
  #send: (() => void) | undefined;

  /**
   * @param pinned - the state of the forked chain that lies under the plan's
   * @param signal - ends a repetition that is under way
   */
  constructor(plan: RunPlan, pinned: PinnedState, signal: AbortSignal) {
    this.#plan = plan;
    this.#pinned = pinned;
    this.#signal = signal;
  }

  /** Fetches what the run reads next, as far as that can be found. False if it reads nothing unknown. */
  async round(): Promise<boolean> {
    this.#fetching = new Map();
    const release = this.#pinned.hold();
    this.#send = () => {
      this.#send = undefined;
      clearTimeout(timer);
      release();
    };
    const timer = setTimeout(this.#send, LONGEST_HOLD_MS);
    await this.#repeat(NOTHING, { isPlain: true, mayFetch: true });
    if (this.#fetching.size > 0) await this.#tryOrSkip();
    this.#send?.();
    await Promise.allSettled(this.#fetching.values());
    return this.#fetching.size > 0;
  }

  /** After n rounds in a row without a find, n - 1 rounds have no trials: where one slot leads to the next, none helps. */
  async #tryOrSkip(): Promise<void> {
    if (this.#roundsWithoutTrials > 0) {
      this.#roundsWithoutTrials--;
      return;
    }
    const before = this.#fetching.size;
    await this.#tryGuesses();
    this.#futileRounds = this.#fetching.size > before ? 0 : this.#futileRounds + 1;
    this.#roundsWithoutTrials = Math.max(0, this.#futileRounds - 1);
  }

  async #tryGuesses(): Promise<void> {
    let best: { assumptions: Assumptions; guesses: Guesses } | undefined;
    let trials = 0;
    for (const assumptions of FIRST_TRIALS) {
      const { guesses } = await this.#try(assumptions);
      if (guesses.size > (best?.guesses.size ?? 0)) best = { assumptions, guesses };
    }
    while (best !== undefined) {
      const current: { assumptions: Assumptions; guesses: Guesses } = best;
      best = undefined;
      for (const assumptions of doubtsAbout(current)) {
        if (trials++ >= MOST_TRIALS || this.#isOver) return;
        const { guesses, found } = await this.#try(assumptions);
        if (found === 0) continue;
        best = { assumptions, guesses };
        break;
      }
    }
  }

  /** Repeats the run on assumptions, and fetches what does not depend on them. */
  async #try(assumptions: Assumptions): Promise<{ readonly guesses: Guesses; readonly found: number }> {
    const isPlain = assumptions === WITH_CONTRACTS;
    if (this.#isOver && !isPlain) return { guesses: new Map(), found: 0 };
    const start = performance.now();
    const first = await this.#repeat(assumptions, { isPlain });
    const guesses = isPlain ? first : await this.#withoutGuessed(first, assumptions);
    const found = [...guesses.values()].filter((key) => !this.#fetching.has(key.key) && !isLow(key));
    this.#wastedMs = found.length > 0 ? 0 : this.#wastedMs + performance.now() - start;
    for (const key of found) this.#fetch(key);
    return { guesses, found: found.length };
  }

  /** Those guesses of a repetition that another one with other amounts makes too, so that no key depends on an amount. */
  async #withoutGuessed(first: Guesses, assumptions: Assumptions): Promise<Guesses> {
    if (this.#isOver || first.size === 0) return new Map();
    const second = await this.#repeat(assumptions, { variant: 1 });
    return new Map([...first].filter(([key]) => second.has(key)));
  }

  /** True if there are no further trials: what they find would not leave with the rest of the round. */
  get #isOver(): boolean {
    return this.#send === undefined || this.#wastedMs > PATIENCE_MS || this.#signal.aborted;
  }

  #fetch({ key, address, slot }: UnknownKey): void {
    const { state } = this.#plan;
    const answer = slot === undefined ? state.getAccount(address) : state.getStorage(address, slot);
    if (answer instanceof Promise) this.#noteFetch({ key, address, slot }, answer);
    else this.#known.add(key);
  }

  #noteFetch({ key, address, slot }: UnknownKey, read: Promise<unknown>): void {
    // Offline it has failed already; the run reports that.
    read.catch(() => undefined);
    this.#fetching.set(key, read);
    this.keys.push({ address, slots: slot === undefined ? [] : [slot] });
  }

  async #repeat(
    assumptions: Assumptions,
    { isPlain = false, mayFetch = false, variant = 0 as Variant },
  ): Promise<Guesses> {
    const round = new AbortController();
    const guesses = new Map<string, UnknownKey>();
    const { timeoutMs, most } = isPlain ? PLAIN_LIMITS : TRIAL_LIMITS;
    const guessed = new GuessedState({
      state: this.#plan.state,
      mayRead: (key) => mayFetch || this.#isKnown(key),
      assumptions,
      variant,
      onGuess: (key, read) => {
        const { address, slot } = key;
        const kept = { key: key.key, address: address.slice(), slot: slot?.slice() };
        guesses.set(key.key, kept);
        if (read !== undefined) this.#noteFetch(kept, read);
        if (guesses.size >= most) round.abort();
      },
    });
    try {
      await this.#plan.repeat(guessed, { timeoutMs, signal: AbortSignal.any([round.signal, this.#signal]) });
    } catch (error) {
      // On guessed values anything may fail.
      if (!isPlain && error instanceof LimitError) return new Map();
    }
    return guesses;
  }

  /** True if reading the value sends no request. */
  #isKnown({ key, address, slot }: UnknownKey): boolean {
    return this.#known.has(key) || this.#fetching.has(key) || this.#pinned.isKnown(address, slot);
  }
}

/** True for zero and for precompiles, which are what guesses of zero and one look like as addresses. */
function isLow({ address }: UnknownKey): boolean {
  return address.subarray(0, 18).every((byte) => byte === 0);
}

/** The same assumptions with another one of a slot that was guessed late. */
function* doubtsAbout({ assumptions, guesses }: { assumptions: Assumptions; guesses: Guesses }): Iterable<Assumptions> {
  const slots = [...guesses.values()].filter(({ slot }) => slot !== undefined);
  for (const { key } of slots.slice(-DOUBTED).reverse()) {
    const current = assumptions.exceptions.get(key) ?? assumptions.slots;
    for (const guess of SLOT_GUESSES) {
      if (guess === current) continue;
      yield { ...assumptions, exceptions: new Map([...assumptions.exceptions, [key, guess]]) };
    }
  }
}
