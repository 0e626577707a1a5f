import { describe, expect, it } from "vitest";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { aNode, BOB } from "../../support/a-node.ts";
import { send } from "../../support/contracts.ts";

describe("a hash", () => {
  it("may be bytes or DATA", async () => {
    const node = await aNode();
    const hash = await send(node, { to: BOB });
    expect(node.getBlock(node.head.hash)).toEqual(node.head);
    expect(node.getBlock(encodeData(node.head.hash))).toEqual(node.head);
    expect(await node.renderTrace(hash as `0x${string}`)).toContain("← [Stop]");
  });

  it.each<[unknown, string]>([
    ["0x12", '"0x12"'],
    ["latest", '"latest"'],
    [7, "7"],
    [undefined, "nothing"],
    [new Uint8Array(3), "3 bytes"],
  ])("is refused in words where it is %o", async (value, shown) => {
    const node = await aNode();
    const words = `hash: expected 32 bytes in a Uint8Array or as DATA, got ${shown}.`;
    expect(() => node.getBlock(value as never)).toThrow(
      `id: expected a block number as a bigint, or 32 bytes in a Uint8Array or as DATA, got ${shown}.`,
    );
    const unreadable = `hash: expected 32 bytes in a Uint8Array, got ${shown}.`;
    await expect(node.trace.transaction(value as never)).rejects.toThrow(unreadable);
    await expect(node.debug.traceTransaction(value as never)).rejects.toThrow(unreadable);
    await expect(node.renderTrace(value as never)).rejects.toMatchObject({ code: "INVALID_PARAMS", message: words });
  });
});
