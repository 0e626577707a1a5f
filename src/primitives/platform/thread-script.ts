/** The scripts of threads that answer each message with one. Their programs travel as text, so that they need no files. */
import type { Worker } from "node:worker_threads";
import type { Load } from "./packages.ts";

/** The `workerData` of a thread. */
interface ThreadData {
  /** The address of the module that packages are found from. */
  readonly from: string;
  readonly data: unknown;
}

/** A thread's program: what it is given, and the answer to each message. */
type Program = (load: Load, data: unknown) => (message: unknown) => unknown;

/** Arguments with which a thread is started. */
export interface ThreadStart {
  readonly script: string;
  readonly options: { readonly eval: true; readonly workerData: ThreadData };
}

/**
 * The script of a thread and its options, for {@link Worker}.
 *
 * @param program - text of a function of `require` and of the data, which gives the function that answers messages
 */
export function threadStart(program: string, data?: unknown): ThreadStart {
  return {
    script: `(${serve.toString()})(${program})`,
    options: { eval: true, workerData: { from: import.meta.url, data } },
  };
}

/** Travels as text: it names nothing outside of itself. */
function serve(program: Program): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const { from, data } = workerData as ThreadData;
  const answer = program(process.getBuiltinModule("node:module").createRequire(from), data);
  parentPort?.on("message", (message: unknown) => parentPort.postMessage(answer(message)));
}
