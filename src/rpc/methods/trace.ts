/** trace_*: Parity's traces of mined transactions and of calls, and reth's gas by opcode. */
import { list, nullable } from "../encode/shape.ts";
import { listText } from "../encode/stream/text.ts";
import { encodeLocalizedTrace, encodeLocalizedTraces, localizedTracesText } from "../encode/traces/flat-trace.ts";
import {
  blockOpcodeGasSchema,
  encodeBlockOpcodeGas,
  encodeTransactionOpcodeGas,
  transactionOpcodeGasSchema,
} from "../encode/traces/opcode-gas.ts";
import { encodeTraceResults, traceResultsText } from "../encode/traces/trace-results.ts";
import { FOREIGN_BLOCKS, type MethodErrors, numbered, OVERRIDES, REJECTIONS, TRACING } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import {
  anyOf,
  arrayOf,
  INTEGER,
  type JsonSchema,
  mapOf,
  named,
  object,
  orNull,
  TEXT,
} from "../openrpc/json-schema.ts";
import { DATA, HASH, QUANTITY, WORD } from "../openrpc/primitives.ts";
import { callObject } from "../schema/call-object.ts";
import { blockId, data, hash } from "../schema/primitives.ts";
import {
  extraParams,
  laterBlockOverrides,
  stateOverridesOrConfig,
  traceAddress,
  tracedCalls,
  traceFilter as traceFilterParam,
  traceTypes,
} from "../schema/trace-params.ts";
import { EXAMPLE } from "./example-chain.ts";

/** Of runs whose traces are named, and of calls among them. */
const TRACED: MethodErrors = [TRACING, "UNKNOWN_TRACE_TYPE", numbered(-32000, "UNKNOWN_TRACE_TYPE")];
const TRACED_CALL: MethodErrors = [
  TRACED,
  "TRACE_NOT_EXECUTABLE",
  "EXECUTION_FAILED",
  "CALL_OF_ANOTHER_CHAIN",
  OVERRIDES,
  REJECTIONS,
];

const FLAT_TRACE_MEMBERS = {
  type: { type: "string", enum: ["call", "create", "suicide", "reward"] },
  action: mapOf(TEXT),
  subtraces: INTEGER,
  traceAddress: arrayOf(INTEGER),
};

const OPTIONAL_FLAT_TRACE_MEMBERS = { result: orNull(mapOf(TEXT)), error: TEXT };

const delta = (value: JsonSchema): JsonSchema =>
  anyOf(
    { const: "=" },
    object({ "+": value }),
    object({ "-": value }),
    object({ "*": object({ from: value, to: value }) }),
  );

const flatTraceSchema: JsonSchema = named("FlatTrace", () => object(FLAT_TRACE_MEMBERS, OPTIONAL_FLAT_TRACE_MEMBERS));

const localizedTraceSchema: JsonSchema = named("LocalizedTrace", () =>
  object(
    {
      ...FLAT_TRACE_MEMBERS,
      blockHash: HASH,
      blockNumber: INTEGER,
    },
    { ...OPTIONAL_FLAT_TRACE_MEMBERS, transactionHash: orNull(HASH), transactionPosition: orNull(INTEGER) },
  ),
);

const accountDiffSchema = named("AccountDiff", () =>
  object({
    balance: delta(QUANTITY),
    code: delta(DATA),
    nonce: delta(QUANTITY),
    storage: mapOf(delta(WORD), "^0x[0-9a-f]{64}$"),
  }),
);

const stateDiffSchema = named("StateDiff", () => mapOf(accountDiffSchema, "^0x[0-9a-f]{40}$"));

const vmTraceSchema: JsonSchema = named("VmTrace", () => object({ code: DATA, ops: arrayOf(vmOperationSchema) }));

const vmOperationSchema: JsonSchema = named("VmOperation", () =>
  object(
    { pc: INTEGER, cost: INTEGER, ex: orNull({ type: "object" }), sub: orNull(vmTraceSchema) },
    { op: TEXT, idx: TEXT },
  ),
);

const traceResultsSchema = named("TraceResults", () =>
  object(
    {
      output: DATA,
      trace: orNull(arrayOf(flatTraceSchema)),
      vmTrace: orNull(vmTraceSchema),
      stateDiff: orNull(stateDiffSchema),
    },
    { transactionHash: orNull(HASH) },
  ),
);

const overrides = [
  optional("stateOverrides", stateOverridesOrConfig),
  optional("blockOverrides", laterBlockOverrides),
] as const;

export const traceBlock = method({
  name: "trace_block",
  summary: "Flat traces of a block, rewards included.",
  params: [required("block", blockId)],
  result: orNull(arrayOf(localizedTraceSchema)),
  errors: ["HEADER_NOT_FOUND", TRACING, FOREIGN_BLOCKS],
  example: { params: ["0x2"] },
  run: ({ traces }, [id], { signal, streamed }) => traces.block(id, { signal }, streamed),
  encode: nullable(encodeLocalizedTraces),
  encodeText: localizedTracesText,
});

export const traceTransaction = method({
  name: "trace_transaction",
  summary: "Flat traces of a mined transaction.",
  params: [required("transactionHash", hash)],
  result: orNull(arrayOf(localizedTraceSchema)),
  errors: [TRACING, FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ traces }, [txHash], { signal, streamed }) => traces.transaction(txHash, { signal }, streamed),
  encode: nullable(encodeLocalizedTraces),
  encodeText: localizedTracesText,
});

