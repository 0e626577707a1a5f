/** Requests of one connection begin in the order in which they came, although a method is loaded when it is first called. */
import { describe, expect, it } from "vitest";
import { ALICE, aNode, BOB, type Json, NOBODY, NOW } from "../../support/a-node.ts";
import { CONNECTIONS, type Request } from "./connections.ts";

const TRANSFER = { method: "eth_sendTransaction", params: [{ from: ALICE, to: BOB, value: "0x1" }] };
const AUTOMINE_OFF = { method: "evm_setAutomine", params: [false] };
const CHAIN_ID = { method: "eth_chainId" };
/** Longer than what is parsed without a pause. */
const LONG = 100_000;

const headOf = async (ask: (request: Request) => Promise<unknown>): Promise<Json> =>
  (await ask({ method: "eth_getBlockByNumber", params: ["latest", false] })) as Json;

describe.each(Object.entries(CONNECTIONS))("over %s", (name, open) => {
  const ends: readonly (readonly [string, readonly Request[], Json])[] = [
    ["a transaction after evm_setAutomine waits", [AUTOMINE_OFF, TRANSFER], { number: "0x0" }],
    [
      "what came before does not change that, errors included",
      [CHAIN_ID, { method: "eth_unknown" }, { method: "eth_getBalance" }, AUTOMINE_OFF, CHAIN_ID, TRANSFER],
      { number: "0x0" },
    ],
    [
      "a block has the time and the coinbase that were set before it",
      [
        { method: "evm_setNextBlockTimestamp", params: [NOW + 1_000] },
        { method: "hardhat_setCoinbase", params: [BOB] },
        TRANSFER,
      ],
      { number: "0x1", timestamp: `0x${(NOW + 1_000).toString(16)}`, miner: BOB },
    ],
    [
      "an account sends that was impersonated before",
      [
        { method: "anvil_impersonateAccount", params: [NOBODY] },
        { method: "eth_sendTransaction", params: [{ from: NOBODY, to: BOB, gas: "0x5208", gasPrice: "0x0" }] },
      ],
      { number: "0x1", transactions: [expect.any(String)] },
    ],
  ];
  it.each(ends)("%s", async (_fact, requests, head) => {
    const { together } = await open({ hardfork: "berlin" });
    await together(requests);
    expect(await headOf(async (request) => (await together([request]))[0])).toMatchObject(head);
  });

  it("what follows a request whose code is loaded when it is called comes after it", async () => {
    const { together } = await open();
    // Its method is known already; the code of state files is not.
    await together([{ method: "txpool_status" }]);
    const [file] = await together([{ method: "anvil_dumpState" }, { method: "evm_mine" }]);
    const loaded = await aNode();
    await loaded.provider.send("anvil_loadState", [file]);
    expect(await loaded.provider.send("eth_blockNumber")).toBe("0x0");
  });

  it.skipIf(name === "the provider" || name === "an HTTP batch")(
    "a short request begins after a long one",
    async () => {
      const { together } = await open();
      await together([{ method: "txpool_status" }]);
      await together([{ ...AUTOMINE_OFF, spaces: LONG }, TRANSFER]);
      expect(await headOf(async (request) => (await together([request]))[0])).toMatchObject({ number: "0x0" });
      await together([
        { method: "evm_mine", spaces: LONG },
        { ...AUTOMINE_OFF, params: [true], spaces: LONG },
        TRANSFER,
      ]);
      expect(await headOf(async (request) => (await together([request]))[0])).toMatchObject({ number: "0x2" });
    },
  );
});

it("a request that only reads is not held up by a long one before it", async () => {
  const { provider } = await aNode();
  const order: string[] = [];
  const loop = { data: "0x5b600056", gas: "0x4c4b40" };
  const slow = provider.send("eth_call", [loop]).catch(() => order.push("call"));
  await Promise.all([slow, provider.send("eth_chainId").then(() => order.push("id"))]);
  expect(order).toEqual(["id", "call"]);
});
