/** Threads for slow precompile computations. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { ThreadPool } from "../../../primitives/platform/thread-pool.ts";
import { type Answer, type AnswerData, openAnswers, PARTS, type Parts } from "./answers.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** A message to a thread; the reply is the answer. */
interface Task {
  readonly home: number;
  readonly input: Bytes;
}

/**
 * Start data of a thread: the address of this file, from which packages are resolved, and the data of {@link
 * openAnswers}.
 */
interface ThreadData {
  readonly from: string;
  readonly blake2f: Bytes;
  readonly curves: AnswerData["curves"];
}

export class AnswerThreads {
  readonly #pool: ThreadPool<Task, PrecompileAnswer>;

  constructor({ blake2f, curves }: AnswerData) {
    const data = (): ThreadData => ({ from: import.meta.url, blake2f: blake2f(), curves });
    this.#pool = new ThreadPool({ subject: "precompile", program, data });
  }

  /** Computes an answer; see {@link ThreadPool.run}. The input is copied synchronously. */
  run(home: number, input: Bytes, signal?: AbortSignal): Promise<PrecompileAnswer> {
    return this.#pool.run({ home, input: input.slice() }, signal);
  }

  /** Terminates all threads. Pending answers are rejected. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Source of a thread's script. */
function program(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part.toString()}`);
  return `(${serve.toString()})({ ${parts.join(", ")} }, ${openAnswers.toString()})`;
}

/** Passed as source text, so it refers to nothing outside the function. */
function serve(parts: Parts, open: (parts: Parts, load: NodeJS.Require, data: AnswerData) => Answer): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { from, blake2f, curves } = workerData as ThreadData;
  const load = process.getBuiltinModule("node:module").createRequire(from);
  const answer = open(parts, load, { blake2f: () => blake2f, curves });
  parentPort?.on("message", ({ home, input }: Task) => {
    parentPort.postMessage(answer(home, input));
  });
}
