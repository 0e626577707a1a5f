/** Parts that connections to a WebSocket and to a socket file share. */
import type { OnError, RequestHandler } from "../handler.ts";
import type { RequestsInHand } from "./request-queue.ts";
import type { WaitingAnswers } from "./waiting-answers.ts";

/** The handler of a server, and the limits of its lasting connections: WebSockets, or clients of a socket file. */
export interface ConnectionOptions {
  readonly handler: RequestHandler;
  /** Most waiting bytes of all clients before the slowest is disconnected; default 64 MiB. */
  readonly maxWaitingBytes?: number;
  /**
   * Most bytes of requests of all clients that are not yet answered; default 64 MiB. Beyond it, each client has one
   * request answered at a time.
   */
  readonly maxBytesInHand?: number;
  /** Most concurrent requests of one connection; default 128. */
  readonly maxConcurrentRequests?: number;
  /** Milliseconds after which a client that reads nothing of waiting data is disconnected; default 30,000. */
  readonly stallTimeoutMs?: number;
  /** Called with errors of answers that broke off, and with bugs; default: ignored. */
  readonly onError?: OnError;
}

/** The handler of requests, and the limits of one connection. */
export interface SessionOptions {
  readonly id: number;
  readonly handler: RequestHandler;
  /** Most waiting bytes. Beyond it reading pauses, and a notification disconnects the client. */
  readonly maxBufferBytes: number;
  /** Most concurrent requests of one connection; further ones are not read. */
  readonly maxConcurrentRequests: number;
  /** Milliseconds after which a client that reads nothing of waiting data is disconnected. */
  readonly stallTimeoutMs: number;
  /** Waiting bytes of all clients of the server. */
  readonly waiting: WaitingAnswers;
  /** Requests of all clients of the server. */
  readonly inHand: RequestsInHand;
  readonly onError: OnError;
}

/** Most tasks that wait for an answer; beyond it they run at once. */
const MAX_DEFERRED = 10_000;

/**
 * Tasks that wait until an answer is queued. If the answer is written in pieces, tasks added later run at once: their
 * messages are queued behind it.
 */
export class DeferredTasks {
  #waiting: (() => void)[] | undefined = [];

  readonly run = (task: () => void): void => {
    if (this.#waiting === undefined) task();
    else if (this.#waiting.push(task) > MAX_DEFERRED) this.release();
  };

  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const task of waiting) task();
  }
}
