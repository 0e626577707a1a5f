/** Commits a large change of a state in steps: hashing all of it at once would block the event loop for seconds. */
import { Breaks } from "../../primitives/platform/turns.ts";
import type { StateDatabase } from "../../state/state-database.ts";
import type { HashedBytes, StateCommit } from "../../state/view.ts";
import type { WorkingState } from "../../state/working/working-state.ts";

/** Lives for one change. If the commit of {@link finish} will not be written, {@link discard} must follow. */
export class StepwiseCommit {
  readonly #states: StateDatabase;
  #working: WorkingState;
  readonly #write: ((commit: StateCommit) => Promise<void>) | undefined;
  /** Commits that are not written. */
  readonly #held: StateCommit[] = [];

  /**
   * @param write - writes the commits of steps at once, so that they need not be in memory together; default: all of them
   * are joined into the last one
   */
  constructor(states: StateDatabase, working: WorkingState, write?: (commit: StateCommit) => Promise<void>) {
    this.#states = states;
    this.#working = working;
    this.#write = write;
  }

  /**
   * Commits the writes so far. Returns the state to go on with, which does not hold them in memory. On a fork it is the same
   * one, because a true root is computed from all writes.
   */
  async step(): Promise<WorkingState> {
    const commit = this.#working.commitState(false);
    if (this.#write === undefined) this.#held.push(commit);
    else await this.#write(commit);
    if (this.#states.isWhole) this.#working = this.#states.working(commit.stateRoot);
    return this.#working;
  }

  /**
   * The commit of the last writes; if steps are not written, of all of them, with nodes that later steps replaced. Yields to
   * the event loop.
   */
  async finish(): Promise<StateCommit> {
    await this.#working.fetchProofs();
    const last = this.#working.commitState();
    this.#held.push(last);
    if (this.#held.length === 1) return last;
    const trieNodes: HashedBytes[] = [];
    const codes: HashedBytes[] = [];
    const preimages: HashedBytes[] = [];
    const breaks = new Breaks();
    for (const step of this.#held) {
      for (const node of step.trieNodes) trieNodes.push(node);
      for (const code of step.codes) codes.push(code);
      for (const preimage of step.preimages ?? []) preimages.push(preimage);
      const turn = breaks.check();
      if (turn !== undefined) await turn;
    }
    return { stateRoot: last.stateRoot, trieNodes, codes, preimages, derivedStates: last.derivedStates ?? [] };
  }

  /** Must be called if the commit will not be written. */
  discard(): void {
    for (const commit of this.#held) this.#states.discard(commit);
  }
}
