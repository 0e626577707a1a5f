import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { ALICE, openNode, quantity, type RpcFailure, type ServedNode, serve } from "../support/a-node.ts";
import { LOOP, place, send } from "../support/contracts.ts";
import { slowIt } from "../support/slow-suite.ts";
import { stepClock } from "../support/stepping-clock.ts";

const failureOf = (node: HindcastNode, call: object): Promise<RpcFailure> =>
  node.provider.send("eth_call", [call]).then(
    () => Promise.reject(new Error("it was answered")),
    (error: RpcFailure) => error,
  );

describe("where one execution may be under way and one may wait", () => {
  const limits = { concurrentExecutions: 1, queuedExecutions: 1, callTimeoutMs: 100, callGasLimit: 10n ** 11n };
  let served: ServedNode;
  beforeAll(async () => {
    served = await serve(await openNode({ limits }));
  });
  afterAll(() => served.node.close());

  slowIt(
    "the second waits within its own time limit, the third is refused, and blocks are made all the same",
    async () => {
      const { node } = served;
      const call = { from: ALICE, to: await place(node, LOOP), gas: quantity(limits.callGasLimit) };
      // The first two run out of looks at the clock, not of time, so that the third comes in time on any machine.
      stepClock();
      const calls = [1, 2, 3].map(() => failureOf(node, call));
      const sent = send(node, { to: ALICE });
      const messages = (await Promise.all(calls)).map(({ code, message }) => `${code} ${message}`).sort();
      expect(messages[0]).toBe(
        "-32005 1 executions are under way, and 1 wait already. Ask again later, or raise the limits with --queued-executions or limits.queuedExecutions.",
      );
      expect(messages.slice(1)).toEqual([
        expect.stringContaining("longer than its limit of 100 ms"),
        expect.stringContaining("longer than its limit of 100 ms"),
      ]);
      // The transaction does not stand in the queue, which would have refused it; on a busy machine its block may come
      // after the calls' answers.
      const hash = await sent;
      expect(node.head.transactions.map((mined) => encodeData(mined.hash))).toEqual([hash]);
    },
  );

  it("one that waits is let go of when its client goes", async () => {
    const { node, plain } = served;
    const to = await place(node, LOOP);
    const first = plain.failure("eth_call", { to, gas: quantity(limits.callGasLimit) });
    const client = new AbortController();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ to }] });
    const headers = { "content-type": "application/json" };
    const second = fetch(plain.url, { method: "POST", headers, body, signal: client.signal }).catch(() => "gone");
    await plain.ask("eth_blockNumber");
    client.abort();
    expect(await second).toBe("gone");
    await first;
    // The place in the queue is free again.
    const next = [1, 2].map(() => plain.failure("eth_call", { to, gas: quantity(limits.callGasLimit) }));
    for (const { message } of await Promise.all(next)) expect(message).toContain("longer than its limit");
  });
});
