/** Threads for slow precompile computations. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { Load } from "../../../primitives/platform/packages.ts";
import { ThreadPool } from "../../../primitives/platform/thread-pool.ts";
import { type AnswerData, openAnswers, PARTS, type Parts } from "./answers.ts";
import type { PrecompileAnswer } from "./precompile.ts";

/** A message to a thread; the reply is the answer. */
interface Task {
  readonly standardAddress: number;
  readonly input: Bytes;
}

/** The threads of an engine. They start at the first slow answer. */
export class AnswerThreads {
  readonly #pool: ThreadPool<Task, PrecompileAnswer>;

  constructor(data: AnswerData) {
    this.#pool = new ThreadPool({ subject: "precompile", program, data: () => data });
  }

  /** Computes an answer; see {@link ThreadPool.run}. The input is copied synchronously. */
  run(standardAddress: number, input: Bytes, signal?: AbortSignal): Promise<PrecompileAnswer> {
    return this.#pool.run({ standardAddress, input: input.slice() }, signal);
  }

  /** Terminates all threads. Pending answers are rejected. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The program of a thread, as text. */
function program(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part.toString()}`);
  return `(load, data) => (${serve.toString()})({ ${parts.join(", ")} }, ${openAnswers.toString()}, load, data)`;
}

/** Runs in a thread, which receives its source text. So it refers to nothing outside itself. */
function serve(parts: Parts, open: typeof openAnswers, load: Load, data: AnswerData): (task: Task) => PrecompileAnswer {
  const answer = open(parts, load, data);
  return ({ standardAddress, input }) => answer(standardAddress, input);
}
