/** debug_subscribe: traces of many blocks, one notification a block, for connections that outlive a request. */
import { z } from "zod";
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { asIs } from "../../encode/shape.ts";
import { chainTraceTexts } from "../../encode/traces/geth-trace.ts";
import { numbered, SUBSCRIBING } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import { blockNumberOrTag, quantity } from "../../schema/primitives.ts";
import { traceConfig } from "../../schema/trace-config.ts";

const kind = z.literal("traceChain", { error: 'expected "traceChain"' });

export const debugSubscribe = method({
  name: "debug_subscribe",
  summary:
    "Subscribes to traceChain: traces of the blocks after the start up to the end, over WebSocket or in process.",
  writes: true,
  answeredBy: "reader",
  params: [
    required("kind", kind),
    required("start", blockNumberOrTag),
    required("end", blockNumberOrTag),
    optional("config", traceConfig, {}),
  ],
  result: QUANTITY,
  errors: [SUBSCRIBING, "HEADER_NOT_FOUND", numbered(-32000, "INVALID_BLOCK_RANGE")],
  example: {
    params: ["traceChain", "0x0", "0x1", { tracer: "callTracer" }],
    result: "0x6b1f0c7e52a94d3c8e0f1a2b3c4d5e6f",
  },
  run: async ({ subscriptions, chainTraces }, [, start, end, config], call) => {
    const traces = await chainTraces.open(start, end, config);
    return subscriptions.subscribe(
      { kind: "stream", results: (signal) => chainTraceTexts(traces(signal)) },
      call,
      "debug",
    );
  },
  encode: encodeQuantity,
});

export const debugUnsubscribe = method({
  name: "debug_unsubscribe",
  summary: "Ends a subscription of this connection.",
  writes: true,
  answeredBy: "reader",
  params: [required("subscription", quantity)],
  result: BOOLEAN,
  errors: SUBSCRIBING,
  example: { params: ["0x6b1f0c7e52a94d3c8e0f1a2b3c4d5e6f"] },
  run: ({ subscriptions }, [id], call) => subscriptions.unsubscribe(id, call),
  encode: asIs,
});
