/** Blocks that a node cannot execute for a limit of its own: they are not called invalid. */
import { describe, expect, it } from "vitest";
import { encodeBlock } from "../../../src/chainspec/header/block.ts";
import { concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { aNode, quantity } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy, receiptOf, send } from "../../support/contracts.ts";

// Each frame takes a megabyte and calls the contract again, as long as there is gas: 32 frames, of which the core needs more than 16 MiB.
const DEEP = assemble("1 0x100000 MSTORE 0 0 0 0 0 ADDRESS GAS CALL STOP");

describe("a block that exceeds limits.executionMemory", () => {
  const least = 2 ** 24;

  it("has an error of its own, and is imported where there is room", async () => {
    const options = { hardfork: "prague", gasLimit: 300_000_000 } as const;
    const source = await aNode(options);
    const contract = await deploy(source, DEEP);
    const hash = await send(source, { to: contract, gas: quantity(200_000_000) });
    expect((await receiptOf(source, hash)).status).toBe("0x1");
    const blocks = [1n, 2n].map((number) => encodeBlock(source.getBlock(number) ?? source.head));
    const small = await aNode({ ...options, limits: { executionMemory: least } });
    await expect(small.importChain(concatBytes(...blocks))).rejects.toMatchObject({
      code: "BLOCK_NOT_EXECUTED",
      rpcCode: -32005,
      what: expect.stringMatching(
        /^Block 2 could not be executed, and may be valid: transaction 0 exceeds a limit of this node\. The execution needs/,
      ),
      fix: expect.stringContaining("executionMemory"),
    });
    expect(small.head.header.number).toBe(1n);
    await expect(small.importBlock(blocks[1] ?? new Uint8Array(0))).rejects.toMatchObject({
      code: "BLOCK_NOT_EXECUTED",
    });
    expect(await small.provider.send("debug_getBadBlocks", [])).toEqual([]);
    const large = await aNode(options);
    await large.importChain(concatBytes(...blocks));
    expect(large.head.hash).toEqual(source.head.hash);
  });
});
