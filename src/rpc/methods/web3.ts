/** web3_* */

import { encodeData } from "../../primitives/bytes/hex.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { asIs } from "../encode/shape.ts";
import { method, required } from "../method.ts";
import { TEXT } from "../openrpc/json-schema.ts";
import { HASH } from "../openrpc/primitives.ts";
import { data } from "../schema/primitives.ts";

export const clientVersion = method({
  name: "web3_clientVersion",
  summary: "Name and version of this node.",
  params: [],
  result: TEXT,
  example: { params: [] },
  run: (context) => context.clientVersion,
  encode: asIs,
});

export const web3Sha3 = method({
  name: "web3_sha3",
  summary: "Keccak-256 of some bytes.",
  params: [required("data", data)],
  result: HASH,
  example: { params: ["0x68656c6c6f"] },
  run: (_context, [bytes]) => keccak256(bytes),
  encode: encodeData,
});
