/** Slow tests of node.debug: traces that are too large for memory. */
import { expect, it } from "vitest";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { aNode } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, send } from "../support/contracts.ts";

it("struct logs come no faster than they are read: gigabytes of memory are never held", async () => {
  const node = await aNode();
  const writing = assemble("3000 loop: DUP1 DUP1 32 MUL MSTORE 1 SWAP1 SUB DUP1 @loop JUMPI");
  const hash = decodeData(await send(node, { to: await deploy(node, writing), gas: "0xf4240" }));
  // Each entry has the 96 KB of memory.
  let bytes = 0;
  let entries = 0;
  for await (const { memory } of node.debug.eachStructLog(hash, { enableMemory: true, disableStack: true })) {
    bytes += memory?.length ?? 0;
    entries++;
    if (entries % 1_000 === 0) expect(process.memoryUsage().arrayBuffers).toBeLessThan(512 * 2 ** 20);
  }
  expect(bytes).toBeGreaterThan(2 * 2 ** 30);
});
