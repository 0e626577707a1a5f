/** Large requests wait for each other, small ones go by. */
import { expect, it } from "vitest";
import { LargeRequests, MAX_LARGE_LENGTH } from "../../../src/rpc/requests/large-requests.ts";
import { ALICE, aNode, BOB, serve } from "../../support/a-node.ts";
import { post } from "../../support/post.ts";

const HALF = MAX_LARGE_LENGTH / 2;

function begun(held?: { bytes: number }) {
  const requests = new LargeRequests(held);
  const order: string[] = [];
  const enter = (name: string, length: number): void => {
    const waiting = requests.enter(length);
    if (waiting === undefined) order.push(name);
    else void waiting.then(() => order.push(name));
  };
  return { requests, order, enter };
}

it("begin in their order, when those before them have left room", async () => {
  const { requests, order, enter } = begun();
  enter("a", HALF);
  enter("b", HALF);
  enter("c", HALF);
  enter("d", 100_000);
  enter("small", 1_000);
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "small"]);
  requests.leave(HALF);
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "small", "c"]);
  requests.leave(HALF);
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "small", "c", "d"]);
});

it("are served alone if they are larger than all may be together", async () => {
  const { requests, order, enter } = begun();
  enter("a", 3 * MAX_LARGE_LENGTH);
  enter("b", 100_000);
  expect(order).toEqual(["a"]);
  requests.leave(3 * MAX_LARGE_LENGTH);
  await Promise.resolve();
  expect(order).toEqual(["a", "b"]);
});

it("are served one after the other while clients have the process hold much", async () => {
  const held = { bytes: 2 * MAX_LARGE_LENGTH + 1 };
  const { requests, order, enter } = begun(held);
  enter("a", 100_000);
  enter("b", 100_000);
  enter("c", 100_000);
  expect(order).toEqual(["a"]);
  requests.leave(100_000);
  await Promise.resolve();
  expect(order).toEqual(["a", "b"]);
  held.bytes = 0;
  requests.leave(100_000);
  await Promise.resolve();
  enter("d", 100_000);
  expect(order).toEqual(["a", "b", "c", "d"]);
});

it("do not wait for one that itself waits for a block", async () => {
  const node = await aNode({ mining: "manual" });
  const { url } = await serve(node);
  const order: string[] = [];
  const ask = async (name: string, request: object): Promise<void> => {
    const { text } = await post(url, JSON.stringify(request) + " ".repeat(MAX_LARGE_LENGTH / 2));
    if (text.includes('"result"')) order.push(name);
  };
  const transfer = { from: ALICE, to: BOB, value: "0x1" };
  const sending = { jsonrpc: "2.0", id: 1, method: "eth_sendTransactionSync", params: [transfer, 20_000] };
  const sent = ask("a batch that waits", [sending]);
  await expect.poll(() => node.provider.send("txpool_status", [])).toMatchObject({ pending: "0x1" });
  const chainId = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
  await ask("another beside it", chainId);
  await node.mine();
  await sent;
  expect(order).toEqual(["another beside it", "a batch that waits"]);
});
