/** debug_trace*: geth's tracers over mined transactions and over calls. */
import { encodeGethTrace, encodeTransactionTrace } from "../encode/geth-trace.ts";
import { list } from "../encode/shape.ts";
import { method, optional, required } from "../method.ts";
import { blockNumberOrTag, data, hash } from "../schema/primitives.ts";
import { traceConfig } from "../schema/trace-config.ts";

export const debugTraceTransaction = method({
  name: "debug_traceTransaction",
  summary: "Trace of a mined transaction: struct logs, or what the named tracer of geth gives.",
  params: [required("transactionHash", hash), optional("config", traceConfig, {})],
  run: ({ debug }, [txHash, config], { signal }) => debug.traceTransaction(txHash, { ...config, signal }),
  encode: encodeGethTrace,
});

export const debugTraceBlockByNumber = method({
  name: "debug_traceBlockByNumber",
  summary: "Traces of a block's transactions.",
  params: [required("block", blockNumberOrTag), optional("config", traceConfig, {})],
  run: ({ debug }, [id, config], { signal }) => debug.traceBlock(id, { ...config, signal }),
  encode: list(encodeTransactionTrace),
});

export const debugTraceBlockByHash = method({
  name: "debug_traceBlockByHash",
  summary: "The same by block hash.",
  params: [required("blockHash", hash), optional("config", traceConfig, {})],
  run: ({ debug }, [blockHash, config], { signal }) =>
    debug.traceBlock({ hash: blockHash, requireCanonical: false }, { ...config, signal }),
  encode: list(encodeTransactionTrace),
});

export const debugTraceBlock = method({
  name: "debug_traceBlock",
  summary: "The same of a block given as RLP, whose parent the chain has.",
  params: [required("block", data), optional("config", traceConfig, {})],
  run: ({ debug }, [bytes, config], { signal }) => debug.traceRawBlock(bytes, { ...config, signal }),
  encode: list(encodeTransactionTrace),
});
