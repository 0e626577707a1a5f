/** What methods are told of a request. Its signal is made by the server when somebody asks for it, which few methods do. */
import type { RequestContext } from "../server/handler.ts";
import type { PieceReader } from "../services/simulate/second-run.ts";
import type { CallContext } from "./method.ts";

/** A request of the server's as methods see it. */
export function callOf(request: RequestContext): CallContext {
  return {
    get signal() {
      return request.signal;
    },
    responseShape: request.responseShape,
    session: request.session,
    afterAnswer: request.afterAnswer ?? ((task) => task()),
  };
}

/** The same call with a reader. Written out, as a spread would ask for the signal. */
export function readBy(reader: PieceReader, call: CallContext): CallContext {
  return {
    get signal() {
      return call.signal;
    },
    responseShape: call.responseShape,
    session: call.session,
    afterAnswer: call.afterAnswer,
    reader,
  };
}
