/** Answers whose steps run a second time while they are written: in batches, over WebSocket, unwanted and broken off. */
import { request } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DebugService } from "../../../src/services/simulate/debug/debug.ts";
import type { StreamBounds } from "../../../src/services/simulate/replay/second-run.ts";
import { ALICE, aServedNode } from "../../support/a-node.ts";
import { aSocket } from "../../support/a-socket.ts";
import { deploy, LOOP } from "../../support/contracts.ts";
import { watchReadings } from "../../support/readings.ts";
import { slowIt } from "../../support/slow-suite.ts";

/** Everything runs twice. */
const NOTHING_KEPT = { heldBytes: 0, waitingBuffers: 1 };

type TraceCall = (call: unknown, options: unknown, streamed?: StreamBounds) => Promise<unknown>;

/** Has calls traced in two runs however short they are, and watches who reads the chain meanwhile. */
function keepNothing(): Promise<unknown>[] {
  const traceCall = DebugService.prototype.traceCall as unknown as TraceCall;
  const inTwoRuns: TraceCall = function (this: unknown, call, options, streamed) {
    return traceCall.call(this, call, options, streamed && NOTHING_KEPT);
  };
  vi.spyOn(DebugService.prototype, "traceCall").mockImplementation(inTwoRuns as never);
  return watchReadings();
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** A call of 750,000 steps, whose text fills the buffers of any connection; or of as many as there is gas for. */
async function aLongCall(gas = "0x2dc6c0") {
  const served = await aServedNode();
  const loop = await deploy(served.node, LOOP);
  return { ...served, method: "debug_traceCall", params: [{ from: ALICE, to: loop, gas }, "latest"] };
}

describe("an answer whose steps run a second time", () => {
  it("stands in its place in a batch", async () => {
    const { node, plain, method, params } = await aLongCall("0x7530");
    const result: unknown = await node.provider.send(method, params);
    keepNothing();
    const short = { jsonrpc: "2.0", method: "eth_chainId" };
    const long = { jsonrpc: "2.0", method, params };
    const batch = [{ ...short, id: 1 }, { ...long, id: 2 }, long, { ...short, id: 3 }, { ...long, id: 4 }];
    const { text } = await plain.post(JSON.stringify(batch));
    const answers = [1, 2, 3, 4].map((id) => ({ jsonrpc: "2.0", id, result: id % 2 === 0 ? result : "0x7a69" }));
    expect(text).toBe(JSON.stringify(answers));
  });

  it("is the same over WebSocket", async () => {
    const { node, plain, method, params } = await aLongCall("0x7530");
    const result: unknown = await node.provider.send(method, params);
    keepNothing();
    const socket = await aSocket(plain.url);
    expect(await socket.ask(method, ...params)).toEqual(result);
  });

  it("ends at once where nobody wants it", async () => {
    const { plain, method, params } = await aLongCall();
    const readings = keepNothing();
    expect(await plain.post(JSON.stringify({ jsonrpc: "2.0", method, params }))).toEqual({ status: 204, text: "" });
    await expect(Promise.all(readings)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
  });

  slowIt("ends with the connection of its reader", async () => {
    const { plain, method, params } = await aLongCall();
    const readings = keepNothing();
    await new Promise<void>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const outgoing = request(plain.url, { method: "POST", headers }, (reply) => {
        reply.once("readable", () => {
          reply.read();
          reply.destroy();
          resolve();
        });
        reply.on("error", () => undefined);
      });
      outgoing.on("error", reject);
      outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    });
    await expect(Promise.all(readings)).rejects.toMatchObject({ code: "EXECUTION_ABORTED" });
    expect(await plain.ask("eth_chainId")).toBe("0x7a69");
  });
});
