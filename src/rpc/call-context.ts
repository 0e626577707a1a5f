/** Makes the call context of a method from the server's request. */
import type { RequestContext } from "../server/handler.ts";
import type { CallContext } from "./method.ts";

const runAtOnce = (task: () => void): void => task();

/** The call context of a request that came through a server. */
export function callOf(request: RequestContext): CallContext {
  return {
    signal: request.signal,
    responseShape: request.responseShape,
    session: request.session,
    afterAnswer: request.afterAnswer ?? runAtOnce,
  };
}
