/** The witness of a block as JSON, in reth's shape. */
import { encodeHeader } from "../../../chainspec/header/header.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { ExecutionWitness } from "../../../services/simulate/debug/witness.ts";
import { arrayOf, named, object } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import type { ExecutionWitness as ExecutionWitnessJson } from "../../wire-types.generated.ts";

export const executionWitnessSchema = named("ExecutionWitness", () =>
  object({ state: arrayOf(DATA), codes: arrayOf(DATA), keys: arrayOf(DATA), headers: arrayOf(DATA) }),
);

/** Headers are RLP, the others as they are hashed. */
export function encodeExecutionWitness({ trieNodes, codes, keys, headers }: ExecutionWitness): ExecutionWitnessJson {
  return {
    state: trieNodes.map(encodeData),
    codes: codes.map(encodeData),
    keys: keys.map(encodeData),
    headers: headers.map((header) => encodeData(encodeHeader(header))),
  };
}
