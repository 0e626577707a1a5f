import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { buildOnce } from "../support/build-once.ts";
import { isSlow } from "../support/seed.ts";
import { aRunningNode, type RunningNode } from "./a-command.ts";

beforeAll(buildOnce);

const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
/** Creates a contract that loops for ever over instructions that cost 1 gas: many JUMPDESTs, then PUSH0 JUMP. */
const RUNTIME = `${"5b".repeat(60)}5f56`;
const ENDLESS = `0x603e600c600039603e6000f3${RUNTIME}`;

/** A call of an endless loop with 60 million gas, of which the node allows what its limits say. */
async function anEndlessCall(node: RunningNode): Promise<object> {
  const hash = await node.ask("eth_sendTransaction", { from: ALICE, data: ENDLESS });
  const { contractAddress } = (await node.ask("eth_getTransactionReceipt", hash)) as { contractAddress: string };
  return { from: ALICE, to: contractAddress, gas: "0x3938700" };
}

const requestOf = (method: string, params: readonly unknown[]): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** Forty of them in one request: still under way, however long this process has to wait for its turn. */
async function endlessWork(node: RunningNode): Promise<string> {
  const call = await anEndlessCall(node);
  return requestOf("trace_callMany", [Array.from({ length: 40 }, () => [call, ["trace"]]), "latest"]);
}

const post = (node: RunningNode, body: string, signal?: AbortSignal): Promise<Response> =>
  fetch(node.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    ...(signal === undefined ? {} : { signal }),
  });

/** Lines of the request log so far. */
const logOf = (node: RunningNode): string[] => (node.stdout().split(/Listening on .*\n/)[1] ?? "").trim().split("\n");

async function untilLogged(node: RunningNode, method: string): Promise<string> {
  for (;;) {
    const line = logOf(node).find((entry) => entry.includes(` ${method}`));
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until earlier requests have arrived and run: the node has answered three later ones. */
async function underWay(node: RunningNode): Promise<void> {
  for (let count = 0; count < 3; count++) await node.ask("eth_blockNumber");
}

describe("while a call loops", () => {
  it.runIf(isSlow)("other requests are answered", async () => {
    const node = await aRunningNode();
    const client = new AbortController();
    let isOver = false;
    const looping = post(node, await endlessWork(node), client.signal).finally(() => {
      isOver = true;
    });
    const gone = expect(looping).rejects.toThrow("aborted");
    await underWay(node);
    expect(isOver).toBe(false);
    client.abort();
    await gone;
  });

  // Within the process, limits of calls have tests of their own.
  if (isSlow) {
    it("its own limit ends it with an error that says so", async () => {
      const node = await aRunningNode();
      const reply = await post(node, requestOf("eth_call", [await anEndlessCall(node), "latest"]));
      const { error } = (await reply.json()) as { error: { code: number; message: string } };
      expect(error.message).toMatch(/out of gas|time/);
    });
  }

  if (isSlow) {
    it("the work of an HTTP client that goes away stops", async () => {
      const node = await aRunningNode();
      const work = await endlessWork(node);
      const client = new AbortController();
      const gone = post(node, work, client.signal).catch((error: Error) => error.name);
      await underWay(node);
      client.abort();
      expect(await gone).toBe("AbortError");
      expect(await untilLogged(node, "trace_callMany")).toContain("-32005");
    });
  }

  if (isSlow) {
    it("the work of a WebSocket client that goes away stops", async () => {
      const node = await aRunningNode();
      const work = await endlessWork(node);
      const socket = new WebSocket(node.url.replace("http", "ws"));
      await new Promise((resolve) => socket.on("open", resolve));
      socket.send(work);
      await underWay(node);
      socket.terminate();
      expect(await untilLogged(node, "trace_callMany")).toContain("-32005");
    });
  }

  if (isSlow) {
    it("Ctrl-C does not wait for it", async () => {
      const node = await aRunningNode();
      const work = await endlessWork(node);
      const reply = post(node, work).catch(() => undefined);
      await underWay(node);
      expect(await node.interrupt()).toMatchObject({ code: 0, stderr: "" });
      await reply;
    });
  }
});
