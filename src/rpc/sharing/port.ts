/** What methods need of a chain that is shared, or that follows another one. The composition root implements the port. */
import { type HindcastError, UnsupportedError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { RequestContext, Session } from "../../server/handler.ts";
import type { ForwardedAnswer, SharedChain } from "../../sharing/shared-chain.ts";
import type { StreamPosition } from "../../sharing/stream-position.ts";
import type { ResponseShape } from "../encode/shape.ts";

/** The part of a node among those that share a chain. */
export interface SharingStatus {
  readonly role: "writer" | "reader" | "standby";
  readonly position: StreamPosition;
  /** Of a reader: the number of the writer's entries, as far as it is known. */
  readonly writerSequence: bigint;
  /** Of a reader: the writer's address without credentials. */
  readonly writer: string | undefined;
  /** Number of the writer's term, where a chain can have several writers. */
  readonly epoch: bigint | undefined;
  /** Of a reader: why it does not follow now; undefined if it does. Of a writer: why it does not answer now. */
  readonly problem: string | undefined;
}

/** Port of `RpcContext`. */
export interface Sharing {
  readonly status: SharingStatus;
  /** Undefined at a reader. */
  readonly shared: SharedChain | undefined;
  /**
   * Makes this node the writer of its chain.
   *
   * @throws {UnsupportedError} `TAKE_OVER_REFUSED`
   */
  takeOver(): Promise<void>;
  /** Runs a method by its name, as a client's request. */
  readonly run: (method: string, params: unknown, call: RequestContext) => Promise<unknown>;
}

/**
 * The chain, for a node that follows it.
 *
 * @throws {UnsupportedError} `CHAIN_NOT_SHARED`, `SHARE_TOKEN_WRONG`
 */
export function requireShared(sharing: Sharing | undefined, token: string): SharedChain {
  const shared = sharing?.shared;
  if (shared === undefined) throw notShared();
  shared.checkToken(token);
  return shared;
}

/**
 * Sends binary messages to a node that follows.
 *
 * @throws {UnsupportedError} `CHAIN_NOT_SHARED` over anything but WebSocket
 */
export function binaryMessages(session: Session | undefined): (bytes: Bytes) => void {
  if (session?.sendBytes === undefined) {
    throw new UnsupportedError({
      code: "CHAIN_NOT_SHARED",
      what: "The stream of a shared chain is given over WebSocket only.",
      fix: "Follow it with hindcast --follow URL, which asks over WebSocket.",
    });
  }
  return (bytes) => session.sendBytes?.(bytes);
}

function notShared(): UnsupportedError {
  return new UnsupportedError({ code: "CHAIN_NOT_SHARED", what: "This node does not share its chain." });
}

/** Makes a node the writer of its chain. @throws {UnsupportedError} `CHAIN_NOT_SHARED`, `TAKE_OVER_REFUSED` */
export async function takeOver(sharing: Sharing | undefined): Promise<true> {
  if (sharing === undefined) throw notShared();
  await sharing.takeOver();
  return true;
}

/** A request that a reader was asked. */
export interface ForwardedRequest {
  readonly token: string;
  readonly position: StreamPosition;
  readonly method: string;
  readonly params: unknown;
  readonly shape: ResponseShape;
}

/** The call that carries it. */
export interface CarryingCall {
  readonly signal: AbortState;
  readonly session: Session | undefined;
  readonly afterAnswer: (task: () => void) => void;
}

/** The result of a forwarded request, or its error. */
export type ForwardedOutcome = { readonly result: unknown } | { readonly error: HindcastError };

/** Runs a forwarded request. */
export function answerForwarded(
  sharing: Sharing | undefined,
  { token, position, method, params, shape }: ForwardedRequest,
  { signal, session, afterAnswer }: CarryingCall,
): Promise<ForwardedAnswer<ForwardedOutcome>> {
  const shared = requireShared(sharing, token);
  return shared.answer(position, async () => {
    try {
      const context = { signal, afterAnswer, responseShape: shape, ...(session === undefined ? {} : { session }) };
      return { result: await sharing?.run(method, params, context) };
    } catch (error) {
      // The dispatcher throws nothing else.
      return { error: error as HindcastError };
    }
  });
}
