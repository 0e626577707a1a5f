import { describe, expect, it } from "vitest";
import { aNode, aServedNode } from "../../support/a-node.ts";

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `0x${at.toString(16).padStart(40, "0")}`);

describe("the values of a request", () => {
  it("are bounded, and the error names the limit, the number and the flag", async () => {
    const { failure } = (await aServedNode({ maxRequestValues: 10 })).plain;
    // The filter, its list and 9 addresses.
    const error = await failure("eth_getLogs", { address: addresses(9) });
    expect(error.code).toBe(-32005);
    expect(error.message).toBe(
      "The params of eth_getLogs have 11 values, at most 10 are allowed. Send them in several requests, or raise the limit with --max-request-values.",
    );
    expect(error.data).toEqual({ limit: 10, given: 11, flag: "--max-request-values" });
  });

  it("may be as many as the bound", async () => {
    const { ask } = (await aServedNode({ maxRequestValues: 10 })).plain;
    expect(await ask("eth_getLogs", { address: addresses(8) })).toEqual([]);
  });

  it("count for each request of a batch alone", async () => {
    const { post } = (await aServedNode({ maxRequestValues: 10 })).plain;
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [{ address: addresses(8) }] };
    const { text } = await post(JSON.stringify([request, request]));
    expect(JSON.parse(text)).toEqual(Array(2).fill({ jsonrpc: "2.0", id: 1, result: [] }));
  });

  it("are 10,000 by default, which a list of 9,998 addresses reaches", async () => {
    const node = await aNode();
    expect(await node.provider.send("eth_getLogs", [{ address: addresses(9_998) }])).toEqual([]);
    await expect(node.provider.send("eth_getLogs", [{ address: addresses(9_999) }])).rejects.toThrow(/10001 values/);
  });

  it("are as many for an artifact as no flag raises, and the error says how to send a larger one", async () => {
    const { post } = (await aServedNode()).plain;
    const params = `[[${"1,".repeat(600_000)}1]]`;
    const { text } = await post(`{"jsonrpc":"2.0","id":1,"method":"hindcast_addArtifact","params":${params}}`);
    expect(JSON.parse(text).error).toMatchObject({
      message: expect.stringMatching(
        /^The params of hindcast_addArtifact have at least 500001 values, at most 500000 are allowed\. .*DATA of its text/,
      ),
      data: { limit: 500_000, given: 500_001, flag: null },
    });
  });

  it("are counted in objects of this process that contain themselves", async () => {
    const node = await aNode();
    const endless: Record<string, unknown> = {};
    endless.address = endless;
    await expect(node.provider.send("eth_getLogs", [endless])).rejects.toThrow(/at least 500000 values/);
  });
});
