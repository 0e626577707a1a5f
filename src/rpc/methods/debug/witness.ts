/** debug_executionWitness, in reth's shape. */
import { encodeExecutionWitness } from "../../encode/execution-witness.ts";
import { method, required } from "../../method.ts";
import { blockHash, blockNumberOrTag } from "../../schema/primitives.ts";

export const executionWitness = method({
  name: "debug_executionWitness",
  summary: "Trie nodes, codes, keys and headers that a block's execution reads, for stateless execution.",
  params: [required("block", blockNumberOrTag)],
  run: ({ witnesses }, [id]) => witnesses.witness(id),
  encode: encodeExecutionWitness,
});

export const executionWitnessByBlockHash = method({
  name: "debug_executionWitnessByBlockHash",
  summary: "The same by block hash.",
  params: [required("blockHash", blockHash)],
  run: ({ witnesses }, [id]) => witnesses.witness(id),
  encode: encodeExecutionWitness,
});
