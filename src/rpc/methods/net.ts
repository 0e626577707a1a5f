/** net_* */
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import { asIs } from "../encode/shape.ts";
import { method } from "../method.ts";
import { BOOLEAN, ref } from "../openrpc/json-schema.ts";

export const netVersion = method({
  name: "net_version",
  summary: "Chain id as a decimal string.",
  params: [],
  result: ref("Decimal"),
  run: (context) => context.chainId.toString(),
  encode: asIs,
});

export const netListening = method({
  name: "net_listening",
  summary: "Always true.",
  params: [],
  result: BOOLEAN,
  run: () => true,
  encode: asIs,
});

export const netPeerCount = method({
  name: "net_peerCount",
  summary: "Always zero: this node has no peers.",
  params: [],
  run: () => 0n,
  encode: encodeQuantity,
});
