import type { RpcContext } from "../context.ts";

/** Loads the code of {@link RpcContext.analysis}, for methods that ask a service of it. */
export const loadAnalysis = ({ analysis }: RpcContext): Promise<unknown> => analysis();
