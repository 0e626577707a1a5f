/** A request as it is handed to what may answer it in place of its method. */
import type { CallContext, Method } from "../method.ts";

/** A request whose parameters were checked. */
export interface AnswerRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  /** The parameters as the method takes them. */
  readonly values: readonly unknown[];
  /** The method's entry. */
  readonly entry: Method;
  readonly call: CallContext;
}
