/** debug_trace*: geth's tracers over mined transactions and over calls. */
import { LATEST } from "../../../chain/blocks/block-id.ts";
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
import { EXAMPLE } from "../example-chain.ts";

/** RLP of the second block of the chain of examples. */
const RAW_BLOCK =
  "0xf902daf90261a0ea44cb15d20b843fa404c7cb0f056bb3cc72ade32f21947ec3037712a8c193dfa01dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347940000000000000000000000000000000000000000a047ba62fc42533b1db7a348179ef37f1b97abb612de8667f942d0234694a43d4ca0421dc684cb591ddd1029ab15970a0fced1870f8085b147623c4daa2481c638e6a0a90f5aabfc357569ae70761b704693e01f36ce1b36a33bd151571cc5bb7ee759b901000000000000000000000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000010000000000000000000000000002000000000000000000000000000000000000080028401c9c3808254ff846553f10280a07a1ee7e5feda75ba6a81a0b969f14d175dc4f10ed61ef58d017bd76edf455b9c880000000000000000842da89cc9a056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b4218080a00000000000000000000000000000000000000000000000000000000000000000a0e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855f872b87002f86d827a6901843b9aca008496ec0392830186a0945fbdb2315678afecb367f032d93f642f64180aa38080c080a0424a0da559080686433d5ef280ed5702b91a32a5358a5af5f7f1d46563c43e3ea033b9e1a58eea5f6ff93c7d42cc21df2a3726ef1e76d9fd47cec3b36cc51c9fcec0c0";

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
  example: { params: [EXAMPLE.transactionHash, { tracer: "callTracer" }] },
  run: ({ debug }, [txHash, config], { signal, streamed }) =>
    debug.traceTransaction(txHash, { ...config, signal }, streamed),
  encode: encodeGethTrace,
  encodeText: gethTraceText,
});

export const debugTraceBlockByNumber = method({
  name: "debug_traceBlockByNumber",
  summary: "Traces of a block's transactions.",
  params: [required("block", blockNumberOrTag), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, FOREIGN_BLOCKS],
  example: { params: ["0x2", { tracer: "callTracer" }] },
  run: ({ debug }, [id, config], { signal, streamed }) => debug.traceBlock(id, { ...config, signal }, streamed),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceBlockByHash = method({
  name: "debug_traceBlockByHash",
  summary: "The same by block hash.",
  params: [required("blockHash", blockHash), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, FOREIGN_BLOCKS],
  example: { params: [EXAMPLE.blockHash, { tracer: "4byteTracer" }] },
  run: ({ debug }, [id, config], { signal, streamed }) => debug.traceBlock(id, { ...config, signal }, streamed),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceBlock = method({
  name: "debug_traceBlock",
  summary: "The same for a block given as RLP; its parent must be in the chain.",
  params: [required("block", data), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, "BLOCK_REJECTED", "TOO_MANY_ITEMS", FOREIGN_BLOCKS],
  example: { params: [RAW_BLOCK, {}] },
  run: ({ debug }, [bytes, config], { signal, streamed }) =>
    debug.traceRawBlock(bytes, { ...config, signal }, streamed),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceBadBlock = method({
  name: "debug_traceBadBlock",
  summary: "The same for one of the blocks that an import refused, by its hash.",
  answeredBy: "writer",
  params: [required("blockHash", hash), optional("config", traceConfig, {})],
  result: arrayOf(transactionTraceSchema),
  errors: [DEBUGGING, "BLOCK_REJECTED", FOREIGN_BLOCKS, numbered(-32000, "BLOCK_NOT_FOUND")],
  // RAW_BLOCK with another state root.
  example: {
    params: ["0xa1b0efd781c6af9bee47e7aafa954634f82d0aed0adaf4e621158379a874a9c4", { tracer: "callTracer" }],
  },
  run: ({ debug, blocks }, [id, config], { signal, streamed }) =>
    debug.traceRawBlock(blocks.requireBadBlock(id), { ...config, signal }, streamed),
  encode: list(encodeTransactionTrace),
  encodeText: (traces) => listText(traces, transactionTraceText),
});

export const debugTraceCall = method({
  name: "debug_traceCall",
  summary: "Runs a call on the state after a block and traces it.",
  params: [required("call", callObject), optional("block", blockId, LATEST), optional("config", traceCallConfig, {})],
  result: gethTraceSchema,
  errors: [DEBUGGING, REJECTIONS, OVERRIDES, "TRACING_FAILED", "CALL_OF_ANOTHER_CHAIN"],
  example: { params: [EXAMPLE.call, "latest", {}] },
  run: ({ debug }, [call, block, config], { signal, streamed }) =>
    debug.traceCall(call, { block, signal, ...config }, streamed),
  encode: encodeGethTrace,
  encodeText: gethTraceText,
});

export const debugTraceCallMany = method({
  name: "debug_traceCallMany",
  summary: "Runs bundles of calls in sequence, each bundle a block, and traces each call.",
  params: [
    required("bundles", callBundles),
    optional("stateContext", stateContext, {}),
    optional("config", traceCallConfig, {}),
  ],
  result: arrayOf(arrayOf(gethTraceSchema)),
  errors: [DEBUGGING, REJECTIONS, OVERRIDES, "TRACING_FAILED", "CALL_OF_ANOTHER_CHAIN"],
  example: { params: [[{ transactions: [EXAMPLE.call] }], {}, { tracer: "callTracer" }] },
  run: ({ debug }, [bundles, context, config], { signal, streamed }) =>
    debug.traceCallMany(bundles, { ...config, ...context, signal }, streamed),
  encode: list(list(encodeGethTrace)),
  encodeText: (bundles) => listText(bundles, (traces) => listText(traces, gethTraceText)),
});

export const callMany = method({
  name: "eth_callMany",
  summary: "Runs bundles of calls in sequence, each bundle a block.",
  params: [
    required("bundles", callBundles),
    optional("stateContext", stateContext, {}),
    optional("stateOverrides", stateOverrides),
  ],
  result: arrayOf(arrayOf(callOutcomeSchema)),
  errors: [CALLING, numbered(-32000, "TRANSACTION_NOT_FOUND", "BLOCK_NOT_FOUND"), REJECTIONS],
  example: { params: [[{ transactions: [EXAMPLE.call] }]] },
  run: ({ debug }, [bundles, context, accounts], { signal }) =>
    debug.callMany(bundles, { ...context, ...(accounts === undefined ? {} : { overrides: { accounts } }), signal }),
  encode: list(list(encodeCallOutcome)),
});
