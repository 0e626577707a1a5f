/**
 * The pool of threads for JavaScript tracers. Each traced transaction has a thread of its own. One idle thread stays,
 * because starting one takes time.
 */
import type { Engine } from "../../../evm/engine.ts";
import { ThreadPool } from "../../../primitives/platform/thread-pool.ts";
import { checkBounds } from "../script-limits.ts";
import type { ScriptOutcome } from "../script-transaction.ts";
import type { RunningScript, ScriptBounds, ScriptRun, Scripts } from "../scripts.ts";
import { processMs } from "./call-record.ts";
import type { ThreadData } from "./protocol.ts";
import { ScriptThread } from "./script-thread.ts";
import { StateSource } from "./state-source.ts";
import { ThreadEngine } from "./thread-engine.ts";

/** Data that every thread starts with. */
export interface ScriptThreadsParts extends Pick<ThreadData, "engine" | "limits"> {
  /** File of the threads' program; default: the built one. */
  readonly program?: URL;
}

/** The pool of a node, which closes it. */
export class ScriptThreads implements Scripts {
  readonly #pool: ThreadPool<ScriptThread>;
  readonly #requests = new WeakMap<ScriptBounds, number>();
  #lastRequest = 0;

  constructor({ program, ...parts }: ScriptThreadsParts) {
    const start = (): ScriptThread => new ScriptThread(parts, program);
    this.#pool = new ThreadPool({ subject: "JavaScript tracer", start, mostFree: 1 });
  }

  /** Waits for a free thread. */
  async open({ stateAfter, ...setup }: ScriptRun, bounds: ScriptBounds): Promise<RunningScript> {
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
class OpenScript implements RunningScript {
  readonly engine: Engine;
  readonly #parts: OpenScriptParts;
  #isClosed = false;

  constructor(parts: OpenScriptParts) {
    this.#parts = parts;
    this.engine = new ThreadEngine(parts);
  }

  async result(outcome: ScriptOutcome): Promise<string> {
    const { thread, source, bounds } = this.#parts;
    return (await thread.ask([{ do: "result", outcome }], source, bounds)) as string;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.thread.tell([{ do: "closeSession" }, { do: "closeScript" }]);
    this.#parts.release();
  }
}
