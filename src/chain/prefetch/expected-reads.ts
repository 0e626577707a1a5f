/** States of a forked chain that tell the running calls when a value is missing, so that they can fetch ahead. */
import type { EvmAccount } from "../../evm/state-port.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import { Hints } from "../../remote/hints.ts";
import type { PinnedState, RemoteChain } from "../../remote/upstream.ts";
import type { RemoteState } from "../../state/fork/remote-state.ts";
import { EarlierKeys } from "./earlier-keys.ts";
import { ExpectedRun, type Foresight } from "./expected-run.ts";
import type { RunPlan } from "./run-plan.ts";

/** The runs on a forked chain that have not ended. */
export class ExpectedRuns {
  readonly #foresight: Foresight;
  readonly #runs = new Set<ExpectedRun>();

  constructor(remote: RemoteChain) {
    this.#foresight = { hints: new Hints(remote), earlier: new EarlierKeys() };
  }

  /**
   * Registers a run that begins. Returns a function to call when it ends.
   *
   * @param state - the state of the forked chain that lies under the plan's
   */
  expect(plan: RunPlan, state: PinnedState): () => void {
    const run = new ExpectedRun(plan, state, this.#foresight);
    this.#runs.add(run);
    return () => {
      this.#runs.delete(run);
      run.end();
    };
  }

  /** Reports a missing value. */
  miss(): void {
    for (const run of this.#runs) run.miss();
  }
}

/** The state of one block of the forked chain, as the engine reads it. Values come from `state`. */
export class ExpectedReads implements RemoteState {
  readonly #state: PinnedState;
  readonly #runs: ExpectedRuns;

  constructor(state: PinnedState, runs: ExpectedRuns) {
    this.#state = state;
    this.#runs = runs;
  }

  getAccount(address: Bytes): MaybePromise<EvmAccount | undefined> {
    return this.#noting(this.#state.getAccount(address));
  }

  getStorage(address: Bytes, slot: Bytes): MaybePromise<Bytes> {
    return this.#noting(this.#state.getStorage(address, slot));
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

  #noting<T>(answer: MaybePromise<T>): MaybePromise<T> {
    if (answer instanceof Promise) this.#runs.miss();
    return answer;
  }
}
