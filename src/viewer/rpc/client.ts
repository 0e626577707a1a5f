/**
 * Sends requests to the node that served the page. Requests of the same turn of the event loop are sent as one batch.
 */

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

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Waiting {
  readonly method: string;
  readonly params: readonly unknown[];
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
  const requests = batch.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  try {
    const response = await fetch("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw new Error(`The node answered with HTTP status ${response.status}.`);
    const answers = [(await response.json()) as Answer | readonly Answer[]].flat() as readonly Answer[];
    for (const { id, result, error } of answers) {
      if (error === undefined) batch[id]?.resolve(result);
      else batch[id]?.reject(new RpcError(error));
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
