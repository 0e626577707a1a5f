import { expect, it } from "vitest";
import { aServedNode } from "../../support/a-node.ts";

it("one request has at most so many blocks mined as the limits say, by whatever name it asks", async () => {
  const { node, plain } = await aServedNode({ limits: { minedBlocks: 3 } });
  await plain.ask("anvil_mine", "0x3");
  const many: [method: string, ...params: unknown[]][] = [
    ["anvil_mine", "0x4"],
    ["anvil_mine", "0xffffffffffff"],
    ["evm_mine", { blocks: 4 }],
    ["evm_mine_detailed", { blocks: 4 }],
    ["hindcast_mine", { blocks: 4 }],
  ];
  for (const [method, ...params] of many) {
    const { code, message } = await plain.failure(method, ...params);
    expect([code, message]).toEqual([-32005, expect.stringContaining("at most 3")]);
  }
  await expect(node.reorg({ depth: 1, blocks: 4 })).rejects.toMatchObject({ code: "TOO_MANY_BLOCKS" });
  expect(node.head.header.number).toBe(3n);
});
