/** net_* */
import { method } from "../method.ts";

export const netVersion = method({
  name: "net_version",
  summary: "Chain id as a decimal string.",
  params: [],
  run: (context) => context.chainId.toString(),
  encode: (version) => version,
});
