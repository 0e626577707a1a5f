/** Sends requests to the node of the page. Requests of the same turn of the event loop are sent as one batch. */
import { connection, type PageRequest } from "./connection.ts";

/** An error response of the node. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** No answer came: the node is away, or something between it and the page is. */
export class NoAnswerError extends Error {
  constructor(cause: unknown) {
    super("The node does not answer. The page loads this again when it is back.", { cause });
  }
}

interface Waiting extends PageRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Most requests in one batch. */
const MOST_IN_A_BATCH = 100;

class Client {
  #waiting: Waiting[] = [];

  /** @throws {RpcError} if the node answers with an error */
  ask<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush());
      this.#waiting.push({ method, params, resolve: resolve as (result: unknown) => void, reject });
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < waiting.length; start += MOST_IN_A_BATCH) {
      void send(waiting.slice(start, start + MOST_IN_A_BATCH));
    }
  }
}

async function send(batch: readonly Waiting[], signal?: AbortSignal): Promise<void> {
  const requests = batch.map(({ method, params }) => ({ method, params }));
  try {
    const answers = await connection().send(requests, signal);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index];
      if (answer?.error !== undefined) reject(new RpcError(answer.error));
      else if (answer !== undefined) resolve(answer.result);
    }
  } catch (error) {
    // What fetch throws for a connection that is refused or cut off.
    const failure = error instanceof TypeError ? new NoAnswerError(error) : (error as Error);
    const reason = signal?.aborted === true ? new Error("It was stopped.", { cause: error }) : failure;
    for (const { reject } of batch) reject(reason);
  }
}

const client = new Client();

/** Calls a method of the node. */
export const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
  client.ask<Result>(method, ...params);

/** Calls a method in a request of its own, which can be stopped: the node ends what it does for it. */
export function askAlone<Result>(signal: AbortSignal, method: string, ...params: readonly unknown[]): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    void send([{ method, params, resolve: resolve as (result: unknown) => void, reject }], signal);
  });
}
