import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/node/options/limits.ts";
import type { RpcContext } from "../../src/rpc/context.ts";
import { Dispatcher } from "../../src/rpc/dispatch.ts";
import { method } from "../../src/rpc/method.ts";
import { MethodTable } from "../../src/rpc/method-table.ts";
import { NULL } from "../../src/rpc/openrpc/json-schema.ts";

const REASON = new Error("The client went away.");

/** The result of a request whose method throws, also after its caller has left. */
async function endOf(thrown: Error, signal: AbortSignal): Promise<unknown> {
  const failing = method({
    name: "test_fail",
    summary: "Fails.",
    params: [],
    result: NULL,
    run: () => Promise.reject(thrown),
    encode: () => null,
  });
  const dispatcher = new Dispatcher({
    methods: new MethodTable({ common: [failing], loadControl: async () => [], load: async () => [failing] }),
    context: { limits: DEFAULT_LIMITS } as RpcContext,
    beginReading: () => () => undefined,
  });
  const call = { signal, responseShape: "standard", session: undefined, afterAnswer: () => undefined } as const;
  return dispatcher.run(failing.name, [], call).catch((error: unknown) => error);
}

it("what throws the reason of its caller's leaving ends as aborted, which nobody has to report", async () => {
  expect(await endOf(REASON, AbortSignal.abort(REASON))).toMatchObject({
    code: "EXECUTION_ABORTED",
    message: "test_fail was aborted by its caller.",
    cause: REASON,
  });
});

it("anything else that is not ours is a bug, whether the caller has left or not", async () => {
  const bug = new TypeError("x is not a function");
  for (const signal of [AbortSignal.abort(REASON), new AbortController().signal]) {
    expect(await endOf(bug, signal)).toMatchObject({ code: "INTERNAL_ERROR", cause: bug });
  }
});
