/** trace_*: flat traces of mined transactions and of calls. */
import { LATEST } from "../../chain/block-id.ts";
import { encodeLocalizedTrace } from "../encode/flat-trace.ts";
import { list, nullable } from "../encode/shape.ts";
import { encodeTraceResults } from "../encode/trace-results.ts";
import { method, optional, required } from "../method.ts";
import { blockId, hash } from "../schema/primitives.ts";
import { tracedCalls, traceFilter as traceFilterParam } from "../schema/trace-params.ts";

export const traceBlock = method({
  name: "trace_block",
  summary: "Flat traces of a block, rewards included.",
  params: [required("block", blockId)],
  run: ({ traces }, [id], { signal }) => traces.block(id, signal),
  encode: nullable(list(encodeLocalizedTrace)),
});

export const traceTransaction = method({
  name: "trace_transaction",
  summary: "Flat traces of a mined transaction.",
  params: [required("transactionHash", hash)],
  run: ({ traces }, [txHash], { signal }) => traces.transaction(txHash, signal),
  encode: nullable(list(encodeLocalizedTrace)),
});

export const traceFilter = method({
  name: "trace_filter",
  summary: "Flat traces of a block range by sender and receiver, paged.",
  params: [required("filter", traceFilterParam)],
  run: ({ traces }, [filter], { signal }) => traces.filter(filter, signal),
  encode: list(encodeLocalizedTrace),
});

export const traceCallMany = method({
  name: "trace_callMany",
  summary: "Runs calls one on top of the other and traces each: trace, vmTrace, stateDiff.",
  params: [required("calls", tracedCalls), optional("block", blockId, LATEST)],
  run: ({ traces }, [calls, id], { signal }) => traces.callMany(calls, id, signal),
  encode: list(encodeTraceResults),
});
