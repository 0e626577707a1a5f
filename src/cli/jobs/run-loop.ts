/** Drives a run until it is done: holds it, delivers, and says how far it is. */
import { LimitError, RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { inBackground } from "../../primitives/platform/event-loop.ts";
import { pause } from "../../primitives/platform/turns.ts";
import type { Attempts } from "../../sharing/jobs/attempts.ts";
import type { RunDelivery, RunProgress } from "../../sharing/jobs/run-delivery.ts";
import type { RunRecords } from "../../sharing/jobs/run-records.ts";
import type { RunRow } from "../../sharing/jobs/run-row.ts";
import type { LogConnection } from "../../sharing/postgres/connection.ts";
import { createProgress, type Progress, type ProgressOptions } from "../output/progress.ts";
import { SaidOnce } from "../output/said-once.ts";

/** Milliseconds between two looks for results. */
const LOOK_MS = 100;
/** Milliseconds between two signs of this command, and looks for nodes. */
const SIGN_MS = 1_000;

/** Parts of a run, and where it is shown. */
export interface RunLoop {
  readonly run: RunRow;
  readonly records: RunRecords;
  readonly delivery: RunDelivery;
  readonly attempts: Attempts;
  /** For signs, which no delivery delays. */
  readonly signs: LogConnection;
  readonly stop: AbortSignal;
  /** Undefined for a command that prints no progress. */
  readonly progress: Omit<ProgressOptions, "label"> | undefined;
  /** Prints a sentence for the user. */
  readonly notice: (text: string) => void;
}

/**
 * Drives a run to its end.
 *
 * @returns the number of its blocks
 * @throws {LimitError} `EXECUTION_ABORTED` if it was interrupted; it can be resumed
 * @throws {UnsupportedError} `JOBS_FAILED`, `JOBS_REFUSED`
 */
export async function driveRun(loop: RunLoop): Promise<bigint> {
  const { run, delivery, signs, stop } = loop;
  const problems = new SaidOnce(loop.notice);
  await taken(loop, problems);
  let isLost = false;
  const sign = async (): Promise<void> => {
    isLost ||= !(await delivery.hold(run, signs));
  };
  const timer = inBackground(setInterval(() => void sign().catch(() => undefined), SIGN_MS));
  const shown = new Shown(loop.progress);
  try {
    for (let lookedAt = performance.now(); !stop.aborted; await pause(LOOK_MS)) {
      if (isLost) throw takenOver(run);
      const progress = await reachable(problems, () => delivery.step(run.id, stop));
      await shown.show(progress);
      if (progress !== undefined && progress.done === progress.total) return progress.total;
      if (performance.now() - lookedAt < SIGN_MS) continue;
      lookedAt = performance.now();
      await reachable(problems, () => lookAfterWorkers(loop, problems));
    }
    throw interrupted(run);
  } finally {
    clearInterval(timer);
    shown.stop();
    await delivery.letGo(run).catch(() => undefined);
  }
}

/** Waits while another command has the run. */
async function taken({ run, delivery, signs, stop }: RunLoop, problems: SaidOnce): Promise<void> {
  for (;;) {
    const isHeld = await reachable(problems, () => delivery.hold(run, signs));
    if (isHeld === true) return;
    if (stop.aborted) throw interrupted(run);
    if (isHeld === false) {
      problems.say("Another command has this run, or had it seconds ago: this one waits until that one has ended.");
    }
    await pause(LOOK_MS);
  }
}

async function lookAfterWorkers({ run, records, attempts }: RunLoop, problems: SaidOnce): Promise<void> {
  await attempts.giveUpSilent();
  if ((await records.countWorkers()) > 0) problems.forget();
  else {
    const flags = `--shared URL --chain ${JSON.stringify(run.wish.chain)} --work`;
    problems.say(`No node takes jobs of this chain. Start one, or several: hindcast ${flags}`);
  }
}

/** The task's result; undefined while PostgreSQL does not answer. */
async function reachable<T>(problems: SaidOnce, task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    problems.say(error.message);
    await pause(SIGN_MS);
    return undefined;
  }
}

/** The progress, from where this command found the run. */
class Shown {
  readonly #options: Omit<ProgressOptions, "label"> | undefined;
  #progress: Progress | undefined;

  constructor(options: Omit<ProgressOptions, "label"> | undefined) {
    this.#options = options;
  }

  async show(at: RunProgress | undefined): Promise<void> {
    if (at === undefined || this.#options === undefined) return;
    const part = Number(at.done) / Number(at.total);
    this.#progress ??= await createProgress({ ...this.#options, label: "Blocks", from: part });
    this.#progress.update(part, `${at.done} of ${at.total} blocks`);
  }

  stop(): void {
    this.#progress?.stop();
  }
}

function interrupted({ id }: RunRow): LimitError {
  return new LimitError({
    code: "EXECUTION_ABORTED",
    what: `The run ${id} was interrupted.`,
    fix: `The same command goes on with it; hindcast jobs cancel ${id} ends it for ever.`,
  });
}

function takenOver({ id }: RunRow): UnsupportedError {
  return new UnsupportedError({
    code: "JOBS_REFUSED",
    what: `Another command has taken the run ${id}, since this one gave no sign for seconds.`,
    fix: "Wait for that one: a run has one command at a time.",
  });
}
