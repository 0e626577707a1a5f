/** Hints: what the upstream says that a call touches is fetched before the call, and never believed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { Hints } from "../../src/remote/hints.ts";
import { ALICE, NOBODY } from "../support/a-node.ts";
import { UpstreamFailure } from "../support/an-upstream.ts";
import { aWorld, bytes, CONTRACT, openChainNode, slotOf } from "./a-remote-chain.ts";

let shared: HindcastNode;
beforeAll(async () => {
  shared = await openChainNode();
});
afterAll(() => shared.close());

const CALL = { from: ALICE, to: CONTRACT };

it("a hint names sender, receiver and slots, and is asked for once", async () => {
  const world = await aWorld({}, shared);
  const chain = await world.open();
  const hints = new Hints(chain);
  world.upstream.forget();
  const keys = await hints.ofCall(CALL, chain.pin);
  expect(keys).toEqual([
    { address: bytes(ALICE), slots: [] },
    { address: bytes(CONTRACT), slots: [] },
    { address: bytes(CONTRACT), slots: [slotOf(0)] },
  ]);
  expect(await hints.ofCall(CALL, chain.pin)).toEqual(keys);
  expect(world.upstream.posts).toBe(1);
  await chain.state.prefetch(keys);
  expect(chain.state.getStorage(bytes(CONTRACT), slotOf(0))).toEqual(Uint8Array.of(1));
  expect(world.upstream.waves).toBe(2);
});

it("an upstream that gives no hints is asked once", async () => {
  const world = await aWorld({}, shared);
  const chain = await world.open();
  const hints = new Hints(chain);
  world.upstream.rules.answer = () => {
    throw new UpstreamFailure(-32601, "the method eth_createAccessList does not exist/is not available");
  };
  world.upstream.forget();
  expect(await hints.ofCall(CALL, chain.pin)).toHaveLength(2);
  expect(await hints.ofCall({ to: NOBODY }, chain.pin)).toEqual([{ address: bytes(NOBODY), slots: [] }]);
  expect(world.upstream.posts).toBe(1);
});

it.each([null, "0x", { accessList: "0x" }, { accessList: [{ address: "0x12", storageKeys: [] }] }])(
  "a hint that cannot be read is none: %j",
  async (answer) => {
    const world = await aWorld({}, shared);
    const chain = await world.open();
    world.upstream.rules.answer = async () => answer;
    expect(await new Hints(chain).ofCall(CALL, chain.pin)).toHaveLength(2);
  },
);

it("a block's own access list names its accounts and slots", async () => {
  const world = await aWorld({}, shared);
  const chain = await world.open();
  world.upstream.rules.answer = ({ method }, ask) => {
    if (method !== "eth_getBlockAccessListByBlockHash") return ask();
    const storageChanges = [{ key: `0x${"00".repeat(32)}`, changes: [] }];
    return [{ address: CONTRACT, storageChanges, storageReads: [`0x${"00".repeat(31)}01`] }];
  };
  const keys = await new Hints(chain).ofBlock(chain.pin.hash);
  expect(keys).toEqual([{ address: bytes(CONTRACT), slots: [slotOf(0), slotOf(1)] }]);
});
