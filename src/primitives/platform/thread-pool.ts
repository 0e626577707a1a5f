/**
 * Threads for tasks that would block the event loop. A thread is started if all others are busy, and terminated when
 * idle. It keeps the process alive only while it computes.
 */
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { InternalError } from "../../errors/hindcast-error.ts";
import { threadStart } from "./thread-script.ts";

/** Milliseconds for which an idle thread is kept, because starting one takes time. */
const IDLE_MS = 30_000;
/**
 * There are as many threads as processors, less the event loop's; at least two, so that one long task does not block
 * others.
 */
const MIN_THREADS = 2;
const MAX_THREADS = 4;

/** The program of the threads. It is passed as source text, so that a bundle needs no further file. */
export interface ThreadPoolOptions {
  /** The kind of task, for errors: "precompile". */
  readonly subject: string;
  /** Source of a function that is given `require` and the data, and gives the function that answers messages. */
  readonly program: () => string;
  /** The data for it. */
  readonly data: () => unknown;
}

interface WaitingTask<Task, Result> {
  readonly task: Task;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** A thread and its current task. */
interface Thread<Task, Result> {
  readonly worker: Worker;
  current: WaitingTask<Task, Result> | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** Its owner must {@link close} it, which rejects tasks that still run or wait. */
export class ThreadPool<Task, Result> {
  readonly #options: ThreadPoolOptions;
  readonly #limit = Math.max(MIN_THREADS, Math.min(MAX_THREADS, availableParallelism() - 1));
  readonly #threads = new Set<Thread<Task, Result>>();
  readonly #queue: WaitingTask<Task, Result>[] = [];
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /**
   * Computes a task. The task must not be changed meanwhile.
   *
   * Rejects with the signal's reason when it aborts; the thread is then terminated. Rejects with an {@link
   * InternalError} if the computation fails or its thread ends; the next task gets another thread.
   */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw failure(`The threads of ${this.#options.subject}s are closed.`);
    let onAbort: (() => void) | undefined;
    const result = new Promise<Result>((resolve, reject) => {
      const waiting = { task, resolve, reject };
      onAbort = () => this.#giveUp(waiting, signal?.reason);
      this.#queue.push(waiting);
    });
    if (onAbort !== undefined) signal?.addEventListener("abort", onAbort);
    this.#assign();
    try {
      return await result;
    } finally {
      if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Terminates all threads. Unfinished tasks are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = failure(`The threads of ${this.#options.subject}s were closed before this answer was there.`);
    for (const waiting of this.#queue.splice(0)) waiting.reject(reason);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, reason)));
  }

  /** Passes queued tasks to idle threads. */
  #assign(): void {
    while (this.#queue.length > 0) {
      const thread =
        [...this.#threads].find(({ current }) => current === undefined) ??
        (this.#threads.size < this.#limit ? this.#start() : undefined);
      if (thread === undefined) return;
      clearTimeout(thread.idle);
      const next = this.#queue.shift() as WaitingTask<Task, Result>;
      thread.current = next;
      thread.worker.ref();
      thread.worker.postMessage(next.task);
    }
  }

  #start(): Thread<Task, Result> {
    const { subject, program, data } = this.#options;
    const { script, options } = threadStart(program(), data());
    const threads = process.getBuiltinModule("node:worker_threads");
    const worker = new threads.Worker(script, options);
    const thread: Thread<Task, Result> = { worker, current: undefined, idle: undefined };
    this.#threads.add(thread);
    worker.on("message", (result: Result) => {
      thread.current?.resolve(result);
      this.#rest(thread);
      this.#assign();
    });
    worker.on("error", (error) => void this.#end(thread, failure(`A ${subject} failed in its thread.`, error)));
    worker.on("exit", () => void this.#end(thread, failure(`The thread of a ${subject} ended.`)));
    return thread;
  }

  /** Marks the thread as idle; it ends if it stays so. */
  #rest(thread: Thread<Task, Result>): void {
    thread.current = undefined;
    thread.worker.unref();
    thread.idle = setTimeout(() => void this.#end(thread, undefined), IDLE_MS);
    thread.idle.unref();
  }

  #giveUp(waiting: WaitingTask<Task, Result>, reason: unknown): void {
    const place = this.#queue.indexOf(waiting);
    if (place >= 0) {
      this.#queue.splice(place, 1);
      waiting.reject(reason);
      return;
    }
    for (const thread of this.#threads) if (thread.current === waiting) void this.#end(thread, reason);
  }

  /** @param reason - error with which the current task is rejected */
  async #end(thread: Thread<Task, Result>, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.idle);
    const { current } = thread;
    thread.current = undefined;
    current?.reject(reason);
    this.#assign();
    await thread.worker.terminate();
  }
}

/** The error of a computation that failed. */
export function failure(what: string, cause?: unknown): InternalError {
  const where = cause instanceof Error ? cause.message : undefined;
  return new InternalError({ code: "INTERNAL_ERROR", what, ...(where === undefined ? {} : { where }), cause });
}
