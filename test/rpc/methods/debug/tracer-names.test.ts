import { expect, it } from "vitest";
import { aServedNode, BOB } from "../../../support/a-node.ts";
import { send } from "../../../support/contracts.ts";

it.each(["__proto__", "constructor", "toString", "nope"])(
  "a tracer called %s is none, and the error lists those that there are",
  async (tracer) => {
    const { node, plain } = await aServedNode();
    const hash = await send(node, { to: BOB });
    const { code, message } = await plain.failure("debug_traceTransaction", hash, { tracer });
    expect([code, message]).toEqual([-32602, expect.stringContaining("expected one of callTracer, flatCallTracer,")]);
    // JSON objects with this member come without it out of their check.
    if (tracer === "__proto__") return;
    const mux = { tracer: "muxTracer", tracerConfig: { [tracer]: {} } };
    expect((await plain.failure("debug_traceTransaction", hash, mux)).code).toBe(-32602);
  },
);
