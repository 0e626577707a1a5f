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

  it("five: compares gas with what is kept beside the file of the test", async () => {
    const [from, to] = await chain.provider.request({ method: "eth_accounts" });
    const send = (data) => chain.provider.request({ method: "eth_sendTransaction", params: [{ from, to, data }] });
    await chain.matchGasSnapshot(await send("0x"));
    await assert.rejects(chain.matchGasSnapshot(await send("0x01"), "of a plain transfer"), /21000 are stored: \+/);
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
