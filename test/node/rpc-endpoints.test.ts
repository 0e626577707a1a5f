/** A node's servers: their options, what is left undefined, and that none of them outlives the node. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNode } from "../support/a-node.ts";

describe("an option of listenIpc() that is wrong", () => {
  it.each([
    [{}, "The option path is missing. It must be a string that is not empty."],
    [{ path: 5 }, "The option path is not valid: 5."],
    [{ path: "" }, "The option path"],
    [{ path: "x", maxRequestBytes: "1" }, "The option maxRequestBytes"],
    [{ path: "x", port: 1 }, "There is no option port. Use some of: path, maxRequestBytes."],
    [undefined, "Options are an object, not nothing."],
  ])("is refused in words: %o", async (options, words) => {
    const listening = (await aNode()).listenIpc(options as never);
    await expect(listening).rejects.toMatchObject({ name: "InvalidParamsError", code: "INVALID_OPTION" });
    await expect(listening).rejects.toThrow(words);
  });
});

it("options that are there and undefined have their defaults", async () => {
  const options = { host: undefined, maxBodyBytes: undefined, allowedHosts: undefined, port: 0 };
  const { host, url } = await (await aNode()).listen(options as never);
  expect(host).toBe("127.0.0.1");
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

it("a closed node serves nobody, whether it was asked before or after its end", async () => {
  const path = join(await aFolder(), "n.ipc");
  const node = await aNode();
  const asked = [node.listen({ port: 0 }), node.listenIpc({ path })];
  const closing = node.close();
  await Promise.all(asked.map((each) => expect(each).rejects.toMatchObject({ code: "NODE_CLOSED" })));
  await closing;
  await expect(node.listen({ port: 0 })).rejects.toMatchObject({ code: "NODE_CLOSED" });
  await expect(node.listenIpc({ path })).rejects.toMatchObject({ code: "NODE_CLOSED" });
});

it("a closed node begins no interval, which would go on for good", async () => {
  const node = await aNode();
  await node.close();
  expect(() => node.setMiningMode({ intervalMs: 10 })).toThrow("The node is closed.");
});

it("a listener of requests that throws disturbs no answer, and onError hears of it", async () => {
  const bug = new Error("a bug of the log");
  const errors: unknown[] = [];
  const node = await aNode({
    onRequest: () => {
      throw bug;
    },
    onError: (error) => errors.push(error),
  });
  expect(await node.provider.request({ method: "evm_mine" })).toBe("0x0");
  await expect(node.provider.send("no_such")).rejects.toMatchObject({ code: -32601 });
  expect(errors).toEqual([bug, bug]);
});

it("listeners of the provider that throw disturb neither others nor the node's end, and onError hears of them", async () => {
  const errors: string[] = [];
  const heard: string[] = [];
  const node = await createNode({ onError: (error) => errors.push((error as Error).message) });
  for (const event of ["message", "disconnect"]) {
    node.provider.on(event, () => {
      throw new Error(event);
    });
    node.provider.on(event, () => heard.push(event));
  }
  const told = new Promise<void>((resolve) => node.provider.on("message", () => resolve()));
  await node.provider.request({ method: "eth_subscribe", params: ["newHeads"] });
  await node.mine();
  await told;
  await node.close();
  expect(errors).toEqual(["message", "disconnect"]);
  expect(heard).toEqual(["message", "disconnect"]);
  await expect(node.mine()).rejects.toMatchObject({ code: "NODE_CLOSED" });
});

it("the provider may have as many listeners as a program has clients", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on("warning", hear);
  try {
    const { provider } = await aNode();
    for (let client = 0; client < 20; client++) provider.on("message", () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", hear);
  }
});
