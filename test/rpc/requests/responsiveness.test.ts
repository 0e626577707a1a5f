import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastError } from "../../../src/errors/hindcast-error.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { deferred } from "../../server/a-server.ts";
import { ALICE, type Client, openNode, quantity, type ServedNode, serve } from "../../support/a-node.ts";
import { LOOP, place } from "../../support/contracts.ts";

/** More than any time limit lasts. */
const ENDLESS_GAS = 10n ** 11n;

describe("an eth_call over HTTP", () => {
  let served: ServedNode;

  beforeAll(async () => {
    const limits = { callGasLimit: ENDLESS_GAS, callTimeoutMs: 250 };
    served = await serve(await openNode({ gasLimit: 100_000_000, limits }));
  });
  afterAll(() => served.node.close());

  it("is ended by its own limit with -32005, and the error says what to do", async () => {
    const to = await place(served.node, LOOP);
    const failure = await served.plain.failure("eth_call", { to, gas: quantity(ENDLESS_GAS) });
    expect([failure.code, failure.message]).toEqual([
      -32005,
      "The execution took longer than its limit of 250 ms. Raise it with --call-timeout or limits.callTimeoutMs, for traces " +
        "--trace-timeout or limits.traceTimeoutMs, or give the call less gas.",
    ]);
  });
});

/** Returns once this process idles: less than half of a moment is spent on anything. Work left behind would not let it. */
async function quiet(): Promise<void> {
  const moment = 50_000;
  for (;;) {
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, moment / 1_000));
    const { user, system } = process.cpuUsage(before);
    if (user + system < moment / 2) return;
  }
}

/** Waits until earlier requests have arrived and run: the node has answered three later ones. */
async function underWay({ ask }: Client): Promise<void> {
  for (let count = 0; count < 3; count++) await ask("eth_blockNumber");
}

describe("the work of a client that goes away", () => {
  const bodyOf = (method: string, to: Hex): string => {
    const call = { from: ALICE, to, gas: quantity(ENDLESS_GAS) };
    const params = method === "trace_callMany" ? [[[call, ["trace"]]]] : [call];
    return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  };
  const limits = { callGasLimit: ENDLESS_GAS, callTimeoutMs: 60_000, traceTimeoutMs: 60_000 };

  it.each(["eth_call", "eth_estimateGas", "trace_callMany"])("stops: %s ends as aborted", async (method) => {
    const ended = deferred<HindcastError | undefined>();
    const node = await openNode({
      // From Osaka on an estimate stops at the cap of EIP-7825, which a loop uses up before anybody can leave.
      hardfork: "prague",
      limits,
      onRequest: (name, error) => {
        if (name === method) ended.resolve(error);
      },
    });
    const { plain } = await serve(node);
    const body = bodyOf(method, await place(node, LOOP));
    const client = request(plain.url, { method: "POST", headers: { "content-type": "application/json" } });
    client.on("error", () => undefined).end(body);
    await new Promise((resolve) => client.once("finish", resolve));
    await underWay(plain);
    client.destroy();
    expect((await ended.promise)?.code).toBe("EXECUTION_ABORTED");
    // Nothing goes on in the background.
    await quiet();
    await node.close();
  });

  it("stops when the node closes, too", async () => {
    const node = await openNode({ limits });
    const { plain } = await serve(node);
    const to = await place(node, LOOP);
    const params = [{ to, gas: quantity(ENDLESS_GAS) }] as const;
    const inProcess = node.provider.request({ method: "eth_call", params }).catch((error: Error) => error);
    const overHttp = plain.post(bodyOf("eth_call", to)).catch((error: Error) => error.name);
    await underWay(plain);
    await node.close();
    const failure = await inProcess;
    expect(failure).toMatchObject({ code: 4900, cause: { code: "NODE_CLOSED", cause: { code: "EXECUTION_ABORTED" } } });
    await overHttp;
  });
});
