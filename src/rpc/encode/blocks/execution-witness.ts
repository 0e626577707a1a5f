/** The witness of a block as JSON, in reth's shape. */
import { encodeHeader } from "../../../chainspec/header/header.ts";
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { ExecutionWitness } from "../../../services/simulate/debug/witness.ts";

/** The answer of `debug_executionWitness`: trie nodes, codes, preimages of keys, and headers. */
export interface ExecutionWitnessJson {
  state: Hex[];
  codes: Hex[];
  keys: Hex[];
  /** RLP */
  headers: Hex[];
}

/** Headers are RLP, the others as they are hashed. */
export function encodeExecutionWitness({ trieNodes, codes, keys, headers }: ExecutionWitness): ExecutionWitnessJson {
  return {
    state: trieNodes.map(encodeData),
    codes: codes.map(encodeData),
    keys: keys.map(encodeData),
    headers: headers.map((header) => encodeData(encodeHeader(header))),
  };
}
