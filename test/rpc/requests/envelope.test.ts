import { beforeAll, describe, expect, it } from "vitest";
import { RevertError } from "../../../src/errors/hindcast-error.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { failureAnswer, failureText } from "../../../src/rpc/requests/envelope.ts";
import { openNode, type ServedNode, serve } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { place } from "../../support/contracts.ts";
import { saying } from "../../support/saying.ts";

/** A response as its text says it. */
const answerTo = async (served: ServedNode, body: unknown): Promise<unknown> => {
  const { text } = await served.plain.post(typeof body === "string" ? body : JSON.stringify(body));
  return text === "" ? undefined : JSON.parse(text);
};

it("what a contract reverted with is answered as it is, also where it is long", async () => {
  const served = await serve(await openNode());
  // Reverts with 700,000 bytes of memory, the last of which is 7.
  const to = await place(served.node, assemble("7 699999 MSTORE8 700000 0 REVERT"));
  const data = `0x${"00".repeat(699_999)}07`;
  const call = { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to }] };
  const failure = { jsonrpc: "2.0", id: 1, error: expect.objectContaining({ code: 3, data }) };
  expect(await answerTo(served, call)).toEqual(failure);
  const chainId = { jsonrpc: "2.0", id: 2, method: "eth_chainId" };
  expect(await answerTo(served, [call, chainId])).toEqual([failure, { jsonrpc: "2.0", id: 2, result: "0x7a69" }]);
  await served.node.close();
});

it("the text of a failure in pieces is that of the whole", () => {
  for (const length of [10, 3_000_000]) {
    const error = new RevertError({ code: "EXECUTION_REVERTED", what: "reverted", data: `0x${"ab".repeat(length)}` });
    const pieces = [...failureAnswer("a", error)];
    expect(pieces.length > 1).toBe(length > 10);
    expect(pieces.join("") === failureText("a", error)).toBe(true);
  }
});

describe("a request", () => {
  let node: HindcastNode;
  let served: ServedNode;
  beforeAll(async () => {
    node = await openNode();
    served = await serve(node);
    return () => node.close();
  });

  it.each([1, 0, -7, 1.5, "one", "", null])("with the id %j is answered under it", async (id) => {
    const answer = await answerTo(served, { jsonrpc: "2.0", id, method: "eth_blockNumber" });
    expect(answer).toEqual({ jsonrpc: "2.0", id, result: "0x0" });
  });

  it.each(["9007199254740993", "12345678901234567890", "-12345678901234567890", `1${"0".repeat(40)}`])(
    "with the id %s, which no double holds, is answered under it to the last digit",
    async (id) => {
      const request = (method: string) => `{"jsonrpc":"2.0","method":"${method}","params":[],"id":${id}}`;
      const result = `{"jsonrpc":"2.0","id":${id},"result":"0x0"}`;
      const other = '{"jsonrpc":"2.0","id":7,"method":"eth_blockNumber"}';
      expect((await served.plain.post(request("eth_blockNumber"))).text).toBe(result);
      expect((await served.plain.post(`[${other},${request("eth_blockNumber")}]`)).text).toBe(
        `[{"jsonrpc":"2.0","id":7,"result":"0x0"},${result}]`,
      );
      const { text } = await served.plain.post(request("no_such_method"));
      expect(text).toContain(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,`);
    },
  );

  it("without params, with null and with an empty list of them asks the same", async () => {
    for (const params of [undefined, null, []]) {
      const request = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params };
      expect(await answerTo(served, request)).toEqual({ jsonrpc: "2.0", id: 1, result: "0x7a69" });
      expect(await node.provider.request({ method: "eth_chainId", params: params as [] })).toBe("0x7a69");
    }
  });

  it("with params by name is refused in words, over HTTP and in process alike", async () => {
    const params = { address: `0x${"00".repeat(20)}`, block: "latest" };
    const message =
      'params: expected an array, since parameters go by position, got an object with the members "address", "block". ' +
      'Send only the values, in the order of the method table, such as "params": ["latest", false].';
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getBalance", params };
    expect(await answerTo(served, request)).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32602, message } });
    await expect(node.provider.send("eth_getBalance", params)).rejects.toMatchObject({
      code: -32602,
      message,
    });
    await expect(node.provider.send("evm_mine", {})).rejects.toThrow("an object with no members");
    expect(node.head.header.number).toBe(0n);
  });

  it.each([undefined, null, "eth_chainId", {}, { method: 5 }])(
    "in process that is no such object: %j",
    async (args) => {
      const message = "A request is an object with method, the name of one, and params.";
      await expect(node.provider.request(args as never)).rejects.toMatchObject({
        code: -32600,
        message: saying(message),
      });
    },
  );

  it("with params that are neither list nor object is none", async () => {
    for (const params of ["latest", 1, true]) {
      const answer = await answerTo(served, { jsonrpc: "2.0", id: 3, method: "eth_blockNumber", params });
      expect(answer).toMatchObject({ id: 3, error: { code: -32600 } });
    }
    const asked = node.provider.request({ method: "eth_blockNumber", params: "latest" as never });
    await expect(asked).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("got string") });
  });

  it("without an id is a notification: done, but not answered, whatever comes of it", async () => {
    const before = node.head.header.number;
    const { status, text } = await served.plain.post(JSON.stringify({ jsonrpc: "2.0", method: "evm_mine" }));
    expect([status, text]).toEqual([204, ""]);
    expect(node.head.header.number).toBe(before + 1n);
    for (const wrong of [{ method: "evm_mine", params: { blocks: 1 } }, { method: "no_suchMethod" }]) {
      expect(await answerTo(served, { jsonrpc: "2.0", ...wrong })).toBeUndefined();
    }
    expect(node.head.header.number).toBe(before + 1n);
  });

  it.each([
    ["no object", "7"],
    ["no version", '{"id":1,"method":"eth_chainId"}'],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}'],
    ["no method", '{"jsonrpc":"2.0","id":1}'],
    ["a method that is no string", '{"jsonrpc":"2.0","id":1,"method":7}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}'],
    ["an empty batch", "[]"],
  ])("of another form is refused as none: %s", async (_, body) => {
    expect(await answerTo(served, body)).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
  });

  it("of bytes that are not JSON is refused with no id", async () => {
    expect(await answerTo(served, '{"jsonrpc":')).toMatchObject({ id: null, error: { code: -32700 } });
  });
});
