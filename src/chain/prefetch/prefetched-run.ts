/**
 * Fetches what a run on a forked chain reads, before the run gets to it. This affects its speed, never its result.
 *
 * When the run reads the first value that is not known, the upstream node is asked which accounts and slots the call accesses
 * (`eth_createAccessList`), and all of these are fetched with one request. If the run lacks more values, it is repeated beside
 * itself with guesses in their place, and everything that the repetition reads is fetched: see `speculation.ts`.
 */
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { CallJson, Hints } from "../../remote/hints.ts";
import type { PinnedState, StateKeys } from "../../remote/upstream.ts";
import type { EarlierKeys } from "./earlier-keys.ts";
import type { RunPlan } from "./run-plan.ts";
import { Speculation } from "./speculation.ts";

/** Most rounds of repetitions for one run. Each fetches at least one value. */
const MOST_ROUNDS = 1_000;

/** Sources that say what a run reads before it begins: the upstream node, and earlier calls. */
export interface ReadSources {
  readonly hints: Hints;
  readonly earlier: EarlierKeys;
}

/** One for each run. If its requests fail, the run reads the same values one by one. */
export class PrefetchedRun {
  readonly #plan: RunPlan;
  readonly #state: PinnedState;
  readonly #hints: Hints;
  readonly #earlier: EarlierKeys;
  /** The accounts and slots that the upstream node named. */
  readonly #keys: StateKeys[] = [];
  #rounds = 0;
  #isBusy = false;
  /** Aborts when the run has ended. Made at the first missing value. */
  #end: AbortController | undefined;
  #isEnded = false;
  #speculation: Speculation | undefined;

  /** @param state - of the forked chain: the plan's state is this one, with the changes of the fork */
  constructor(plan: RunPlan, state: PinnedState, { hints, earlier }: ReadSources) {
    this.#plan = plan;
    this.#state = state;
    this.#hints = hints;
    this.#earlier = earlier;
  }

  /** To be called when a value has to be requested, before the requests of this turn of the event loop are sent. */
  miss(): void {
    if (this.#isBusy || this.#isEnded) return;
    this.#isBusy = true;
    void this.#fetchAhead().finally(() => {
      this.#isBusy = false;
    });
  }

  /** To be called when the run has ended. */
  end(): void {
    this.#isEnded = true;
    this.#end?.abort();
    const [call, ...others] = this.#plan.calls;
    if (call === undefined || others.length > 0 || this.#rounds === 0) return;
    const recipient = call.to && this.#plan.state.getAccount(call.to);
    // The run failed before it had read the account. Nobody waits for it now, and without a handler its failure would
    // end the process.
    if (recipient instanceof Promise) return void recipient.catch(() => undefined);
    if (call.to !== undefined && recipient === undefined) return;
    this.#earlier.keep(call, recipient?.codeHash, [...this.#keys, ...(this.#speculation?.keys ?? [])]);
  }

  async #fetchAhead(): Promise<void> {
    if (this.#rounds === 0) await this.#prefetch();
    // After the reads that are under way in this turn.
    await Promise.resolve();
    this.#end ??= new AbortController();
    this.#speculation ??= new Speculation(this.#plan, this.#state, this.#end.signal);
    while (!this.#isEnded && this.#rounds < MOST_ROUNDS && (await this.#speculation.round())) this.#rounds++;
    this.#rounds++;
  }

  /** Fetches what the upstream node and the calls themselves name. Errors are reported by the reads of the run. */
  async #prefetch(): Promise<void> {
    const { calls, addresses = [], listedBlock } = this.#plan;
    const named = [...calls.flatMap(({ from, to }) => [from, to]), ...addresses].filter(
      (address) => address !== undefined,
    );
    const state = this.#state;
    void state.prefetch(named.map((address) => ({ address, slots: [] })));
    for (const call of calls) void this.#prefetchEarlier(call);
    const hints = calls.map((call) => this.#hints.ofCall(jsonOf(call), state.block));
    if (listedBlock !== undefined) hints.push(this.#hints.ofBlock(listedBlock));
    await Promise.all(
      hints.map(async (hint) => {
        try {
          const keys = await hint;
          for (const key of keys) this.#keys.push(key);
          await state.prefetch(keys);
        } catch {
          // A closed client.
        }
      }),
    );
  }

  /** Fetches what the same function read before: at once if the recipient is known from that, else once its code is known. */
  async #prefetchEarlier(call: CallRequest): Promise<void> {
    const { to } = call;
    if (to === undefined || this.#earlier.knows(to)) return this.#state.prefetch(this.#earlier.of(call));
    try {
      const recipient = await this.#plan.state.getAccount(to);
      if (recipient !== undefined) await this.#state.prefetch(this.#earlier.of(call, recipient.codeHash));
    } catch {
      // The run reads the account too, and reports the error.
    }
  }
}

function jsonOf({ from, to, data, value }: CallRequest): CallJson {
  return {
    ...(from === undefined ? {} : { from: encodeData(from) }),
    ...(to === undefined ? {} : { to: encodeData(to) }),
    ...(data === undefined ? {} : { data: encodeData(data) }),
    ...(value === undefined ? {} : { value: encodeQuantity(value) }),
  };
}
