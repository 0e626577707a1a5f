/**
 * The port to which the server passes requests. The server handles bytes, sizes, hosts and origins; the handler
 * interprets the text. So this folder imports nothing of JSON-RPC.
 */
import type { AbortState } from "../primitives/abort-state.ts";

/** The context of a request. */
export interface RequestContext {
  /** `parity` at the path `/v4/<network>/non-archival/mainnet`, else `standard`. */
  readonly responseShape: "standard" | "parity";
  /** True on a server whose explorer is read-only. */
  readonly isReadOnly?: boolean;
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortState;
  /** Present on connections that stay open: notifications are sent to it. */
  readonly session?: Session;
  /** Runs a task after the answer was written, so that messages of the task follow it. Tasks run in their order. */
  readonly afterAnswer?: (task: () => void) => void;
}

/** A connection that outlives one request. */
export interface Session {
  readonly id: number;
  /** Sends one text message; dropped if the connection is closed. */
  send(text: string): void;
  /** Sends one binary message; dropped if the connection is closed. Undefined where messages are text. */
  sendBytes?(bytes: Uint8Array): void;
  /** Resolves when everything sent was received, where the sender can know: in process. Undefined: nothing waits. */
  received?(): Promise<void> | undefined;
  /** Calls a listener once when the connection is closed. */
  onClose(listener: () => void): void;
}

/** An answer: a whole text; a text in pieces (long results, written with backpressure); or undefined (notifications). */
export type Answer = string | AsyncIterable<string> | undefined;

/** Called with errors that the client does not get: an answer that broke off, or a bug. */
export type OnError = (error: unknown) => void;

/** Why a body is not read: it is too long, or there is too much of all clients together. */
export type BodyRefusal = "bodyTooLarge" | "bodiesTooLarge";

/** Implemented by `rpc/dispatch.ts`. */
export interface RequestHandler {
  /** Answers one request body. Never rejects: errors become answers. */
  handle(text: string, context: RequestContext): Promise<Answer>;
  /** The answer to a body that the server refuses to read. */
  refuse(reason: BodyRefusal, limitBytes: number): string;
  /** Called after a connection has ended, whatever was read or written on it. */
  disconnected?(): void;
}
