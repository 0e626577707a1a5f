/**
 * Threads. All of them run one program, `node/worker.ts`, which loads what a kind of work needs. It is a file of its own,
 * because a thread begins with a file.
 */
import type { Transferable, Worker } from "node:worker_threads";
import { builtFile, isBuilt } from "./built-files.ts";

const PROGRAM = "worker.js";

/** The kinds of work that threads do. */
export type ThreadKind = "precompiles" | "proofs" | "scripts" | "signers";

/** The data with which a thread is started. */
interface ThreadStart {
  readonly kind: ThreadKind;
  readonly data: unknown;
}

/** Opens a kind of work in its thread. It gives a function that answers each message, or listens to messages itself. */
type OpenWork = (data: never) => Promise<((message: never) => unknown) | undefined>;

/** Whether the program of the threads exists. It does not in a bundle that others made of this library. */
export const canStartThreads = (): boolean => isBuilt(PROGRAM);

/** Number of processors, at least 1. */
export const processorCount = (): number => process.getBuiltinModule("node:os").availableParallelism();

/** A thread's work, and the functions of its owner that are called. */
export interface ThreadOptions {
  readonly kind: ThreadKind;
  /** Structured-cloneable. */
  readonly data?: unknown;
  /** File of the program; default: the built one. */
  readonly program?: URL | undefined;
  onMessage(message: unknown): void;
  /** Called once, with the reason why the thread ended. */
  onEnd(reason: unknown): void;
  /** The error of a thread that could not start, failed (with the cause), or ended by itself (without). */
  failed(cause: unknown): Error;
}

/** One thread, which runs until {@link end}. It does not keep the process alive unless it is asked to. */
export class Thread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  #end: { readonly reason: unknown } | undefined;

  /** @throws the error that {@link ThreadOptions.failed} makes, if no thread can be started */
  constructor(options: ThreadOptions) {
    const { kind, data, program = builtFile(PROGRAM), failed } = options;
    const workerData: ThreadStart = { kind, data };
    const threads = process.getBuiltinModule("node:worker_threads");
    this.#options = options;
    try {
      // Without the arguments of this process, which may name loaders and debuggers.
      this.#worker = new threads.Worker(program, { workerData, execArgv: [] });
    } catch (error) {
      throw failed(error);
    }
    this.#worker.on("message", (message: unknown) => options.onMessage(message));
    this.#worker.on("error", (error) => void this.end(failed(error)));
    this.#worker.on("exit", () => void this.end(failed(undefined)));
    this.#worker.unref();
  }

  /** The reason why the thread ended; undefined while it runs. */
  get ended(): { readonly reason: unknown } | undefined {
    return this.#end;
  }

  /** Whether the thread keeps the process alive. */
  set isNeeded(isNeeded: boolean) {
    if (isNeeded) this.#worker.ref();
    else this.#worker.unref();
  }

  post(message: unknown, transferred: readonly Transferable[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  /** Terminates the thread. Idempotent. */
  async end(reason: unknown): Promise<void> {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.#worker.unref();
    this.#options.onEnd(reason);
    await this.#worker.terminate();
  }
}

/** Runs in a thread: opens its kind of work, and answers messages until the thread is terminated. */
export async function serveThread(works: Readonly<Record<ThreadKind, OpenWork>>): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { kind, data } = workerData as ThreadStart;
  const answer = await works[kind](data as never);
  if (answer === undefined) return;
  parentPort?.on("message", (message) => parentPort.postMessage(answer(message as never)));
}
