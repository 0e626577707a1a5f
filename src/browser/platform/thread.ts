/**
 * A node in a browser starts no threads: pages that may share memory with a worker are rare. The node itself runs in a
 * worker. Counterpart of `primitives/platform/thread.ts`.
 */
import type { ThreadKind, ThreadOptions } from "../../primitives/platform/thread.ts";

/** The kinds of work that threads do. */
export type { ThreadKind };

/** Whether there is a program of threads. */
export const canStartThreads = (): boolean => false;

/** One: a second thread would do nothing sooner. */
export const processorCount = (): number => 1;

/** Cannot be made. */
export class Thread {
  readonly ended = undefined;
  isNeeded = false;

  /** @throws the error that {@link ThreadOptions.failed} makes */
  constructor({ failed }: ThreadOptions) {
    throw failed(new Error("A browser runs no threads of this library."));
  }

  post(_message: unknown): void {}

  async end(_reason: unknown): Promise<void> {}
}
