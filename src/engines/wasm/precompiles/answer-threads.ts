/**
 * Threads that compute the answers which take long. One is started when all others are busy, and ended when it idles; it
 * keeps the process alive only while it computes.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { InternalError } from "../../../errors/hindcast-error.ts";
import type { Bytes } from "../../../primitives/bytes.ts";
import { type Answer, type AnswerData, openAnswers, PARTS, type Parts } from "./answers.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** How long a thread is kept when nothing is asked of it, in milliseconds: another one takes 100 to be ready. */
const IDLE_MS = 30_000;
/** As many as there are processors beside the event loop's; two at least, so that seconds of one task do not hold others. */
const MIN_THREADS = 2;
const MAX_THREADS = 4;

/** What a thread is sent; it sends back the answer. */
interface Task {
  readonly home: number;
  readonly input: Bytes;
}

interface WaitingTask extends Task {
  resolve(answer: PrecompileAnswer): void;
  reject(reason: unknown): void;
}

/** A thread, with what it computes. */
interface Thread {
  readonly worker: Worker;
  task: WaitingTask | undefined;
  idle: NodeJS.Timeout | undefined;
}

/** What a thread is started with: the address of this file, from where packages are found, and what answers are made of. */
interface ThreadData {
  readonly from: string;
  readonly blake2f: Bytes;
  readonly curves: AnswerData["curves"];
}

export class AnswerThreads {
  readonly #data: AnswerData;
  readonly #limit = Math.max(MIN_THREADS, Math.min(MAX_THREADS, availableParallelism() - 1));
  readonly #threads = new Set<Thread>();
  readonly #queue: WaitingTask[] = [];
  #isClosed = false;

  constructor(data: AnswerData) {
    this.#data = data;
  }

  /**
   * Computes an answer. The input is copied before this returns.
   *
   * Rejects with the signal's reason when it fires: the thread is ended then. Rejects with an {@link InternalError} when
   * the computation fails or its thread ends; the next task gets another thread.
   */
  run(home: number, input: Bytes, signal?: AbortSignal): Promise<PrecompileAnswer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(failure("The threads of precompiles are closed."));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.#giveUp(task, signal?.reason);
      const task: WaitingTask = {
        home,
        input: input.slice(),
        resolve: (answer) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(answer);
        },
        reject: (reason) => {
          signal?.removeEventListener("abort", onAbort);
          reject(reason);
        },
      };
      signal?.addEventListener("abort", onAbort);
      this.#queue.push(task);
      this.#assign();
    });
  }

  /** Ends all threads. Tasks that are not done are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = failure("The threads of precompiles were closed before this answer was there.");
    for (const task of this.#queue.splice(0)) task.reject(reason);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, reason)));
  }

  /** Hands queued tasks to threads that have none. */
  #assign(): void {
    while (this.#queue.length > 0) {
      const thread =
        [...this.#threads].find(({ task }) => task === undefined) ??
        (this.#threads.size < this.#limit ? this.#start() : undefined);
      if (thread === undefined) return;
      clearTimeout(thread.idle);
      thread.task = this.#queue.shift() as WaitingTask;
      thread.worker.ref();
      const { home, input } = thread.task;
      thread.worker.postMessage({ home, input } satisfies Task);
    }
  }

  #start(): Thread {
    const { blake2f, curves } = this.#data;
    const workerData: ThreadData = { from: import.meta.url, blake2f: blake2f(), curves };
    const worker = new Worker(program(), { eval: true, workerData });
    const thread: Thread = { worker, task: undefined, idle: undefined };
    this.#threads.add(thread);
    worker.on("message", (answer: PrecompileAnswer) => {
      thread.task?.resolve(answer);
      this.#rest(thread);
      this.#assign();
    });
    worker.on("error", (error) => void this.#end(thread, failure("A precompile failed in its thread.", error)));
    worker.on("exit", () => void this.#end(thread, failure("The thread of a precompile ended.")));
    return thread;
  }

  /** The thread has nothing to do, and ends unless that changes. */
  #rest(thread: Thread): void {
    thread.task = undefined;
    thread.worker.unref();
    thread.idle = setTimeout(() => void this.#end(thread, undefined), IDLE_MS);
    thread.idle.unref();
  }

  #giveUp(task: WaitingTask, reason: unknown): void {
    const place = this.#queue.indexOf(task);
    if (place >= 0) {
      this.#queue.splice(place, 1);
      task.reject(reason);
      return;
    }
    for (const thread of this.#threads) if (thread.task === task) void this.#end(thread, reason);
  }

  /** @param reason - what the task that the thread computes is rejected with */
  async #end(thread: Thread, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.idle);
    const { task } = thread;
    thread.task = undefined;
    task?.reject(reason);
    this.#assign();
    await thread.worker.terminate();
  }
}

/** A precompile that did not answer. */
export function failure(what: string, cause?: unknown): InternalError {
  const where = cause instanceof Error ? cause.message : undefined;
  return new InternalError({ code: "INTERNAL_ERROR", what, ...(where === undefined ? {} : { where }), cause });
}

/** The program of a thread, as a script. */
function program(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part.toString()}`);
  return `(${serve.toString()})({ ${parts.join(", ")} }, ${openAnswers.toString()})`;
}

/** Travels as text: it names nothing outside of itself. */
function serve(parts: Parts, open: (parts: Parts, load: NodeJS.Require, data: AnswerData) => Answer): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { from, blake2f, curves } = workerData as ThreadData;
  const load = process.getBuiltinModule("node:module").createRequire(from);
  const answer = open(parts, load, { blake2f: () => blake2f, curves });
  parentPort?.on("message", ({ home, input }: Task) => {
    parentPort.postMessage(answer(home, input));
  });
}
