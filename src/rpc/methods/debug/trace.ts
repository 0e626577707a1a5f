/** debug_trace*: geth's tracers over mined transactions and over calls. */
import { LATEST } from "../../../chain/archive/block-id.ts";
import { list } from "../../encode/shape.ts";
import { listText } from "../../encode/stream/text.ts";
import {
  encodeGethTrace,
  encodeTransactionTrace,
  gethTraceText,
  transactionTraceText,
} from "../../encode/traces/geth-trace.ts";
import { callOutcomeSchema, encodeCallOutcome } from "../../encode/transactions/simulated-calls.ts";
import { CALLING, DEBUGGING, FOREIGN_BLOCKS, numbered, OVERRIDES, REJECTIONS } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { ANYTHING, arrayOf, type JsonSchema, named, object } from "../../openrpc/json-schema.ts";
import { HASH } from "../../openrpc/primitives.ts";
import { callObject } from "../../schema/call-object.ts";
import { stateOverrides } from "../../schema/overrides.ts";
import { blockHash, blockId, blockNumberOrTag, data, hash } from "../../schema/primitives.ts";
import { callBundles, stateContext, traceCallConfig, traceConfig } from "../../schema/trace-config.ts";

const gethTraceSchema: JsonSchema = named("GethTrace", () => ANYTHING);

const transactionTraceSchema: JsonSchema = named("TransactionTrace", () =>
  object({ txHash: HASH, result: gethTraceSchema }),
);

export const debugTraceTransaction = method({
  name: "debug_traceTransaction",
  summary: "Trace of a mined transaction: struct logs, or the result of the named geth tracer.",
  params: [required("transactionHash", hash), optional("config", traceConfig, {})],
  result: gethTraceSchema,
  errors: [DEBUGGING, FOREIGN_BLOCKS],
  run: ({ debug }, [txHash, config], { signal, reader }) =>
    debug.traceTransaction(txHash, { ...config, signal }, reader),
  encode: encodeGethTrace,
  encodeText: gethTraceText,
});

export const debugTraceBlockByNumber = method({
  name: "debug_traceBlockByNumber",
  summary: "Traces of a block's transactions.",
  params: [required("block", blockNumberOrTag), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, FOREIGN_BLOCKS],
  run: ({ debug }, [id, config], { signal, reader }) => debug.traceBlock(id, { ...config, signal }, reader),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceBlockByHash = method({
  name: "debug_traceBlockByHash",
  summary: "The same by block hash.",
  params: [required("blockHash", blockHash), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, FOREIGN_BLOCKS],
  run: ({ debug }, [id, config], { signal, reader }) => debug.traceBlock(id, { ...config, signal }, reader),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceBlock = method({
  name: "debug_traceBlock",
  summary: "The same for a block given as RLP; its parent must be in the chain.",
  params: [required("block", data), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, "BLOCK_REJECTED", FOREIGN_BLOCKS],
  run: ({ debug }, [bytes, config], { signal, reader }) => debug.traceRawBlock(bytes, { ...config, signal }, reader),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceCall = method({
  name: "debug_traceCall",
  summary: "Runs a call on the state after a block and traces it.",
  params: [required("call", callObject), optional("block", blockId, LATEST), optional("config", traceCallConfig, {})],
  result: gethTraceSchema,
  errors: [DEBUGGING, REJECTIONS, OVERRIDES, "TRACING_FAILED", "CALL_OF_ANOTHER_CHAIN"],
  run: ({ debug }, [call, block, config], { signal, reader }) =>
    debug.traceCall(call, { ...config, block, signal }, reader),
  encode: encodeGethTrace,
  encodeText: gethTraceText,
});

export const debugTraceCallMany = method({
  name: "debug_traceCallMany",
  summary: "Runs bundles of calls one on top of the other, each bundle a block, and traces each call.",
  params: [
    required("bundles", callBundles),
    optional("stateContext", stateContext, {}),
    optional("config", traceCallConfig, {}),
  ],
  result: arrayOf(arrayOf(gethTraceSchema)),
  errors: [DEBUGGING, REJECTIONS, OVERRIDES, "TRACING_FAILED", "CALL_OF_ANOTHER_CHAIN"],
  run: ({ debug }, [bundles, context, config], { signal, reader }) =>
    debug.traceCallMany(bundles, { ...config, ...context, signal }, reader),
  encode: list(list(encodeGethTrace)),
  encodeText: (bundles) => listText(bundles, (traces) => listText(traces, gethTraceText)),
});

export const callMany = method({
  name: "eth_callMany",
  summary: "Runs bundles of calls one on top of the other, each bundle a block.",
  params: [
    required("bundles", callBundles),
    optional("stateContext", stateContext, {}),
    optional("stateOverrides", stateOverrides),
  ],
  result: arrayOf(arrayOf(callOutcomeSchema)),
  errors: [CALLING, numbered(-32000, "TRANSACTION_NOT_FOUND", "BLOCK_NOT_FOUND"), REJECTIONS],
  run: ({ debug }, [bundles, context, accounts], { signal }) =>
    debug.callMany(bundles, { ...context, ...(accounts === undefined ? {} : { overrides: { accounts } }), signal }),
  encode: list(list(encodeCallOutcome)),
});
