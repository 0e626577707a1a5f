/**
 * The main thread's side of one script thread: sends commands, watches the time, and terminates the thread if a script
 * takes too long.
 */
import type { MessagePort } from "node:worker_threads";
import { UnsupportedError } from "../../../errors/hindcast-error.ts";
import type { EngineName } from "../../../evm/engine.ts";
import { Thread } from "../../../primitives/platform/thread.ts";
import type { PooledThread } from "../../../primitives/platform/thread-pool.ts";
import { checkBounds, GRACE_MS, ranTooLong, timeOf } from "../script-limits.ts";
import type { ScriptBounds } from "../scripts.ts";
import { CallRecord } from "./call-record.ts";
import type { Answer, Command, FromThread, Question, ThreadData, ToThread } from "./protocol.ts";
import { deserializeError, serializeError } from "./serialized-error.ts";
import type { StateSource } from "./state-source.ts";

/** Milliseconds between two checks of the script's time. */
const WATCH_MS = 20;
/** Most bytes of a sandbox whose thread is used again. An instance of QuickJS takes 16 MiB by itself. */
const MAX_REUSED_BYTES = 32 * 1024 * 1024;

/** A list of commands in execution. */
interface Pending {
  readonly id: number;
  readonly bounds: ScriptBounds;
  readonly source: StateSource;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A script thread. It serves one transaction at a time, and runs until {@link end}. */
export class ScriptThread implements PooledThread {
  readonly engine: EngineName;
  readonly #thread: Thread;
  readonly #calls = new CallRecord();
  readonly #answered = new SharedArrayBuffer(4);
  readonly #answers: MessagePort;
  #pending: Pending | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lastId = 0;
  /** Error with which the last question failed. */
  #stateError: unknown;

  /**
   * @param program - file of the threads' program; default: the built one
   * @throws {UnsupportedError} `UNSUPPORTED` if no thread can be started
   */
  constructor({ engine, limits }: Pick<ThreadData, "engine" | "limits">, program?: URL) {
    this.engine = engine;
    const data: ThreadData = { engine, limits, calls: this.#calls.memory, answered: this.#answered };
    const { port1, port2 } = new (process.getBuiltinModule("node:worker_threads").MessageChannel)();
    this.#answers = port1;
    this.#answers.unref();
    this.#thread = new Thread({
      kind: "scripts",
      data,
      program,
      onMessage: (message) => this.#receive(message as FromThread),
      onEnd: (reason) => this.#onEnd(reason),
      failed: threadFailed,
    });
    this.#thread.post({ answers: port2 } satisfies ToThread, [port2]);
  }

  get ended(): PooledThread["ended"] {
    return this.#thread.ended;
  }

  /**
   * True if a script used so much memory that the thread must not be used again, because WebAssembly memory never shrinks.
   */
  get isLarge(): boolean {
    return this.#calls.memoryBytes > MAX_REUSED_BYTES;
  }

  /**
   * Runs commands in the thread and returns the result of the last one.
   *
   * @param source - answers the thread's questions
   * @throws the error of a command, or the reason why the thread was terminated: {LimitError} `TRACER_LIMIT`,
   * `EXECUTION_TIMEOUT`, `EXECUTION_ABORTED`; {UnsupportedError} `UNSUPPORTED` if the thread could not start or crashed
   */
  ask(commands: readonly Command[], source: StateSource, bounds: ScriptBounds): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(this.ended.reason);
      this.#thread.isNeeded = true;
      this.#watch = setInterval(() => this.#checkTimes(), WATCH_MS);
      this.#pending = { id: this.#post(commands), bounds, source, resolve, reject };
    });
  }

  /** Runs commands in the thread without waiting for them. */
  tell(commands: readonly Command[]): void {
    if (this.ended === undefined) this.#post(commands);
  }

  #post(commands: readonly Command[]): number {
    const id = ++this.#lastId;
    this.#thread.post({ id, commands } satisfies ToThread);
    return id;
  }

  #receive(message: FromThread): void {
    if ("question" in message) {
      void this.#answer(message.question);
      return;
    }
    const pending = this.#pending;
    if (pending?.id !== message.id) return;
    this.#endCommands();
    if ("value" in message) pending.resolve(message.value);
    else pending.reject(message.isOfState ? this.#stateError : deserializeError(message.error));
  }

  async #answer(question: Question): Promise<void> {
    let answer: Answer;
    try {
      answer = { value: await this.#pending?.source.answer(question) };
    } catch (error) {
      this.#stateError = error;
      answer = { error: serializeError(error) };
    }
    this.#answers.postMessage(answer);
    const answered = new Int32Array(this.#answered);
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  }

  #checkTimes(): void {
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

  /** Ends a list of commands. The thread does not keep the process alive until the next one. */
  #endCommands(): void {
    clearInterval(this.#watch);
    this.#pending = undefined;
    this.#thread.isNeeded = false;
  }

  /** Terminates the thread. Pending calls are rejected with the reason. Idempotent. */
  end(reason: unknown): Promise<void> {
    return this.#thread.end(reason);
  }

  #onEnd(reason: unknown): void {
    const pending = this.#pending;
    this.#endCommands();
    this.#answers.close();
    pending?.reject(reason);
  }
}

function threadFailed(cause: unknown): UnsupportedError {
  return new UnsupportedError({
    code: "UNSUPPORTED",
    what: "The thread that JavaScript tracers run in could not be started, or ended.",
    where: cause instanceof Error ? cause.message : "It gave no reason",
    fix: "Use one of the built-in tracers, or give the process more memory.",
    cause,
  });
}
