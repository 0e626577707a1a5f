/** A fork whose upstream is gone for ten seconds, with the default time limits. */
import { expect, it } from "vitest";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { ALICE, aNode, BOB, NOW } from "../support/a-node.ts";
import { anUpstream, type Misdeed } from "../support/an-upstream.ts";

it.each<Misdeed>(["drop", "500"])(
  "answers once the upstream is back after ten seconds of: %s",
  async (deed) => {
    const chain = await aNode();
    await chain.mine({ blocks: 3 });
    const upstream = await anUpstream(chain.provider as RemoteProvider);
    const node = await aNode({
      clock: () => NOW,
      accounts: 0,
      fork: { url: upstream.url, blockNumber: 2, cache: false },
    });
    const back = Date.now() + 10_000;
    upstream.rules.misdeed = () => (Date.now() < back ? deed : undefined);
    const asked = [ALICE, BOB].map((address) => node.provider.send("eth_getBalance", [address, "0x2"]));
    const expected = [ALICE, BOB].map((address) => chain.provider.send("eth_getBalance", [address, "0x2"]));
    expect(await Promise.all(asked)).toEqual(await Promise.all(expected));
    expect(Date.now()).toBeGreaterThanOrEqual(back);
  },
  60_000,
);
