/** Threads that compute the answers which take long. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { ThreadPool } from "../../../primitives/platform/thread-pool.ts";
import { type Answer, type AnswerData, openAnswers, PARTS, type Parts } from "./answers.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** What a thread is sent; it sends back the answer. */
interface Task {
  readonly home: number;
  readonly input: Bytes;
}

/** What a thread is started with: the address of this file, from where packages are found, and what answers are made of. */
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

  /** Computes an answer; see {@link ThreadPool.run}. The input is copied before this returns. */
  run(home: number, input: Bytes, signal?: AbortSignal): Promise<PrecompileAnswer> {
    return this.#pool.run({ home, input: input.slice() }, signal);
  }

  /** Ends all threads. Answers that are not there yet are rejected. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The program of a thread, as a script. */
function program(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part.toString()}`);
  return `(${serve.toString()})({ ${parts.join(", ")} }, ${openAnswers.toString()})`;
}

/** Travels as text: it names nothing outside of itself. */
function serve(parts: Parts, open: (parts: Parts, load: NodeJS.Require, data: AnswerData) => Answer): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { from, blake2f, curves } = workerData as ThreadData;
  const load = process.getBuiltinModule("node:module").createRequire(from);
  const answer = open(parts, load, { blake2f: () => blake2f, curves });
  parentPort?.on("message", ({ home, input }: Task) => {
    parentPort.postMessage(answer(home, input));
  });
}
