/**
 * A thread for one kind of task. It is started on first use and terminated when idle; it keeps the process alive only
 * while it works.
 */
import type { Worker } from "node:worker_threads";
import type { Load } from "./packages.ts";
import { threadStart } from "./thread-script.ts";

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A message to or from the thread. */
interface Message<Content> {
  readonly id: number;
  readonly content: Content;
}

/** Milliseconds for which an idle thread is kept. */
const IDLE_MS = 2_000;

/**
 * The program of a thread. Both functions are passed as source text: they must refer to nothing but their parameters.
 */
export interface ThreadProgram<Library, Task, Result> {
  /** Opens what the work needs. */
  readonly open: (load: Load) => Library;
  readonly work: (library: Library) => (task: Task) => Result;
}

/** Tasks and results must be structured-cloneable. */
export class TaskThread<Library, Task, Result> {
  readonly #program: string;
  readonly #waiting = new Map<number, Waiting<Result>>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor({ open, work }: ThreadProgram<Library, Task, Result>) {
    const run = `const run = (${work.toString()})((${open.toString()})(load));`;
    this.#program = `(load) => { ${run} return ({ id, content }) => ({ id, content: run(content) }); }`;
  }

  /** Runs a task after all earlier ones. Rejects if the thread fails; the next task starts another one. */
  async run(task: Task): Promise<Result> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    const id = ++this.#lastId;
    this.#worker.postMessage({ id, content: task } satisfies Message<Task>);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Terminates the thread. Tasks still queued are never answered. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#waiting.clear();
    await worker?.terminate();
  }

  #start(): Worker {
    const { script, options } = threadStart(this.#program);
    const threads = process.getBuiltinModule("node:worker_threads");
    const worker = new threads.Worker(script, options);
    worker.on("message", ({ id, content }: Message<Result>) => {
      this.#waiting.get(id)?.resolve(content);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest(worker);
    });
    worker.on("error", (error) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#worker === worker) this.#worker = undefined;
      void worker.terminate();
    }, IDLE_MS);
    this.#idle.unref();
  }
}
