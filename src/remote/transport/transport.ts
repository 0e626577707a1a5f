/** A way to an upstream node: JSON-RPC requests out, what came back in. Knows no pace and no retries. */

/** One request, as it is sent. */
export interface RpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The error member of an answer. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer to one request. */
export interface RpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: RpcError | undefined;
}

/** What came back for one message. */
export interface TransportReply {
  /** In whatever order. Undefined where nothing of the kind could be read. */
  readonly answers?: readonly RpcAnswer[] | undefined;
  /** Why there are no answers, in words, without secrets; undefined where there are. */
  readonly problem?: string | undefined;
  /** HTTP's, where the transport is HTTP. */
  readonly status?: number | undefined;
  /** How long the upstream asks to be left alone, milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** A connection to one upstream node, opened by the first message. */
export interface Transport {
  /** Without secrets. */
  readonly label: string;
  /** Most requests that one message may carry. */
  readonly maxBatch: number;
  /**
   * Sends one message and waits for what comes back.
   *
   * @throws {Error} where nothing comes back: no connection, a broken one, a time that is up
   */
  send(requests: readonly RpcRequest[], signal: AbortSignal): Promise<TransportReply>;
  close(): Promise<void>;
}

/** The answers that a parsed body holds; undefined where it is none of JSON-RPC. */
export function answersIn(body: unknown): readonly RpcAnswer[] | undefined {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.every(isAnswer) ? list : undefined;
}

function isAnswer(value: unknown): value is RpcAnswer {
  if (typeof value !== "object" || value === null) return false;
  if ("result" in value) return true;
  if (!("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
}
