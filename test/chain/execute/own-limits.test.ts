/** Blocks that a node cannot execute for a limit of its own: they are not called invalid. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeBlock } from "../../../src/chainspec/header/block.ts";
import type { HindcastNode } from "../../../src/index.ts";
import { concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { aNode, openNode, quantity } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy, receiptOf, send } from "../../support/contracts.ts";
import { slowIt } from "../../support/slow-suite.ts";

// Each frame takes a megabyte and calls the contract again, as long as there is gas: 20 frames, of which the core needs more than 16 MiB.
const DEEP = assemble("1 0x100000 MSTORE 0 0 0 0 0 ADDRESS GAS CALL STOP");

/** Such a block has 50 million gas. */
const OPTIONS = { hardfork: "prague", gasLimit: 60_000_000 } as const;
/** The least that an execution may have. */
const least = 2 ** 24;

/** A chain whose second block needs more memory than that. */
let source: HindcastNode;
let contract: Hex;
let hash: Hex;
let blocks: readonly Uint8Array[];
beforeAll(async () => {
  source = await openNode(OPTIONS);
  contract = await deploy(source, DEEP);
  hash = await send(source, { to: contract, gas: quantity(50_000_000) });
  expect((await receiptOf(source, hash)).status).toBe("0x1");
  blocks = [1n, 2n].map((number) => encodeBlock(source.getBlock(number) ?? source.head));
});
afterAll(() => source.close());

describe("a block that exceeds limits.importMemory", () => {
  it("has an error of its own, and is imported where there is room", async () => {
    const small = await aNode({ ...OPTIONS, limits: { executionMemory: least, importMemory: least } });
    await expect(small.importChain(concatBytes(...blocks))).rejects.toMatchObject({
      code: "BLOCK_NOT_EXECUTED",
      rpcCode: -32005,
      what: expect.stringMatching(
        /^Block 2 could not be executed, and may be valid: transaction 0 exceeds a limit of this node\. The execution needs/,
      ),
      fix: "Raise the limit with --import-memory or limits.importMemory.",
      cause: expect.objectContaining({ data: { limit: least, flag: "--import-memory" } }),
    });
    expect(small.head.header.number).toBe(1n);
    await expect(small.importBlock(blocks[1] ?? new Uint8Array(0))).rejects.toMatchObject({
      code: "BLOCK_NOT_EXECUTED",
    });
    expect(await small.provider.send("debug_getBadBlocks", [])).toEqual([]);
    const large = await aNode(OPTIONS);
    await large.importChain(concatBytes(...blocks));
    expect(large.head.hash).toEqual(source.head.hash);
  });

  slowIt("is imported and traced with more memory than a call may have", async () => {
    const node = await aNode({ ...OPTIONS, limits: { executionMemory: least, callGasLimit: 50_000_000n } });
    await node.importChain(concatBytes(...blocks));
    expect(node.head.hash).toEqual(source.head.hash);
    const ask = (from: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
      from.provider.send(method as "eth_blockNumber", params as never);
    const tracers = ["callTracer", "{ result: () => 1, fault: () => {} }"];
    for (const tracer of tracers) {
      expect(await ask(node, "debug_traceTransaction", hash, { tracer })).toEqual(
        await ask(source, "debug_traceTransaction", hash, { tracer }),
      );
    }
    expect(await ask(node, "trace_block", "0x2")).toEqual(await ask(source, "trace_block", "0x2"));
    const call = { to: contract, gas: quantity(50_000_000) };
    await expect(ask(node, "eth_call", call, "latest")).rejects.toThrow("--execution-memory");
    // A block that a client sends is not one that was imported.
    const other = await aNode({ ...OPTIONS, limits: { executionMemory: least } });
    await other.importBlock(blocks[0] as Uint8Array);
    const sent = encodeData(blocks[1] as Uint8Array);
    await expect(ask(other, "debug_traceBlock", sent)).rejects.toThrow("--execution-memory");
  });
});
