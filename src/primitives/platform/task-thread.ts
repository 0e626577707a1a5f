/**
 * A thread that does one kind of work, task after task. Started on first use, ended when it idles; it keeps the process
 * alive only while somebody waits.
 */
import { Worker } from "node:worker_threads";
import type { Load } from "./packages.ts";
import { threadStart } from "./thread-script.ts";

interface Waiting<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** What goes to the thread, and what comes back. */
interface Message<Content> {
  readonly id: number;
  readonly content: Content;
}

/** How long the thread is kept when nothing is asked of it, in milliseconds. */
const IDLE_MS = 2_000;

/** What a thread runs. Both functions travel as text: they may name nothing outside of themselves but their parameter. */
export interface ThreadProgram<Library, Task, Result> {
  /** Opens what the work needs. */
  readonly open: (load: Load) => Library;
  readonly work: (library: Library) => (task: Task) => Result;
}

/** Tasks and results are what `structuredClone` can copy. */
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

  /** Does a task after all that were asked for before. Rejects when the thread fails; the next task starts another. */
  async run(task: Task): Promise<Result> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    const id = ++this.#lastId;
    this.#worker.postMessage({ id, content: task } satisfies Message<Task>);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Ends the thread at once. Who waits waits in vain. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#waiting.clear();
    await worker?.terminate();
  }

  #start(): Worker {
    const { script, options } = threadStart(this.#program);
    const worker = new Worker(script, options);
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
