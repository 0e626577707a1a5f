/** Gas by opcode as reth writes it: numbers are JSON numbers. */
import { instructionOf } from "../../../evm/instructions.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { BlockOpcodeGas, TransactionOpcodeGas } from "../../../services/simulate/trace/opcode-gas.ts";
import { arrayOf, INTEGER, named, object, TEXT } from "../../openrpc/json-schema.ts";
import { HASH } from "../../openrpc/primitives.ts";
import type {
  BlockOpcodeGas as BlockOpcodeGasJson,
  TransactionOpcodeGas as TransactionOpcodeGasJson,
} from "../../wire-types.generated.ts";

export const transactionOpcodeGasSchema = named("TransactionOpcodeGas", () =>
  object({
    transactionHash: HASH,
    opcodeGas: arrayOf(object({ opcode: TEXT, count: INTEGER, gasUsed: INTEGER })),
  }),
);

export const blockOpcodeGasSchema = named("BlockOpcodeGas", () =>
  object({
    blockHash: HASH,
    blockNumber: INTEGER,
    transactions: arrayOf(transactionOpcodeGasSchema),
  }),
);

/** The result of `trace_blockOpcodeGas`, in the order of the transactions. */
export function encodeBlockOpcodeGas({ block, transactions }: BlockOpcodeGas): BlockOpcodeGasJson {
  return {
    blockHash: encodeData(block.hash),
    blockNumber: Number(block.header.number),
    transactions: transactions.map(encodeTransactionOpcodeGas),
  };
}

/** Opcodes by their names; INVALID stands for all bytes that no hardfork defines. */
export function encodeTransactionOpcodeGas({ txHash, opcodes }: TransactionOpcodeGas): TransactionOpcodeGasJson {
  return {
    transactionHash: encodeData(txHash),
    opcodeGas: opcodes.map(({ opcode, count, gasUsed }) => ({ opcode: instructionOf(opcode).name, count, gasUsed })),
  };
}
