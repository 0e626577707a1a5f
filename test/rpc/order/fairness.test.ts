/** One connection's long batch beside another's single requests: counted by the order in which requests are answered. */

import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { ALICE, aNode, serve } from "../../support/a-node.ts";
import { stepClock } from "../../support/stepping-clock.ts";

const BATCH = 80;
const SINGLE = 10;

interface Connection {
  ask(request: unknown): Promise<void>;
}

async function aConnection(url: string): Promise<Connection> {
  const socket = new WebSocket(url.replace("http", "ws"));
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once("open", resolve));
  return {
    ask: (request) =>
      new Promise((resolve) => {
        socket.once("message", () => resolve());
        socket.send(JSON.stringify(request));
      }),
  };
}

const request = (method: string, ...params: unknown[]): object => ({ jsonrpc: "2.0", id: 1, method, params });

/** Names of the methods in the order of their answers: a batch of one method, and single requests of eth_chainId meanwhile. */
async function answered(method: string, ...params: unknown[]): Promise<string[]> {
  const order: string[] = [];
  const node = await aNode({ onRequest: (name) => void order.push(name) });
  const { plain } = await serve(node);
  const [first, second] = [await aConnection(plain.url), await aConnection(plain.url)];
  // Loads the code of both methods.
  await first.ask(request(method, ...params));
  await second.ask(request("eth_chainId"));
  order.length = 0;
  // Each look at the clock takes 10 ms, so that every answer takes longer than the turn of a batch.
  stepClock(10);
  const batch = first.ask(Array(BATCH).fill(request(method, ...params)));
  for (let count = 0; count < SINGLE; count++) await second.ask(request("eth_chainId"));
  const atOnce = [...order];
  await batch;
  expect(order.filter((name) => name === method)).toHaveLength(BATCH);
  return atOnce;
}

describe("a long batch of one connection", () => {
  it.each<[string, ...unknown[]]>([
    ["eth_getBalance", ALICE, "latest"],
    ["eth_feeHistory", "0x1", "latest", []],
    ["eth_call", { to: ALICE }, "latest"],
    ["debug_traceCall", { to: ALICE }, "latest", { tracer: "callTracer" }],
    ["eth_sendTransaction", { from: ALICE, to: ALICE }],
  ])("of %s lets another's single ones through, one answer of the batch at a time", async (method, ...params) => {
    const order = await answered(method, ...params);
    const before = order.filter((name) => name === method).length;
    // A question and its answer over the network need a few turns of the event loop, in each of which the batch goes on.
    expect(order.filter((name) => name === "eth_chainId")).toHaveLength(SINGLE);
    expect(before).toBeLessThan(SINGLE * 6);
  });
});
