/** Schemas of the traces of every tracer. */
import {
  ANYTHING,
  anyOf,
  arrayOf,
  INTEGER,
  type JsonSchema,
  mapOf,
  object,
  orNull,
  ref,
  TEXT,
} from "../json-schema.ts";
import { DATA, HASH, QUANTITY, WORD } from "./primitives.ts";

const FLAT_TRACE = {
  type: { type: "string", enum: ["call", "create", "suicide", "reward"] },
  action: mapOf(TEXT),
  subtraces: INTEGER,
  traceAddress: arrayOf(INTEGER),
};
const FLAT_TRACE_OPTIONAL = { result: orNull(mapOf(TEXT)), error: TEXT };
const delta = (value: JsonSchema): JsonSchema =>
  anyOf(
    { const: "=" },
    object({ "+": value }),
    object({ "-": value }),
    object({ "*": object({ from: value, to: value }) }),
  );

/** Schemas by name. */
export const TRACES: Readonly<Record<string, JsonSchema>> = {
  FlatTrace: object(FLAT_TRACE, FLAT_TRACE_OPTIONAL),
  LocalizedTrace: object(
    {
      ...FLAT_TRACE,
      blockHash: HASH,
      blockNumber: INTEGER,
    },
    { ...FLAT_TRACE_OPTIONAL, transactionHash: orNull(HASH), transactionPosition: orNull(INTEGER) },
  ),
  AccountDiff: object({
    balance: delta(QUANTITY),
    code: delta(DATA),
    nonce: delta(QUANTITY),
    storage: mapOf(delta(WORD), "^0x[0-9a-f]{64}$"),
  }),
  StateDiff: mapOf(ref("AccountDiff"), "^0x[0-9a-f]{40}$"),
  VmOperation: object(
    { pc: INTEGER, cost: INTEGER, ex: orNull({ type: "object" }), sub: orNull(ref("VmTrace")) },
    { op: TEXT, idx: TEXT },
  ),
  VmTrace: object({ code: DATA, ops: arrayOf(ref("VmOperation")) }),
  TraceResults: object(
    {
      output: DATA,
      trace: orNull(arrayOf(ref("FlatTrace"))),
      vmTrace: orNull(ref("VmTrace")),
      stateDiff: orNull(ref("StateDiff")),
    },
    { transactionHash: orNull(HASH) },
  ),
  GethTrace: ANYTHING,
  TransactionOpcodeGas: object({
    transactionHash: HASH,
    opcodeGas: arrayOf(object({ opcode: TEXT, count: INTEGER, gasUsed: INTEGER })),
  }),
  BlockOpcodeGas: object({
    blockHash: HASH,
    blockNumber: INTEGER,
    transactions: arrayOf(ref("TransactionOpcodeGas")),
  }),
  TransactionTrace: object({ txHash: HASH, result: ref("GethTrace") }),
};
