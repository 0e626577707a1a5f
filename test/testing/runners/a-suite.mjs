// Tests of a fixture, under any runner whose functions are passed in.
import assert from "node:assert/strict";

/** Declares tests of which each fails unless the chain was put back before it. */
export function aSuite({ before, describe, it, useHindcast }) {
  const chain = useHindcast({ accounts: 2, listen: true });
  const head = () => chain.provider.request({ method: "eth_blockNumber" });

  it("one: mines", async () => {
    await chain.node.mine({ blocks: 2 });
    assert.equal(await head(), "0x2");
  });

  it("two: begins where one began, at an address", async () => {
    assert.equal(await head(), "0x0");
    assert.match(chain.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  describe("a group", () => {
    before(() => chain.node.mine());

    it("three: keeps what its own hook did", async () => {
      assert.equal(await head(), "0x1");
      await chain.node.mine();
    });

    it("four: and loses what three did", async () => assert.equal(await head(), "0x1"));
  });
}
