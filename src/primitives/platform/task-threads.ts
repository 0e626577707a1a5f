/** Threads that answer each task with a result. Tasks and results must be structured-cloneable. */
import { InternalError } from "../../errors/hindcast-error.ts";
import { Thread, type ThreadKind } from "./thread.ts";
import { type PooledThread, ThreadPool, type ThreadPoolOptions } from "./thread-pool.ts";

/** Milliseconds for which a free thread lives on, because starting one takes time. */
const IDLE_MS = 30_000;

/** The work of the threads, and how many there may be. */
export type TaskThreadsOptions = Pick<ThreadPoolOptions<never>, "subject" | "most" | "usersEach" | "idleMs"> & {
  readonly kind: ThreadKind;
};

/** Threads for one kind of task. They keep the process alive only while they work. */
export class TaskThreads<Task, Result> {
  readonly #pool: ThreadPool<TaskThread<Task, Result>>;

  constructor({ kind, ...options }: TaskThreadsOptions) {
    const start = (): TaskThread<Task, Result> => new TaskThread(kind, options.subject);
    this.#pool = new ThreadPool({ idleMs: IDLE_MS, ...options, start });
  }

  /**
   * Computes a task. The task must not be changed meanwhile.
   *
   * Rejects with the signal's reason when it aborts; the thread is then terminated, with the tasks of other users. Rejects
   * with an {@link InternalError} if the computation fails or its thread ends; the next task gets another thread.
   */
  async run(task: Task, signal?: AbortSignal): Promise<Result> {
    const thread = await this.#pool.take(() => signal?.throwIfAborted());
    const onAbort = (): void => void thread.end(signal?.reason);
    signal?.addEventListener("abort", onAbort);
    try {
      signal?.throwIfAborted();
      return await thread.run(task);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#pool.give(thread);
    }
  }

  /** Terminates all threads. Unfinished tasks are rejected, and so are later ones. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** One thread, which answers tasks in their order. */
class TaskThread<Task, Result> implements PooledThread {
  readonly #thread: Thread;
  readonly #waiting: Waiting<Result>[] = [];

  constructor(kind: ThreadKind, subject: string) {
    this.#thread = new Thread({
      kind,
      onMessage: (result) => {
        this.#waiting.shift()?.resolve(result as Result);
        if (this.#waiting.length === 0) this.#thread.isNeeded = false;
      },
      onEnd: (reason) => {
        for (const { reject } of this.#waiting.splice(0)) reject(reason);
      },
      failed: (cause) =>
        cause === undefined
          ? failure(`The thread of a ${subject} ended.`)
          : failure(`A ${subject} failed in its thread.`, cause),
    });
  }

  get ended(): PooledThread["ended"] {
    return this.#thread.ended;
  }

  end(reason: unknown): Promise<void> {
    return this.#thread.end(reason);
  }

  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(this.ended.reason);
      this.#waiting.push({ resolve, reject });
      this.#thread.isNeeded = true;
      this.#thread.post(task);
    });
  }
}

/** The error of a computation that failed. */
export function failure(what: string, cause?: unknown): InternalError {
  const where = cause instanceof Error ? cause.message : undefined;
  return new InternalError({ code: "INTERNAL_ERROR", what, ...(where === undefined ? {} : { where }), cause });
}
