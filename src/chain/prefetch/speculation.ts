/**
 * Finds out what a run on a forked chain will read, by repeating it with guesses in place of the values that are not known, and
 * fetches that. This is done in rounds, since the values of one round lead to further reads. In a round:
 *
 * 1. The run is repeated with zero for every unknown slot and no account for every unknown address. All that it reads is fetched.
 * 2. Many runs end early in that way: a balance is too low, or a contract has no code. So trials follow, with contracts in place
 *    of absent accounts, and with one or amounts in slots. What a trial reads is fetched if a second one with other amounts
 *    reads it too; otherwise the key itself was computed of a guess.
 * 3. The trial that read most is varied: each of its last guesses is replaced, since one of these most likely ended it. A
 *    variation that finds something is varied in turn.
 *
 * The requests of a round wait for its trials, for 100 ms at most, and are sent together.
 */
import { LimitError } from "../../errors/hindcast-error.ts";
import type { PinnedState, StateKeys } from "../../remote/upstream.ts";
import { GuessedState, type UnknownKey } from "./guessed-state.ts";
import type { Assumptions, SlotGuess, Variant } from "./guesses.ts";
import type { RunPlan } from "./run-plan.ts";

/** Milliseconds and guesses of a repetition without amounts. All that it reads counts. */
const PLAIN_LIMITS = { timeoutMs: 250, most: 10_000 };
/** Those of a repetition with amounts. One that reaches them is most likely in a loop of a guessed length: nothing that it reads counts. */
const TRIAL_LIMITS = { timeoutMs: 25, most: 2_000 };
/** Most variations of a round. */
const MOST_TRIALS = 40;
/** Milliseconds of trials in a row that found nothing, after which there are no more for the run. */
const PATIENCE_MS = 100;
/** Most milliseconds that the requests of a round wait for its trials. */
const LONGEST_HOLD_MS = 100;
/** Number of last guesses of a trial that are replaced, one at a time. */
const VARIED_GUESSES = 3;

const ZERO_AND_ABSENT: Assumptions = { slots: "zero", accounts: "absent", exceptions: new Map() };
const WITH_CONTRACTS: Assumptions = { ...ZERO_AND_ABSENT, accounts: "contract" };
const SLOT_GUESSES: readonly SlotGuess[] = ["zero", "one", "amount", "packed"];
/** The trials of each round; the first has no amounts. */
const FIRST_TRIALS: readonly Assumptions[] = [
  WITH_CONTRACTS,
  ...SLOT_GUESSES.slice(1).map((slots) => ({ ...WITH_CONTRACTS, slots })),
];

/** The unknown values that one repetition read, in their order, by key. */
type Guesses = ReadonlyMap<string, UnknownKey>;

/** One for each run. */
export class Speculation {
  /** All accounts and slots that were requested. */
  readonly keys: StateKeys[] = [];
  readonly #plan: RunPlan;
  readonly #pinned: PinnedState;
  readonly #signal: AbortSignal;
  /** Keys whose values turned out to need no request. */
  readonly #known = new Set<string>();
  /** The requests of this round, by key. */
  #fetching = new Map<string, Promise<unknown>>();
  /** Time of the last trials, which found nothing. */
  #wastedMs = 0;
  /** Number of rounds in a row whose trials found nothing, and of the rounds to come that have no trials for that reason. */
  #futileRounds = 0;
  #roundsWithoutTrials = 0;
  /** Sends the requests of this round; undefined after that. */
  #send: (() => void) | undefined;

  /**
   * @param pinned - the state of the forked chain: the plan's state is this one, with the changes of the fork
   * @param signal - ends a repetition that is under way
   */
  constructor(plan: RunPlan, pinned: PinnedState, signal: AbortSignal) {
    this.#plan = plan;
    this.#pinned = pinned;
    this.#signal = signal;
  }

  /** Runs one round. Returns false if the run reads nothing that is unknown. */
  async round(): Promise<boolean> {
    this.#fetching = new Map();
    const release = this.#pinned.hold();
    this.#send = () => {
      this.#send = undefined;
      clearTimeout(timer);
      release();
    };
    const timer = setTimeout(this.#send, LONGEST_HOLD_MS);
    await this.#repeat(ZERO_AND_ABSENT, { isPlain: true, mayFetch: true });
    if (this.#fetching.size > 0) await this.#tryOrSkip();
    this.#send?.();
    await Promise.allSettled(this.#fetching.values());
    return this.#fetching.size > 0;
  }

  /**
   * Runs the trials of a round. After n rounds in a row whose trials found nothing, n - 1 rounds have none: no guess helps
   * where each slot has the place of the next, as in a linked list.
   */
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
      for (const assumptions of variationsOf(current)) {
        if (trials++ >= MOST_TRIALS || this.#isOver) return;
        const { guesses, found } = await this.#try(assumptions);
        if (found === 0) continue;
        best = { assumptions, guesses };
        break;
      }
    }
  }

  /** Repeats the run on assumptions, and fetches what it reads, if the key does not depend on a guessed amount. */
  async #try(assumptions: Assumptions): Promise<{ readonly guesses: Guesses; readonly found: number }> {
    const isPlain = assumptions === WITH_CONTRACTS;
    if (this.#isOver && !isPlain) return { guesses: new Map(), found: 0 };
    const start = performance.now();
    const first = await this.#repeat(assumptions, { isPlain });
    const guesses = isPlain ? first : await this.#withOtherAmounts(first, assumptions);
    const found = [...guesses.values()].filter((key) => !this.#fetching.has(key.key) && !isGuessedAddress(key));
    this.#wastedMs = found.length > 0 ? 0 : this.#wastedMs + performance.now() - start;
    for (const key of found) this.#fetch(key);
    return { guesses, found: found.length };
  }

  /** The keys of a repetition that one with other amounts reads too. */
  async #withOtherAmounts(first: Guesses, assumptions: Assumptions): Promise<Guesses> {
    if (this.#isOver || first.size === 0) return new Map();
    const second = await this.#repeat(assumptions, { variant: 1 });
    return new Map([...first].filter(([key]) => second.has(key)));
  }

  /** True if no trial may begin: the requests of the round are sent, the trials found nothing for too long, or the run has ended. */
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
        const copy = { key: key.key, address: address.slice(), slot: slot?.slice() };
        guesses.set(key.key, copy);
        if (read !== undefined) this.#noteFetch(copy, read);
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

/** True for an account that a guessed zero or one names: the zero address, and precompiles. */
function isGuessedAddress({ address }: UnknownKey): boolean {
  return address.subarray(0, 18).every((byte) => byte === 0);
}

/** The assumptions of a trial with another guess for one of the slots that it read last. */
function* variationsOf({
  assumptions,
  guesses,
}: {
  assumptions: Assumptions;
  guesses: Guesses;
}): Iterable<Assumptions> {
  const slots = [...guesses.values()].filter(({ slot }) => slot !== undefined);
  for (const { key } of slots.slice(-VARIED_GUESSES).reverse()) {
    const current = assumptions.exceptions.get(key) ?? assumptions.slots;
    for (const guess of SLOT_GUESSES) {
      if (guess === current) continue;
      yield { ...assumptions, exceptions: new Map([...assumptions.exceptions, [key, guess]]) };
    }
  }
}
