/** hindcast trace-check: what it finds of our own node in the manner of each client, and of nodes that are wrong. */
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { runTraceCheck } from "../../../src/cli/trace-check-command.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { TRACE_CLIENTS } from "../../../src/services/simulate/trace/client.ts";
import { aServedNode } from "../../support/a-node.ts";
import { slowIt } from "../../support/slow-suite.ts";

/** Answers as another node would: each result may be changed on its way. */
async function aProxy(options: NodeOptions, change: (method: string, result: unknown) => unknown): Promise<string> {
  const { node } = await aServedNode(options);
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { id, method, params } = JSON.parse(body);
    const answer = await node.provider.send(method, params).then(
      (result) => ({ result: change(method, result) }),
      ({ code, message }: { code: number; message: string }) => ({ error: { code, message } }),
    );
    const missing = "result" in answer && answer.result === MISSING;
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(missing ? NOT_FOUND : answer) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
}

const MISSING = Symbol("the node does not have the method");
const NOT_FOUND = { error: { code: -32601, message: "Method not found" } };
const LONDON: NodeOptions = { hardfork: "london" };

describe("of a node that follows a client", () => {
  it.each(TRACE_CLIENTS)("finds no difference to it: %s", async (traceClient) => {
    const { url } = await aServedNode({ ...LONDON, traceClient });
    const { text, differs } = await runTraceCheck([url, "--write", "--client", traceClient]);
    expect(text).toContain(": 28 seen.");
    expect(text).toMatch(new RegExp(`As they are in: .*\\b${traceClient} 28\\b`));
    expect(text).toContain(
      "The methods agree with each other on the last blocks (4 blocks, 4 transactions, 10 entries).",
    );
    expect(differs).toBe(false);
  });

  it("names each difference to another, with what both do", async () => {
    const { url } = await aServedNode({ ...LONDON, traceClient: "reth" });
    const { text, differs } = await runTraceCheck([url, "--write"]);
    expect(differs).toBe(true);
    expect(text).toContain("\n  Calls that never start: listed, in hindcast left out\n");
    expect(text).toContain("\n  vmTrace: used: gas before, in hindcast gas after\n");
    expect(text).toContain("hindcast 11, openethereum 3, reth 28");
  });

  it("says what an empty chain cannot show, and writes nothing without --write", async () => {
    const { url, node } = await aServedNode(LONDON);
    const { text, differs } = await runTraceCheck([url]);
    expect(text).toMatch(/Not seen, for lack of ether, blocks or a transaction: .*trace_get/);
    expect(text).toContain("(0 blocks, 0 transactions, 0 entries)");
    expect(differs).toBe(false);
    expect(node.head.header.number).toBe(0n);
  });

  it("sees rewards before the Merge", async () => {
    const { url, node } = await aServedNode({ ...LONDON, traceClient: "erigon" });
    await node.mine();
    const { text } = await runTraceCheck([url]);
    expect(text).toContain("\n  Transaction members of a reward: absent, in hindcast null\n");
  });
});

describe("of a node that is wrong", () => {
  it("names the rule that does not hold, and the first place", async () => {
    const url = await aProxy(LONDON, (method, result) =>
      method === "trace_transaction" ? (result as object[]).map((entry) => ({ ...entry, subtraces: 7 })) : result,
    );
    const { text, differs } = await runTraceCheck([url, "--write"]);
    expect(differs).toBe(true);
    expect(text).toMatch(
      /\n {2}subtraces counts the entries below, and traceAddress is their path: block 1, transaction 0x/,
    );
    expect(text).toContain("\n  trace_block is the sum of its trace_transaction: block 1\n");
  });

  it("names an entry of another form", async () => {
    const url = await aProxy(LONDON, (method, result) =>
      method === "trace_block"
        ? ((result as { action: object }[] | null)?.map((entry) => ({
            ...entry,
            action: { ...entry.action, gas: 5 },
          })) ?? null)
        : result,
    );
    const { text } = await runTraceCheck([url, "--write"]);
    expect(text).toMatch(/an entry has Parity's members and forms \(action\.gas: .*\): block 1, entry 0\n/);
  });

  slowIt("sends what cannot be simulated, and names the methods that are missing", async () => {
    const url = await aProxy(LONDON, (method, result) => (method === "trace_call" ? MISSING : result));
    const { text, differs } = await runTraceCheck([url, "--write"]);
    expect(differs).toBe(true);
    expect(text).toContain(": 25 seen.");
    expect(text).toContain("\n  trace_call: the node does not have it, and 3 points need it\n");
    const { text: unwritten } = await runTraceCheck([url]);
    expect(unwritten).toMatch(/trace_call: the node does not have it, and \d\d points need it/);
  });

  it("names answers of another shape instead of failing", async () => {
    const url = await aProxy(LONDON, (method, result) => (method === "trace_callMany" ? {} : result));
    const { text } = await runTraceCheck([url]);
    expect(text).toMatch(/\n {2}Default block of trace_callMany: the node answers an answer of another shape/);
  });
});

describe("of what cannot be checked", () => {
  it.each([
    [["ws://127.0.0.1:1"], /expected a URL such as http:\/\/127\.0\.0\.1:8545, got "ws:/],
    [[], /missing required argument 'url'/],
    [["http://127.0.0.1:1", "--client", "parity"], /--client.*parity.*Allowed choices are hindcast, openethereum/],
    [["http://127.0.0.1:1", "--blocks", "-1"], /--blocks: expected a whole number from 0 to 1000/],
    [["http://127.0.0.1:1"], /The node http:\/\/127\.0\.0\.1:1\/? does not answer web3_clientVersion/],
  ])("%j: a clear error", async (argv, message) => {
    await expect(runTraceCheck(argv)).rejects.toThrow(message);
  });

  it("prints its help", async () => {
    const { text, differs } = await runTraceCheck(["--help"]);
    expect(text).toContain("--write");
    expect(differs).toBe(false);
  });
});
