/**
 * The pool of threads for JavaScript tracers. Each traced transaction has a thread of its own. One idle thread stays,
 * because starting one takes time.
 */
import type { Engine } from "../../../evm/engine.ts";
import type { StateReader } from "../../../evm/state-port.ts";
import { ThreadPool } from "../../../primitives/platform/thread-pool.ts";
import type { ScriptOutcome } from "../script-transaction.ts";
import { processMs } from "./call-record.ts";
import type { ScriptSetup, ThreadData } from "./protocol.ts";
import { checkBounds, type ScriptBounds, ScriptThread } from "./script-thread.ts";
import { StateSource } from "./state-source.ts";
import { ThreadEngine } from "./thread-engine.ts";

/** Data that every thread starts with. */
export interface ScriptThreadsParts extends Pick<ThreadData, "engine" | "limits"> {
  /** File of the threads' program; default: the built one. */
  readonly program?: URL;
}

/** A script to open. */
export type ScriptRun = Omit<ScriptSetup, "request" | "deadline" | "timeoutMs"> & {
  /** The state that `result` sees: the one after the transaction. */
  readonly stateAfter: StateReader;
};

/** The pool of a node, which closes it. */
export class ScriptThreads {
  readonly #pool: ThreadPool<ScriptThread>;
  readonly #requests = new WeakMap<ScriptBounds, number>();
  #lastRequest = 0;

  constructor({ program, ...parts }: ScriptThreadsParts) {
    const start = (): ScriptThread => new ScriptThread(parts, program);
    this.#pool = new ThreadPool({ subject: "JavaScript tracer", start, mostFree: 1 });
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
    const thread = await this.#pool.take(() => checkBounds(bounds));
    const script = new OpenScript({ thread, source, bounds, release: () => this.#pool.give(thread, !thread.isLarge) });
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
  close(): Promise<void> {
    return this.#pool.close();
  }

  #numberOf(bounds: ScriptBounds): number {
    const request = this.#requests.get(bounds) ?? ++this.#lastRequest;
    this.#requests.set(bounds, request);
    return request;
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
