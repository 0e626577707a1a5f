/** trace_*OpcodeGas: reth's count of opcodes and their gas. */
import { nullable } from "../encode/shape.ts";
import { encodeBlockOpcodeGas, encodeTransactionOpcodeGas } from "../encode/traces/opcode-gas.ts";
import { method, required } from "../method.ts";
import { blockId, hash } from "../schema/primitives.ts";

export const traceBlockOpcodeGas = method({
  name: "trace_blockOpcodeGas",
  summary: "How often each opcode ran in a block's transactions, and the gas it was charged.",
  params: [required("block", blockId)],
  run: ({ opcodeGas }, [id], { signal }) => opcodeGas.block(id, { signal }),
  encode: nullable(encodeBlockOpcodeGas),
});

export const traceTransactionOpcodeGas = method({
  name: "trace_transactionOpcodeGas",
  summary: "How often each opcode ran in a mined transaction, and the gas it was charged.",
  params: [required("transactionHash", hash)],
  run: ({ opcodeGas }, [txHash], { signal }) => opcodeGas.transaction(txHash, { signal }),
  encode: nullable(encodeTransactionOpcodeGas),
});
