/** eth_*: the requests of proof-of-work miners. This node gives them no work, even before the Merge. */
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { asIs } from "../../encode/shape.ts";
import { method, required } from "../../method.ts";
import { arrayOf, BOOLEAN } from "../../openrpc/json-schema.ts";
import { HASH, QUANTITY } from "../../openrpc/primitives.ts";
import { data, hash, quantity } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const hashrate = method({
  name: "eth_hashrate",
  summary: "Always zero: proof of work is not done.",
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: () => 0n,
  encode: encodeQuantity,
});

export const getWork = method({
  name: "eth_getWork",
  summary: "An empty list, as Ganache answers: there is no work, since blocks are sealed without it.",
  params: [],
  result: arrayOf(HASH),
  example: { params: [] },
  run: () => [],
  encode: (): string[] => [],
});

export const submitWork = method({
  name: "eth_submitWork",
  summary: "Always false: no work was given out.",
  params: [required("nonce", data), required("headerHash", hash), required("mixHash", hash)],
  result: BOOLEAN,
  example: { params: ["0x0000000000000001", EXAMPLE.word, EXAMPLE.word] },
  run: () => false,
  encode: asIs,
});

export const submitHashrate = method({
  name: "eth_submitHashrate",
  summary: "Always false: there is no mining by proof of work.",
  params: [required("hashrate", quantity), required("id", hash)],
  result: BOOLEAN,
  example: { params: ["0x500000", EXAMPLE.word] },
  run: () => false,
  encode: asIs,
});
