/** Reads of nodes that take no block objects (EIP-1898): by number, whose hash is checked. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { RemoteOptions } from "../../../src/remote/upstream.ts";
import { ALICE, BOB } from "../../support/a-node.ts";
import { UpstreamFailure, type UpstreamRules } from "../../support/an-upstream.ts";
import { aWorld, bytes, CODE, CONTRACT, openChainNode, RICH, slotOf } from "../a-remote-chain.ts";

let shared: HindcastNode;
beforeAll(async () => {
  shared = await openChainNode();
});
afterAll(() => shared.close());

const isBlockObject = (param: unknown): boolean => typeof param === "object" && param !== null && "blockHash" in param;

/** Refuses block objects; all blocks are final. */
function refusing(code: number, message: string): UpstreamRules {
  return {
    answer: ({ method, params }, ask) => {
      if (params.some(isBlockObject)) throw new UpstreamFailure(code, message);
      return method === "eth_getBlockByNumber" && params[0] === "finalized" ? { number: "0x6" } : ask();
    },
  };
}

const REFUSALS: readonly (readonly [number, string])[] = [
  [-32_700, 'Cannot wrap a "object" as a json-rpc type'],
  [-32_602, "invalid argument 1: json: cannot unmarshal object into Go value of type string"],
  [-32_603, "Invalid params: unexpected block object"],
  [-32_603, "Internal error"],
  [-32_000, "unsupported block parameter"],
  [-32_600, "[object Object] is no number"],
];

const PINS: readonly (readonly [string, () => RemoteOptions])[] = [
  ["the newest block", () => ({})],
  ["a number", () => ({ blockNumber: 6n })],
  ["a hash", () => ({ blockHash: `0x${Buffer.from(shared.head.hash).toString("hex")}` })],
];

describe("a node that takes no block objects", () => {
  it.each(REFUSALS.flatMap((refusal) => PINS.map(([name, pin]) => [name, pin, ...refusal] as const)))(
    "is read by number at %s",
    async (_, pin, code, message) => {
      const world = await aWorld(refusing(code, message), shared);
      const { state } = await world.open({ ...pin(), firstAccounts: [bytes(ALICE)] });
      const account = await state.getAccount(bytes(CONTRACT));
      expect(await state.getCode(account?.codeHash ?? bytes("0x"))).toEqual(bytes(CODE));
      expect(await state.getStorage(bytes(CONTRACT), slotOf(3))).toEqual(Uint8Array.of(4));
      expect(await state.getAccount(bytes(RICH))).toMatchObject({ balance: 5n });
      expect(await state.hasStorage(bytes(CONTRACT))).toBe(true);
      world.upstream.forget();
      await state.getAccount(bytes(BOB));
      expect(world.upstream.calls.some(({ params }) => params.some(isBlockObject))).toBe(false);
    },
  );

  it("is read by number with proofs", async () => {
    const world = await aWorld(refusing(-32_700, 'Cannot wrap a "object" as a json-rpc type'), shared);
    const { state } = await world.open({ verify: true });
    expect(await state.getStorage(bytes(CONTRACT), slotOf(3))).toEqual(Uint8Array.of(4));
  });

  it("is not believed once the number names another block", async () => {
    const world = await aWorld(refusing(-32_602, "invalid argument 1: hex string expected"));
    const { state } = await world.open({ lagMs: 0 });
    expect(await state.getAccount(bytes(RICH))).toMatchObject({ balance: 5n });
    await world.node.reorg({ depth: 1 });
    await expect(state.getStorage(bytes(CONTRACT), slotOf(3))).rejects.toMatchObject({ code: "REMOTE_BLOCK_UNKNOWN" });
  });
});

it("passes on the error of a node that refuses hashes and numbers alike", async () => {
  const world = await aWorld({}, shared);
  const { state } = await world.open();
  world.upstream.rules.answer = () => {
    throw new UpstreamFailure(-32_000, "some failure");
  };
  await expect(state.getAccount(bytes(BOB))).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
  world.upstream.rules.answer = undefined as never;
  world.upstream.forget();
  await state.getAccount(bytes(BOB));
  expect(world.upstream.calls.every(({ params }) => params.some(isBlockObject))).toBe(true);
});
