/** net_* */
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import { asIs } from "../encode/shape.ts";
import { method } from "../method.ts";
import { BOOLEAN } from "../openrpc/json-schema.ts";
import { DECIMAL, QUANTITY } from "../openrpc/primitives.ts";

export const netVersion = method({
  name: "net_version",
  summary:
    "Network id as a decimal string: the forked chain's on a fork, otherwise the chain id, unless the option networkId names one.",
  params: [],
  result: DECIMAL,
  example: { params: [] },
  run: (context) => String(context.networkId),
  encode: asIs,
});

export const netListening = method({
  name: "net_listening",
  summary: "Always true.",
  params: [],
  result: BOOLEAN,
  example: { params: [] },
  run: () => true,
  encode: asIs,
});

export const netPeerCount = method({
  name: "net_peerCount",
  summary: "Always zero: this node has no peers.",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: () => 0n,
  encode: encodeQuantity,
});
