/** Shows the progress of long tasks: a bar on standard error if that is a terminal, else a line now and then. */
import type { OutputStream } from "./output.ts";

/** A long task; shown from its first update on. */
export interface Progress {
  /**
   * @param part - from 0 to 1
   * @param done - work done so far, such as `1200 blocks`
   */
  update(part: number, done: string): void;
  stop(): void;
}

/** Shows the progress of long work. */
export interface ProgressOptions {
  /** Name of the task, such as `Importing`. */
  readonly label: string;
  /** Stream for the bar, if it is a terminal. */
  readonly stderr: OutputStream;
  /** Prints a line if there is no terminal. */
  readonly notice: (text: string) => void;
  /** No bar is drawn, because it would break lines of JSON. */
  readonly isJson: boolean;
  /** The part that was done before, of which the time that is left does not follow; default 0. */
  readonly from?: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds before the first report and between two lines. */
const FIRST_AFTER_MS = 1_000;
const LINE_EVERY_MS = 5_000;
const REDRAW_EVERY_MS = 100;

/** Begins a task. Loads the library for the bar first. */
export async function createProgress(options: ProgressOptions): Promise<Progress> {
  const { label, stderr, notice, isJson, from = 0, now = performance.now.bind(performance) } = options;
  const draw = stderr.isTTY === true && !isJson ? await createBar(label, stderr) : undefined;
  const begun = now();
  let shownAt = begun + FIRST_AFTER_MS - (draw === undefined ? LINE_EVERY_MS : REDRAW_EVERY_MS);
  return {
    update(part, done) {
      const time = now();
      if (time - shownAt < (draw === undefined ? LINE_EVERY_MS : REDRAW_EVERY_MS)) return;
      shownAt = time;
      const left = timeLeft((part - from) / (1 - from), time - begun);
      if (draw !== undefined) draw.update(part, { done, left });
      else notice(`${label}: ${Math.floor(part * 100)} %, ${done}${left === "" ? "" : `, ${left}`}`);
    },
    stop: () => draw?.stop(),
  };
}

/** Estimated from the average speed so far, and rounded, so that it does not jump. */
export function timeLeft(part: number, elapsedMs: number): string {
  if (part <= 0) return "";
  const seconds = ((1 - part) / part) * (elapsedMs / 1000);
  if (seconds < 1) return "nearly done";
  if (seconds < 20) return `about ${Math.round(seconds)} s left`;
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} s left`;
  return `about ${Math.ceil(seconds / 60)} min left`;
}

async function createBar(
  label: string,
  stream: OutputStream,
): Promise<{ update(part: number, shown: { readonly done: string; readonly left: string }): void; stop(): void }> {
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    // A stream that is a terminal is always a WriteStream.
    stream: stream as NodeJS.WriteStream,
    format: `${label} {bar} {percentage}% | {done} | {left}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
  });
  let isShown = false;
  return {
    update(part, shown) {
      if (!isShown) bar.start(1, part, shown);
      isShown = true;
      bar.update(part, shown);
    },
    stop: () => {
      if (isShown) bar.stop();
    },
  };
}
