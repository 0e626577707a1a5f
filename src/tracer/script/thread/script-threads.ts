/**
 * The pool of threads for JavaScript tracers. Each traced transaction has a thread of its own. One idle thread is kept,
 * because starting one takes time.
 */
import { availableParallelism } from "node:os";
import { InternalError } from "../../../errors/hindcast-error.ts";
import type { Engine } from "../../../evm/engine.ts";
import type { StateReader } from "../../../evm/state-port.ts";
import type { ScriptOutcome } from "../script-transaction.ts";
import { processMs } from "./call-record.ts";
import type { ScriptSetup, ThreadData } from "./protocol.ts";
import { checkBounds, type ScriptBounds, ScriptThread, WATCH_MS } from "./script-thread.ts";
import { StateSource } from "./state-source.ts";
import { ThreadEngine } from "./thread-engine.ts";

/**
 * A node may have at least two threads, so that one long trace does not block others. Otherwise it may have one for each
 * processor but the one of the event loop.
 */
const MIN_THREADS = 2;
/** Most threads of a node, however many processors the machine has. */
export const MAX_SCRIPT_THREADS = 4;

/** Data that every thread starts with. */
export interface ScriptThreadsParts extends Pick<ThreadData, "engine" | "limits"> {
  /** File that runs in the threads and calls {@link serveScripts}. */
  readonly program: URL;
}

/** A script to open. */
export type ScriptRun = Omit<ScriptSetup, "request" | "deadline" | "timeoutMs"> & {
  /** The state that `result` sees: the one after the transaction. */
  readonly stateAfter: StateReader;
};

interface Waiting {
  resolve(thread: ScriptThread): void;
  reject(error: unknown): void;
}

/** The pool of a node, which closes it. */
export class ScriptThreads {
  readonly #parts: ScriptThreadsParts;
  readonly #limit = Math.max(MIN_THREADS, Math.min(MAX_SCRIPT_THREADS, availableParallelism() - 1));
  readonly #threads = new Set<ScriptThread>();
  readonly #idle: ScriptThread[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #requests = new WeakMap<ScriptBounds, number>();
  #lastRequest = 0;
  #isClosed = false;

  constructor(parts: ScriptThreadsParts) {
    this.#parts = parts;
  }

  /**
   * Waits for a free thread, evaluates a tracer and calls its `setup`.
   *
   * @param bounds - the same object for all scripts of a request
   * @throws {ExecutionError} `TRACER_FAILED` if the script does not define a tracer
   * @throws {LimitError} `TRACER_LIMIT`, `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`
   * @throws {UnsupportedError} `UNSUPPORTED` if no thread can be started
   */
  async open({ stateAfter, ...setup }: ScriptRun, bounds: ScriptBounds): Promise<OpenScript> {
    const source = new StateSource(stateAfter);
    const thread = await this.#take(bounds);
    const script = new OpenScript({ thread, source, bounds, release: () => this.#release(thread) });
    const deadline = processMs() + bounds.deadline - performance.now();
    const request = this.#numberOf(bounds);
    try {
      const setUp = { ...setup, request, deadline, timeoutMs: bounds.timeoutMs };
      await thread.ask([{ do: "openScript", script: setUp }], source, bounds);
      return script;
    } catch (error) {
      script.close();
      throw error;
    }
  }

  /** Terminates all threads. Running scripts fail, and no more can be opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closed());
    await Promise.all([...this.#threads].map((thread) => thread.end(closed())));
  }

  #numberOf(bounds: ScriptBounds): number {
    const request = this.#requests.get(bounds) ?? ++this.#lastRequest;
    this.#requests.set(bounds, request);
    return request;
  }

  async #take(bounds: ScriptBounds): Promise<ScriptThread> {
    checkBounds(bounds);
    if (this.#isClosed) throw closed();
    const idle = this.#idle.pop();
    if (idle?.hasEnded === false) return idle;
    if (idle !== undefined) this.#threads.delete(idle);
    return this.#threads.size < this.#limit ? this.#start() : this.#wait(bounds);
  }

  #start(): ScriptThread {
    const thread = new ScriptThread(this.#parts.program, this.#parts);
    this.#threads.add(thread);
    return thread;
  }

  /** Waits in a queue within the request's time limit. */
  #wait(bounds: ScriptBounds): Promise<ScriptThread> {
    let timer: NodeJS.Timeout | undefined;
    const taken = new Promise<ScriptThread>((resolve, reject) => {
      const waiting: Waiting = { resolve, reject };
      this.#waiting.push(waiting);
      timer = setInterval(() => {
        try {
          checkBounds(bounds);
        } catch (error) {
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
          reject(error);
        }
      }, WATCH_MS);
    });
    return taken.finally(() => clearInterval(timer));
  }

  /** Passes a free thread to the next in the queue, or keeps it, or terminates it. */
  #release(thread: ScriptThread): void {
    const isUsable = !(thread.hasEnded || thread.isLarge);
    if (isUsable && this.#waiting.length === 0 && this.#idle.length === 0) {
      this.#idle.push(thread);
      return;
    }
    const next = this.#waiting.shift();
    if (isUsable && next !== undefined) {
      next.resolve(thread);
      return;
    }
    this.#threads.delete(thread);
    void thread.end(closed());
    if (next !== undefined) this.#startFor(next);
  }

  #startFor(waiting: Waiting): void {
    try {
      waiting.resolve(this.#start());
    } catch (error) {
      waiting.reject(error);
    }
  }
}

interface OpenScriptParts {
  readonly thread: ScriptThread;
  readonly source: StateSource;
  readonly bounds: ScriptBounds;
  /** Returns the thread to the pool. */
  readonly release: () => void;
}

/** A script in a thread of its own. */
export class OpenScript {
  /** Runs the transaction that the script traces. */
  readonly engine: Engine;
  readonly #parts: OpenScriptParts;
  #isClosed = false;

  constructor(parts: OpenScriptParts) {
    this.#parts = parts;
    this.engine = new ThreadEngine(parts);
  }

  /**
   * The script's result, as JSON.
   *
   * @throws {ExecutionError} `TRACER_FAILED`
   * @throws {LimitError} `TRACER_LIMIT`, `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`
   */
  async result(outcome: ScriptOutcome): Promise<string> {
    const { thread, source, bounds } = this.#parts;
    return (await thread.ask([{ do: "result", outcome }], source, bounds)) as string;
  }

  /** Frees the script's thread. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.thread.tell([{ do: "closeSession" }, { do: "closeScript" }]);
    this.#parts.release();
  }
}

function closed(): InternalError {
  return new InternalError({ code: "INTERNAL_ERROR", what: "The threads of JavaScript tracers are closed." });
}
