/** Values that are nested without an end, in every place of the params of every method: refused, or without effect, and no error of ours. */
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/node/options/limits.ts";
import { describeMethods } from "../../../src/rpc/openrpc/document.ts";
import { EXAMPLE_ANSWERS } from "../../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { worstRequests } from "../../campaign/worst-requests.ts";
import { aNode, aServedNode } from "../../support/a-node.ts";
import { sweep } from "../../support/seed.ts";

const document = describeMethods({ methods, version: "test", answers: EXAMPLE_ANSWERS });
/** Other modes' names of a method have its schemas. */
const described = {
  ...document,
  methods: document.methods.filter(({ name }) => !/^(?:hardhat|ganache|evm)_/.test(name)),
};

/** Nearly as many as a request may have values: more are refused before they are looked at. */
const DEPTH = DEFAULT_LIMITS.maxRequestValues - 1_000;

describe("a value that is nested", () => {
  it("as deep as a request may have values, in a program's request, causes no internal error in any place of any method", async () => {
    const node = await aNode();
    const failed: string[] = [];
    const bounds = { values: 10, characters: 10, nesting: DEPTH };
    const nested = [...worstRequests(described, bounds)].filter(({ place }) => place.includes(" as nested"));
    expect(nested.length).toBeGreaterThan(1_000);
    // Lists and objects take turns: an odd step finds both, in every ninth place.
    for (const { method, params, place } of sweep(nested, (_, index) => index % 9 === 0)) {
      const error = await node.provider.send(method, params).then(
        () => undefined,
        (thrown: unknown) => thrown as { code?: number; message?: string },
      );
      if (error !== undefined && (error.code === -32603 || error.code === undefined)) {
        failed.push(`${method} ${place}: ${error.message?.slice(0, 100)}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it.each([
    "eth_call",
    "eth_getLogs",
    "eth_signTypedData_v4",
    "debug_traceCall",
    "eth_simulateV1",
    "hindcast_explainCall",
  ])("as deep as a short text may be is refused, or without effect, over HTTP: %s", async (method) => {
    const { plain } = await aServedNode();
    for (const [open, close] of [
      ["[", "]"],
      ['{"x":', "}"],
    ] as const) {
      const depth = Math.floor(30_000 / (open.length + 1));
      const value = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const { text } = await plain.post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":[${value}]}`);
      expect((JSON.parse(text) as { error?: { code: number } }).error?.code).toBeOneOf([undefined, -32602, -32005]);
    }
  });
});
