/** The limits of requests: `hindcast_nodeInfo` lists them, and an error of one names it, what was given, and its flag. */
import { describe, expect, it, onTestFinished } from "vitest";
import { longFlag, NAMES } from "../../../src/cli/flags/flags.ts";
import { createNode, type NodeOptions } from "../../../src/index.ts";
import { DEFAULT_LIMITS } from "../../../src/node/options/limits.ts";
import { type Client, serve } from "../../support/a-node.ts";

interface Bound {
  readonly limit: number;
  readonly given?: number;
  readonly flag: string;
}

/** A client of a node with these options and no others. */
async function aClient(options: NodeOptions = {}): Promise<Client> {
  const node = await createNode(options);
  onTestFinished(() => node.close());
  return (await serve(node)).plain;
}

const listed = async (client: Client): Promise<Record<string, unknown>> =>
  (await client.ask<{ limits: Record<string, unknown> }>("hindcast_nodeInfo")).limits;

describe("hindcast_nodeInfo", () => {
  it("lists the limits of requests, with the gas of calls on the next block's hardfork", async () => {
    expect(await listed(await aClient())).toEqual({
      ...DEFAULT_LIMITS,
      callGasLimit: 50_000_000,
      traceFilterBlocks: null,
    });
    expect(await listed(await aClient({ hardfork: "amsterdam" }))).toMatchObject({ callGasLimit: 200_000_000 });
  });

  it("lists those that are fixed, by their names in SECURITY.md", async () => {
    const { fixedLimits } = await (await aClient()).ask<{ fixedLimits: Record<string, number> }>("hindcast_nodeInfo");
    expect(fixedLimits).toMatchObject({ "request depth": 256, maxConcurrentRequests: 128, keepAliveTimeout: 72_000 });
  });

  it("lists those that options set", async () => {
    const limits = { callGasLimit: 7n, minedBlocks: 3, traceFilterBlocks: 5 };
    const node = await aClient({ maxBatchLength: 2, maxRequestValues: 9, limits });
    expect(await listed(node)).toMatchObject({ ...limits, callGasLimit: 7, maxBatchLength: 2, maxRequestValues: 9 });
  });
});

describe("an error of a limit", () => {
  const flags = NAMES.map((name) => longFlag(name));

  it("names the limit, what was given, and the flag that raises it", async () => {
    const limits = { minedBlocks: 3, traceFilterBlocks: 5 };
    const plain = await aClient({ maxBatchLength: 2, maxRequestValues: 9, limits });
    const batch = JSON.stringify(Array(3).fill({ jsonrpc: "2.0", id: 1, method: "eth_chainId" }));
    const bounds: Bound[] = [
      (JSON.parse((await plain.post(batch)).text) as { error: { data: Bound } }).error.data,
      (await plain.failure("eth_feeHistory", "0x1", "latest", Array(7).fill(50))).data as Bound,
      (await plain.failure("anvil_mine", "0x4")).data as Bound,
      (await plain.failure("trace_filter", { fromBlock: "0x0", toBlock: "0x6" })).data as Bound,
    ];
    expect(bounds).toEqual([
      { limit: 2, given: 3, flag: "--max-batch-length" },
      { limit: 9, given: 10, flag: "--max-request-values" },
      { limit: 3, given: 4, flag: "--mined-blocks" },
      { limit: 5, given: 6, flag: "--trace-filter-blocks" },
    ]);
    for (const { flag } of bounds) expect(flags).toContain(flag);
  });
});
