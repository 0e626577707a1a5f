/** The witness of a block as JSON, in reth's shape. */
import { encodeHeader } from "../../../chainspec/header/header.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { ExecutionWitness } from "../../../services/simulate/debug/witness.ts";
import type { ExecutionWitness as ExecutionWitnessJson } from "../../wire-types.ts";

/** Headers are RLP, the others as they are hashed. */
export function encodeExecutionWitness({ trieNodes, codes, keys, headers }: ExecutionWitness): ExecutionWitnessJson {
  return {
    state: trieNodes.map(encodeData),
    codes: codes.map(encodeData),
    keys: keys.map(encodeData),
    headers: headers.map((header) => encodeData(encodeHeader(header))),
  };
}
