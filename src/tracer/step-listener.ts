/** Hears the steps of a run whose frames are known: an EventSink that counts frames where a Recorder describes them. */
import type { EventSink, FrameEnd, FrameStart, LiveStep, OpenRows, RowSink, StepOutcome } from "./events.ts";
import { StepRecorder } from "./step-recorder.ts";
import type { StepStore } from "./step-store.ts";

export class StepListener implements RowSink, EventSink {
  readonly wantsFrames = true;
  readonly wantsLogs = false;
  readonly wantsAccesses = false;
  readonly wantsSteps = true;
  readonly rowSink = this;
  readonly #steps: StepRecorder;
  #frameCount = 0;

  constructor(store: StepStore) {
    this.#steps = new StepRecorder(store);
  }

  get telling(): Uint8Array {
    return this.#steps.telling;
  }

  openRows(): OpenRows {
    return this.#steps.openRows();
  }

  reopenRow(): void {
    this.#steps.reopenRow();
  }

  enterFrame({ kind }: FrameStart): void {
    this.#steps.enterFrame(this.#frameCount++, kind);
  }

  exitFrame(end: FrameEnd): void {
    this.#steps.exitFrame(end);
  }

  refuseFrame(): void {
    this.#frameCount++;
    this.#steps.refuseFrame();
  }

  beginStep(live: LiveStep): void {
    this.#steps.begin(live);
  }

  endStep(live: LiveStep): void {
    this.#steps.end(live);
  }

  failStep(_live: LiveStep, outcome: StepOutcome): void {
    this.#steps.fail(outcome);
  }

  refuseStep(live: LiveStep, outcome: StepOutcome): void {
    this.#steps.refuse(live, outcome);
  }

  // What it does not want is never emitted; self-destructs are steps as well.
  selfDestruct(): void {}
  log(): void {}
  accessAccount(): void {}
  accessSlot(): void {}
}