export const traceGet = method({
  name: "trace_get",
  summary: "One flat trace of a mined transaction, by its trace address.",
  params: [required("transactionHash", hash), required("traceAddress", traceAddress)],
  result: orNull(localizedTraceSchema),
  errors: [TRACING, FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash, []] },
  run: ({ traces }, [txHash, path], { signal }) => traces.get(txHash, path, { signal }),
  encode: nullable(encodeLocalizedTrace),
});

export const traceFilter = method({
  name: "trace_filter",
  summary: "Flat traces of a block range by sender and receiver, paged.",
  params: [required("filter", traceFilterParam)],
  result: orNull(arrayOf(localizedTraceSchema)),
  errors: [TRACING, FOREIGN_BLOCKS],
  example: { params: [{ fromBlock: "0x1", toBlock: "latest", toAddress: [EXAMPLE.contract], count: 1 }] },
  run: ({ traces }, [filter], { signal }) => traces.filter(filter, { signal }),
  encode: nullable(encodeLocalizedTraces),
  encodeText: localizedTracesText,
});

export const traceCall = method({
  name: "trace_call",
  summary: "Runs a call and traces it: trace, vmTrace, stateDiff.",
  params: [required("call", callObject), required("types", traceTypes), optional("block", blockId), ...overrides],
  result: traceResultsSchema,
  errors: TRACED_CALL,
  example: { params: [EXAMPLE.call, ["trace"], "latest"] },
  run: ({ traces }, [call, names, block, ...extras], { signal, streamed }) =>
    traces.call(
      call,
      traces.typesOf(names, "params[1]"),
      { block, signal, ...extraParams(traces.client, extras, 3) },
      streamed,
    ),
  encode: encodeTraceResults,
  encodeText: traceResultsText,
});

export const traceCallMany = method({
  name: "trace_callMany",
  summary: "Runs calls in sequence and traces each: trace, vmTrace, stateDiff.",
  params: [required("calls", tracedCalls), optional("block", blockId), ...overrides],
  result: arrayOf(traceResultsSchema),
  errors: TRACED_CALL,
  example: { params: [[[EXAMPLE.transfer, ["trace", "stateDiff"]]], "latest"] },
  run: ({ traces }, [calls, block, ...extras], { signal, streamed }) =>
    traces.callMany(
      calls.map(({ call, types }, index) => ({ call, types: traces.typesOf(types, `params[0][${index}][1]`) })),
      { block, signal, ...extraParams(traces.client, extras, 2) },
      streamed,
    ),
  encode: list(encodeTraceResults),
  encodeText: (results) => listText(results, traceResultsText),
});

export const traceRawTransaction = method({
  name: "trace_rawTransaction",
  summary: "Runs a signed transaction without sending it and traces it.",
  params: [required("transaction", data), required("types", traceTypes), optional("block", blockId), ...overrides],
  result: traceResultsSchema,
  errors: [TRACED_CALL, "UNDECODABLE_TRANSACTION", "TOO_MANY_ITEMS"],
  example: { params: [EXAMPLE.rawTransaction, ["trace"], "0x1"] },
  run: ({ traces }, [bytes, names, block, ...extras], { signal, streamed }) =>
    traces.rawTransaction(
      bytes,
      traces.typesOf(names, "params[1]"),
      { block, signal, ...extraParams(traces.client, extras, 3) },
      streamed,
    ),
  encode: encodeTraceResults,
  encodeText: traceResultsText,
});

export const traceReplayTransaction = method({
  name: "trace_replayTransaction",
  summary: "Runs a mined transaction again and traces it.",
  params: [required("transactionHash", hash), required("types", traceTypes)],
  result: traceResultsSchema,
  errors: [TRACED, FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash, ["trace"]] },
  run: ({ traces }, [txHash, names], { signal, streamed }) =>
    traces.replayTransaction(txHash, traces.typesOf(names, "params[1]"), { signal }, streamed),
  encode: encodeTraceResults,
  encodeText: traceResultsText,
});

export const traceReplayBlockTransactions = method({
  name: "trace_replayBlockTransactions",
  summary: "Runs a block's transactions again and traces each.",
  params: [required("block", blockId), required("types", traceTypes)],
  result: arrayOf(traceResultsSchema),
  errors: [TRACED, FOREIGN_BLOCKS],
  example: { params: ["0x2", ["stateDiff"]] },
  run: ({ traces }, [id, names], { signal, streamed }) =>
    traces.replayBlock(id, traces.typesOf(names, "params[1]"), { signal }, streamed),
  encode: list(encodeTraceResults),
  encodeText: (results) => listText(results, traceResultsText),
});

export const traceBlockOpcodeGas = method({
  name: "trace_blockOpcodeGas",
  summary: "How often each opcode ran in a block's transactions, and the gas it was charged.",
  params: [required("block", blockId)],
  result: orNull(blockOpcodeGasSchema),
  errors: [TRACING, FOREIGN_BLOCKS],
  example: { params: ["0x2"] },
  run: ({ opcodeGas }, [id], { signal }) => opcodeGas.block(id, { signal }),
  encode: nullable(encodeBlockOpcodeGas),
});

export const traceTransactionOpcodeGas = method({
  name: "trace_transactionOpcodeGas",
  summary: "How often each opcode ran in a mined transaction, and the gas it was charged.",
  params: [required("transactionHash", hash)],
  result: orNull(transactionOpcodeGasSchema),
  errors: [TRACING, FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.transactionHash] },
  run: ({ opcodeGas }, [txHash], { signal }) => opcodeGas.transaction(txHash, { signal }),
  encode: nullable(encodeTransactionOpcodeGas),
});
