/** One thread of scripts, as the main thread has it: told what to do, watched, and ended when a script overruns its time. */

import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { UnsupportedError } from "../../../errors/hindcast-error.ts";
import type { EngineName } from "../../../evm/engine.ts";
import { aborted } from "../../../evm/out-of-time.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { ranTooLong, timeOf, traceTookTooLong } from "../script-limits.ts";
import { CallRecord } from "./call-record.ts";
import { packError, unpackError } from "./carried-error.ts";
import type { Answer, Command, FromThread, Question, ThreadData, ToThread } from "./protocol.ts";
import type { StateSource } from "./state-source.ts";

/** How often the script's time is looked at, in milliseconds. */
export const WATCH_MS = 20;
/** What a script has beyond its limit to stop by itself, in milliseconds: then its thread can be kept. */
const GRACE_MS = 50;

/** QuickJS itself has 16 MiB. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/** Bounds of one request. */
export interface ScriptBounds {
  /** By when the script must have its result, as performance.now(); infinite for never. */
  readonly deadline: number;
  /** What the caller gave as time limit, milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortState | undefined;
}

/** A list of commands that is being done. */
interface Pending {
  readonly id: number;
  readonly bounds: ScriptBounds;
  readonly source: StateSource;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Throws when a request is to end: on its caller's behalf at once, and a little after its time. */
export function checkBounds({ deadline, signal }: ScriptBounds): void {
  if (signal?.aborted === true) throw aborted(signal.reason);
  if (performance.now() > deadline + GRACE_MS) throw traceTookTooLong();
}

export class ScriptThread {
  readonly engine: EngineName;
  readonly #worker: Worker;
  readonly #calls = new CallRecord();
  readonly #answered = new SharedArrayBuffer(4);
  readonly #answers: MessagePort;
  #pending: Pending | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lastId = 0;
  /** What the last question ended with, if it was an error. */
  #stateError: unknown;
  /** Why the thread is of no more use. */
  #end: { readonly reason: unknown } | undefined;

  /**
   * @param program - file that calls {@link serveScripts}
   * @throws {UnsupportedError} `UNSUPPORTED` where no thread can be had
   */
  constructor(program: URL, { engine, limits }: Pick<ThreadData, "engine" | "limits">) {
    this.engine = engine;
    const workerData: ThreadData = { engine, limits, calls: this.#calls.memory, answered: this.#answered };
    try {
      this.#worker = new Worker(program, { workerData, execArgv: [] });
    } catch (error) {
      throw noThread(error);
    }
    const { port1, port2 } = new MessageChannel();
    this.#answers = port1;
    this.#answers.unref();
    this.#worker.postMessage({ answers: port2 } satisfies ToThread, [port2]);
    this.#worker.on("message", (message: FromThread) => this.#take(message));
    this.#worker.on("error", (error) => void this.end(noThread(error)));
    this.#worker.on("exit", () => void this.end(noThread(undefined)));
    this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** True once a script took so much memory that the thread is not to keep it: WebAssembly gives none back. */
  get isLarge(): boolean {
    return this.#calls.memoryBytes > MAX_KEPT_BYTES;
  }

  /**
   * Has the thread do commands, and gives what the last one gives.
   *
   * @param source - answers what it asks meanwhile
   * @throws what a command threw, or why the thread was ended: {LimitError} `TRACER_LIMIT`, `EXECUTION_TIMEOUT`,
   * `EXECUTION_ABORTED`; {UnsupportedError} `UNSUPPORTED` for a thread that could not start, or broke
   */
  ask(commands: readonly Command[], source: StateSource, bounds: ScriptBounds): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end.reason);
      this.#worker.ref();
      this.#watch = setInterval(() => this.#look(), WATCH_MS);
      this.#pending = { id: this.#post(commands), bounds, source, resolve, reject };
    });
  }

  /** Has the thread do commands that nobody waits for. */
  tell(commands: readonly Command[]): void {
    if (this.#end === undefined) this.#post(commands);
  }

  #post(commands: readonly Command[]): number {
    const id = ++this.#lastId;
    this.#worker.postMessage({ id, commands } satisfies ToThread);
    return id;
  }

  #take(message: FromThread): void {
    if ("question" in message) {
      void this.#answer(message.question);
      return;
    }
    const pending = this.#pending;
    if (pending?.id !== message.id) return;
    this.#rest();
    if ("value" in message) pending.resolve(message.value);
    else pending.reject(message.isOfState ? this.#stateError : unpackError(message.error));
  }

  async #answer(question: Question): Promise<void> {
    let answer: Answer;
    try {
      answer = { value: await this.#pending?.source.answer(question) };
    } catch (error) {
      this.#stateError = error;
      answer = { error: packError(error) };
    }
    this.#answers.postMessage(answer);
    const answered = new Int32Array(this.#answered);
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  }

  #look(): void {
    const overdue = this.#calls.overdue();
    if (overdue !== undefined && overdue.overMs > GRACE_MS) {
      void this.end(ranTooLong(overdue.name, timeOf(overdue.name)));
      return;
    }
    try {
      if (this.#pending !== undefined) checkBounds(this.#pending.bounds);
    } catch (error) {
      void this.end(error);
    }
  }

  /** Nobody waits for the thread: it does not keep the process alive. */
  #rest(): void {
    clearInterval(this.#watch);
    this.#pending = undefined;
    this.#worker.unref();
  }

  /** Ends the thread, whatever it does. Who waits for it gets the reason. Idempotent. */
  async end(reason: unknown): Promise<void> {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    const pending = this.#pending;
    this.#rest();
    this.#answers.close();
    pending?.reject(reason);
    await this.#worker.terminate();
  }
}

function noThread(cause: unknown): UnsupportedError {
  return new UnsupportedError({
    code: "UNSUPPORTED",
    what: "The thread that JavaScript tracers run in could not be started, or ended.",
    where: cause instanceof Error ? cause.message : "It says no reason",
    fix: "Use one of the built-in tracers, or give the process more memory.",
    cause,
  });
}
