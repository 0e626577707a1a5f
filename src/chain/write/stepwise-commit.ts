/** A large change of a state, committed bit by bit: hashing all of it at the end would keep the event loop for seconds. */
import type { StateDatabase } from "../../state/state-database.ts";
import type { StateCommit } from "../../state/view.ts";
import type { WorkingState } from "../../state/working/working-state.ts";

export class StepwiseCommit {
  readonly #states: StateDatabase;
  readonly #working: WorkingState;
  readonly #steps: StateCommit[] = [];

  constructor(states: StateDatabase, working: WorkingState) {
    this.#states = states;
    this.#working = working;
  }

  /** Commits what was written so far. */
  step(): void {
    this.#steps.push(this.#working.commitState());
  }

  /** All steps as one commit, the rest of the change among them. Nodes that later steps replaced are in it too. */
  finish(): StateCommit {
    this.step();
    const last = this.#steps.at(-1) as StateCommit;
    if (this.#steps.length === 1) return last;
    return {
      stateRoot: last.stateRoot,
      trieNodes: this.#steps.flatMap((step) => step.trieNodes),
      codes: this.#steps.flatMap((step) => step.codes),
      preimages: this.#steps.flatMap((step) => step.preimages ?? []),
    };
  }

  /** To be called when it has been written. */
  settle(): void {
    for (const step of this.#steps) this.#states.settle(step);
  }

  /** To be called when it will not be written. */
  discard(): void {
    for (const step of this.#steps) this.#states.discard(step);
  }
}
