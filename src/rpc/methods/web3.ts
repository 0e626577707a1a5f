/** web3_* */
import { method } from "../method.ts";

export const clientVersion = method({
  name: "web3_clientVersion",
  summary: "Name and version of this node.",
  params: [],
  run: (context) => context.clientVersion,
  encode: (version) => version,
});
