/** Commits a large change of a state in steps: hashing all of it at once would block the event loop for seconds. */
import type { StateDatabase } from "../../state/state-database.ts";
import type { StateCommit } from "../../state/view.ts";
import type { WorkingState } from "../../state/working/working-state.ts";

/** Lives for one change. {@link settle} or {@link discard} must follow {@link finish}. */
export class StepwiseCommit {
  readonly #states: StateDatabase;
  readonly #working: WorkingState;
  readonly #steps: StateCommit[] = [];

  constructor(states: StateDatabase, working: WorkingState) {
    this.#states = states;
    this.#working = working;
  }

  /** Commits the writes so far. */
  step(): void {
    this.#steps.push(this.#working.commitState(false));
  }

  /** Joins all steps into one commit, which also has nodes that later steps replaced. */
  finish(): StateCommit {
    this.#steps.push(this.#working.commitState());
    const last = this.#steps.at(-1) as StateCommit;
    if (this.#steps.length === 1) return last;
    return {
      stateRoot: last.stateRoot,
      trieNodes: this.#steps.flatMap((step) => step.trieNodes),
      codes: this.#steps.flatMap((step) => step.codes),
      preimages: this.#steps.flatMap((step) => step.preimages ?? []),
      derivedStates: last.derivedStates ?? [],
    };
  }

  /** Must be called after the commit was written. */
  settle(): void {
    for (const step of this.#steps) this.#states.settle(step);
  }

  /** Must be called if the commit will not be written. */
  discard(): void {
    for (const step of this.#steps) this.#states.discard(step);
  }
}
