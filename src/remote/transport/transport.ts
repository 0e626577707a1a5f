/**
 * The transport port: sends JSON-RPC requests to an upstream node and returns the answers. It neither paces nor repeats
 * them.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { redactText } from "./redact.ts";

/** Most bytes of a reply, unpacked; a block with its transactions takes a few MB. */
export const MAX_REPLY_BYTES = 256 * 1024 * 1024;

/** A request as it is sent. */
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

/** The reply to one message. */
export interface TransportReply {
  /** In any order. Undefined if the reply contains none. */
  readonly answers?: readonly RpcAnswer[] | undefined;
  /** Binary messages that came before it, over a connection that was opened for them. */
  readonly binary?: readonly Bytes[] | undefined;
  /** Reason why there are no answers, without secrets; undefined if there are. */
  readonly problem?: string | undefined;
  /** HTTP status, if the transport is HTTP. */
  readonly status?: number | undefined;
  /** Milliseconds for which the node asks not to be called. */
  readonly retryAfterMs?: number | undefined;
}

/** A connection to one upstream node. It is opened for the first message. */
export interface Transport {
  /** Without secrets. */
  readonly label: string;
  /** Most requests that one message may carry. */
  readonly maxBatch: number;
  /**
   * Sends one message and waits for the reply.
   *
   * @throws {Error} if there is no reply: no connection, a broken one, or a timeout
   */
  send(requests: readonly RpcRequest[], signal: AbortSignal): Promise<TransportReply>;
  close(): Promise<void>;
}

/**
 * The answers in a parsed body; undefined if it is not JSON-RPC.
 *
 * @param secrets - removed from errors: some providers repeat a key that they refuse
 */
export function answersIn(body: unknown, secrets: readonly string[]): readonly RpcAnswer[] | undefined {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (!list.every(isAnswer)) return undefined;
  return list.map((answer) => (answer.error == null ? answer : { ...answer, error: safeError(answer.error, secrets) }));
}

function safeError({ code, message, data }: RpcError, secrets: readonly string[]): RpcError {
  const text = JSON.stringify(data) ?? "";
  return { code, message: redactText(message, secrets), data: redactText(text, secrets) === text ? data : undefined };
}

function isAnswer(value: unknown): value is RpcAnswer {
  if (typeof value !== "object" || value === null) return false;
  if ("result" in value) return true;
  if (!("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
}
