/** A node behind a port, with another thread's part in this one. */
import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { MessageEndpoint } from "../../../src/rpc/port/messages.ts";
import { PortProvider } from "../../../src/rpc/port/port-provider.ts";
import { servePort } from "../../../src/rpc/port/serve-port.ts";
import { REVERTER } from "../../support/contracts.ts";

const nodes: HindcastNode[] = [];
const ports: PortProvider[] = [];

async function aServedNode(): Promise<{ node: HindcastNode; provider: PortProvider; stop: () => void }> {
  const node = await createNode();
  nodes.push(node);
  const { port1, port2 } = new MessageChannel();
  const stop = node.serveOn(port2 as unknown as MessageEndpoint);
  const provider = new PortProvider(port1 as unknown as MessageEndpoint);
  ports.push(provider);
  return { node, provider, stop };
}

afterEach(async () => {
  for (const provider of ports.splice(0)) provider.close();
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

it("answers requests in their order, with the answers of the node's own provider", async () => {
  const { node, provider } = await aServedNode();
  expect(await provider.send("evm_mine")).toBe("0x0");
  const asked = [provider.send("eth_chainId"), provider.request({ method: "eth_blockNumber" })];
  expect(await Promise.all(asked)).toEqual(["0x7a69", "0x1"]);
  const params = ["latest", false];
  expect(await provider.send("eth_getBlockByNumber", params)).toEqual(
    await node.provider.send("eth_getBlockByNumber", params),
  );
});

it("rejects with the code, the data and the words of the node's error", async () => {
  const { node, provider } = await aServedNode();
  const to = `0x${"ab".repeat(20)}` as const;
  await node.setCode(to, REVERTER);
  const call = { method: "eth_call", params: [{ to, data: "0x1234" }, "latest"] };
  const own = await node.provider.request(call as never).catch((error) => error);
  await expect(provider.request(call)).rejects.toMatchObject({
    code: 3,
    data: "0x1234",
    message: own.message,
    contract: to,
  });
  await expect(provider.send("eth_nothing")).rejects.toMatchObject({ code: -32601 });
  await expect(provider.send("eth_getBalance", ["0x12"])).rejects.toMatchObject({ code: -32602 });
});

it("is not disturbed by messages that are no requests", async () => {
  const node = await createNode();
  nodes.push(node);
  const { port1, port2 } = new MessageChannel();
  node.serveOn(port2 as unknown as MessageEndpoint);
  for (const junk of [null, undefined, 5, "eth_chainId", [], {}, { id: 91 }, { id: 92, method: 5 }, { listens: 1 }]) {
    port1.postMessage(junk);
  }
  const provider = new PortProvider(port1 as unknown as MessageEndpoint);
  ports.push(provider);
  expect(await provider.send("eth_chainId")).toBe("0x7a69");
});

it("ignores messages that are no answers", async () => {
  const { port1, port2 } = new MessageChannel();
  const provider = new PortProvider(port1 as unknown as MessageEndpoint);
  ports.push(provider);
  port2.on("message", ({ id }: { id?: number }) => {
    for (const junk of [null, 5, "0x1", {}, { id: 900, result: 1 }]) port2.postMessage(junk);
    if (id !== undefined) port2.postMessage({ id, result: "0x7a69" });
  });
  expect(await provider.send("eth_chainId")).toBe("0x7a69");
});

it("delivers its own subscriptions while somebody listens, and no others", async () => {
  const { node, provider } = await aServedNode();
  const { port1, port2 } = new MessageChannel();
  node.serveOn(port2 as unknown as MessageEndpoint);
  const other = new PortProvider(port1 as unknown as MessageEndpoint);
  ports.push(other);
  const seen: unknown[] = [];
  const listener = (message: unknown): number => seen.push(message);
  provider.on("message", listener);
  other.on("message", (message) => seen.push(message));
  const subscription = await provider.send("eth_subscribe", ["newHeads"]);
  await provider.send("evm_mine");
  expect(seen).toEqual([
    { type: "eth_subscription", data: { subscription, result: expect.objectContaining({ number: "0x1" }) } },
  ]);
  provider.removeListener("message", listener);
  await provider.send("evm_mine");
  expect(seen).toHaveLength(1);
});

it("ends with the node, with the port, and with what served it", async () => {
  const first = await aServedNode();
  const disconnected = new Promise((resolve) => void first.provider.on("disconnect", resolve));
  await first.node.close();
  expect(await disconnected).toMatchObject({ code: 4900 });
  await expect(first.provider.send("eth_chainId")).rejects.toMatchObject({ code: 4900 });

  const second = await aServedNode();
  const waiting = second.provider.send("eth_chainId");
  second.provider.close();
  await expect(waiting).rejects.toMatchObject({ code: 4900 });

  const third = await aServedNode();
  expect(await third.provider.send("eth_chainId")).toBe("0x7a69");
  const end = new Promise((resolve) => void third.provider.on("disconnect", resolve));
  third.stop();
  expect(await end).toMatchObject({ code: 4900 });
  expect(await third.node.provider.send("eth_chainId")).toBe("0x7a69");
});

it("holds requests that come before the provider is there, and rejects them if it never is", async () => {
  const { node } = await aServedNode();
  let open: (provider: HindcastNode["provider"]) => void = () => undefined;
  const opening = new Promise<HindcastNode["provider"]>((resolve) => {
    open = resolve;
  });
  const [early, failing] = [new MessageChannel(), new MessageChannel()];
  const waiting = new PortProvider(early.port1 as unknown as MessageEndpoint);
  ports.push(waiting);
  const answer = waiting.send("eth_chainId");
  servePort(opening as never, early.port2 as unknown as MessageEndpoint);
  open(node.provider);
  expect(await answer).toBe("0x7a69");
  const refused = new PortProvider(failing.port1 as unknown as MessageEndpoint);
  ports.push(refused);
  const never = Promise.reject(Object.assign(new Error("no node"), { code: "INVALID_OPTION" }));
  servePort(never, failing.port2 as unknown as MessageEndpoint);
  await expect(refused.send("eth_chainId")).rejects.toMatchObject({ code: "INVALID_OPTION", message: "no node" });
});

it("refuses what cannot be sent to another thread", async () => {
  const { provider } = await aServedNode();
  await expect(provider.send("eth_call", [() => undefined])).rejects.toThrow("could not be cloned");
});
