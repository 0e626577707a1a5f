/**
 * States of a forked chain as the engine reads them. When a value has to be requested, the runs that are under way are asked to
 * fetch the rest of what they will read.
 */
import type { EvmAccount } from "../../evm/state-port.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { Hints } from "../../remote/hints.ts";
import type { PinnedState, RemoteChain } from "../../remote/upstream.ts";
import type { RemoteState } from "../../state/fork/remote-state.ts";
import { EarlierKeys } from "./earlier-keys.ts";
import { PrefetchedRun, type ReadSources } from "./prefetched-run.ts";
import type { RunPlan } from "./run-plan.ts";

/** One for each fork: the runs on it that have not ended. */
export class PrefetchedRuns {
  readonly #sources: ReadSources;
  readonly #runs = new Set<PrefetchedRun>();

  constructor(remote: RemoteChain) {
    this.#sources = { hints: new Hints(remote), earlier: new EarlierKeys() };
  }

  /**
   * Registers a run that begins. Returns a function to call when it ends.
   *
   * @param state - of the forked chain: the plan's state is this one, with the changes of the fork
   */
  begin(plan: RunPlan, state: PinnedState): () => void {
    const run = new PrefetchedRun(plan, state, this.#sources);
    this.#runs.add(run);
    return () => {
      this.#runs.delete(run);
      run.end();
    };
  }

  /** To be called when a value has to be requested. */
  miss(): void {
    for (const run of this.#runs) run.miss();
  }
}

/** The state after one block of the forked chain. Adds to another only the reports of values that have to be requested. */
export class PrefetchedState implements RemoteState {
  readonly #state: PinnedState;
  readonly #runs: PrefetchedRuns;

  constructor(state: PinnedState, runs: PrefetchedRuns) {
    this.#state = state;
    this.#runs = runs;
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    return this.#reported(this.#state.getAccount(address));
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#reported(this.#state.getStorage(address, slot));
  }

  getCode(codeHash: Bytes): MaybePromise<Bytes> {
    return this.#state.getCode(codeHash);
  }

  get provenRoot(): Bytes | undefined {
    return this.#state.provenRoot;
  }

  getTrieNode(hash: Bytes): Bytes | undefined {
    return this.#state.getTrieNode(hash);
  }

  #reported<T>(answer: MaybePromise<T>): MaybePromise<T> {
    if (answer instanceof Promise) this.#runs.miss();
    return answer;
  }
}
