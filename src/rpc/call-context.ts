/** What methods are told of a request. */
import type { RequestContext } from "../server/handler.ts";
import type { PieceReader } from "../services/simulate/replay/second-run.ts";
import type { CallContext } from "./method.ts";

/** A request of the server's as methods see it. */
export function callOf(request: RequestContext): CallContext {
  return {
    signal: request.signal,
    responseShape: request.responseShape,
    session: request.session,
    afterAnswer: request.afterAnswer ?? ((task) => task()),
  };
}

/** The same call with a reader. */
export function readBy(reader: PieceReader, call: CallContext): CallContext {
  return { ...call, reader };
}
