/**
 * The one function that the server hands requests to. The server knows bytes, sizes, hosts and origins; what the text
 * means is the handler's business, so this room imports nothing of JSON-RPC.
 */
import type { AbortState } from "../primitives/abort-state.ts";

/** What the handler is told about a request beside its text. */
export interface RequestContext {
  /** `parity` at the path form `/v4/<network>/non-archival/mainnet`, else `standard`. */
  readonly responseShape: "standard" | "parity";
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortState;
  /** Present on connections that can be written to at any time (WebSocket): where notifications go. */
  readonly session?: Session;
  /** Runs a task once the answer to this request is on its way: what the task sends comes after it. */
  readonly afterAnswer?: (task: () => void) => void;
}

/** A connection that outlives one request. */
export interface Session {
  readonly id: number;
  /** Sends one text message; dropped when the connection is closed. */
  send(text: string): void;
  /** Called once, when the connection is gone. */
  onClose(listener: () => void): void;
}

/**
 * An answer: whole text, as bytes where it was made as such; text in pieces (long results, written with backpressure);
 * or nothing to say (notifications).
 */
export type Answer = AnswerPiece | AsyncIterable<AnswerPiece> | undefined;

/** Part of an answer's text; bytes are UTF-8, of whole characters, and the server's to keep. */
export type AnswerPiece = string | Uint8Array;

/** Hears of what failed where its client is told no more than that: an answer that broke half way, or a bug. */
export type OnError = (error: unknown) => void;

export interface RequestHandler {
  /** Answers one request body. Never throws: errors are answers. */
  handle(text: string, context: RequestContext): Promise<Answer>;
  /** The answer to a body that the server refuses to read. */
  refuse(reason: "bodyTooLarge", limitBytes: number): string;
}
