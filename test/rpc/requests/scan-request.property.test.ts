/** Long requests that are refused before they are parsed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REQUEST_JSON } from "../../../src/primitives/json/json-limits.ts";
import { idOfLong, scanRequest } from "../../../src/rpc/requests/scan-request.ts";
import { aNode } from "../../support/a-node.ts";

const LONG = "x".repeat(256 * 1024);
/** A method may have so many values more, which are counted after the request was parsed. */
const SPARE = 100;

function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((count: number, member) => count + countOf(member), 1);
}

/** Whether a text passes with so many values in its params. */
const scan = async (text: string, most: number | undefined): Promise<unknown> => {
  try {
    await scanRequest(text, () => most);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe("scanRequest", () => {
  it("counts the values of all JSON as a reader of the parsed params does, with white space or without", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), async (value, indent) => {
        const params = [LONG, value];
        const given = countOf(params) - 1;
        const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params }, null, indent);
        expect(await scan(text, given - SPARE)).toBeUndefined();
        const most = given - SPARE - 1;
        const refusal = { code: "JSON_TOO_MANY_VALUES", data: { limit: most, given, flag: "--max-request-values" } };
        expect(await scan(text, most)).toMatchObject(refusal);
      }),
    );
  });

  it.each<[string, string, string]>([
    ["lists in each other", `${"[".repeat(2_000_000)}`, "JSON_TOO_DEEP"],
    ["numbers", `[${"1,".repeat(2_000_000)}1]`, "JSON_TOO_MANY_VALUES"],
    ["members", `{${'"":1,'.repeat(1_000_000)}"":1}`, "JSON_TOO_MANY_VALUES"],
  ])("refuses millions of %s for each method, for none, and in a batch", async (_name, value, code) => {
    const request = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${value}]}`;
    expect(await scan(request, 10_000)).toMatchObject({ code });
    expect(await scan(request, REQUEST_JSON.values)).toMatchObject({ code });
    expect(await scan(request, undefined)).toMatchObject({ code });
    expect(await scan(`[${request}]`, 10_000)).toMatchObject({ code });
  });

  it("leaves brackets, commas and escaped quotation marks inside of texts alone", async () => {
    const text = '\\",[{'.repeat(100_000);
    expect(await scan(`{"method":"eth_call","params":["${text}"]}`, 1)).toBeUndefined();
  });

  it("takes the name of a method for what it is only outside of the params", async () => {
    const values = `[${"1,".repeat(200_000)}1]`;
    expect(await scan(`{"params":[{"method":"eth_call"},${values}],"method":"web3_sha3"}`, 10)).toBeUndefined();
  });
});

describe("idOfLong", () => {
  it.each<[string, string, unknown]>([
    ["before the params", `{"id":7,"method":"eth_call","params":["${LONG}"]}`, 7],
    ["behind them", `{"method":"eth_call","params":["${LONG}"],"id":"a7","jsonrpc":"2.0"}`, "a7"],
    ["only within them", `{"method":"eth_call","params":["${LONG}",{"id":7}]}`, null],
    ["in a batch", `[{"id":7,"method":"eth_call","params":["${LONG}"]}]`, null],
  ])("finds an id that stands %s", (_name, text, id) => {
    expect(idOfLong(text)).toBe(id);
  });
});

it("a server answers a refused request with its id", async () => {
  const node = await aNode();
  const { url } = await node.listen({ port: 0 });
  const body = `{"jsonrpc":"2.0","id":42,"method":"eth_call","params":[[${"1,".repeat(200_000)}1]]}`;
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const data = { limit: 10_000, given: 200_002, flag: "--max-request-values" };
  expect(await response.json()).toMatchObject({ id: 42, error: { code: -32005, data } });
});
