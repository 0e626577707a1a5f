/** The limits of requests: `hindcast_nodeInfo` lists them, and an error of one names it, what was given, and its flag. */
import { describe, expect, it } from "vitest";
import { longFlag, NAMES } from "../../../src/cli/flags/flags.ts";
import { DEFAULT_LIMITS } from "../../../src/node/options/limits.ts";
import { aServedNode, quantity } from "../../support/a-node.ts";

interface Bound {
  readonly limit: number;
  readonly given?: number;
  readonly flag: string;
}

const listed = async (node: Awaited<ReturnType<typeof aServedNode>>): Promise<Record<string, unknown>> =>
  ((await node.plain.ask("hindcast_nodeInfo")) as { limits: Record<string, unknown> }).limits;

describe("hindcast_nodeInfo", () => {
  it("lists the limits of requests, with the gas of calls on the next block's hardfork", async () => {
    expect(await listed(await aServedNode())).toEqual({
      ...DEFAULT_LIMITS,
      callGasLimit: 50_000_000,
      traceFilterBlocks: null,
    });
    expect(await listed(await aServedNode({ hardfork: "amsterdam" }))).toMatchObject({ callGasLimit: 200_000_000 });
  });

  it("lists those that options set", async () => {
    const limits = { callGasLimit: 7n, minedBlocks: 3, traceFilterBlocks: 5 };
    const node = await aServedNode({ maxBatchLength: 2, maxRequestValues: 9, limits });
    expect(await listed(node)).toMatchObject({ ...limits, callGasLimit: 7, maxBatchLength: 2, maxRequestValues: 9 });
  });
});

describe("an error of a limit", () => {
  const flags = NAMES.map((name) => longFlag(name));

  it("names the limit, what was given, and the flag that raises it", async () => {
    const limits = { minedBlocks: 3, traceFilterBlocks: 5, executionMemory: 2 ** 24 };
    const { plain } = await aServedNode({ maxBatchLength: 2, maxRequestValues: 9, limits });
    const batch = JSON.stringify(Array(3).fill({ jsonrpc: "2.0", id: 1, method: "eth_chainId" }));
    // MSTORE at 32 MiB, which the gas of the call pays for.
    const memory = { data: "0x6000630200000052", gas: quantity(50_000_000) };
    const bounds: Bound[] = [
      (JSON.parse((await plain.post(batch)).text) as { error: { data: Bound } }).error.data,
      (await plain.failure("eth_feeHistory", "0x1", "latest", Array(7).fill(50))).data as Bound,
      (await plain.failure("anvil_mine", "0x4")).data as Bound,
      (await plain.failure("trace_filter", { fromBlock: "0x0", toBlock: "0x6" })).data as Bound,
      (await plain.failure("eth_call", memory, "latest")).data as Bound,
    ];
    expect(bounds).toEqual([
      { limit: 2, given: 3, flag: "--max-batch-length" },
      { limit: 9, given: 10, flag: "--max-request-values" },
      { limit: 3, given: 4, flag: "--mined-blocks" },
      { limit: 5, given: 6, flag: "--trace-filter-blocks" },
      { limit: 2 ** 24, flag: "--execution-memory" },
    ]);
    for (const { flag } of bounds) expect(flags).toContain(flag);
  });
});
