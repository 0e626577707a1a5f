import { expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { addressText, aNode, BOB, CAROL, NOW, quantity, type ServedNode, serve, wordText } from "../support/a-node.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";

const COUNT = 10;
const FORKS = ["frontier", "byzantium", "berlin", "london", "paris", "shanghai", "cancun", "prague", "osaka"];

/** Options that differ from node to node. */
const optionsOf = (index: number) => ({
  hardfork: FORKS[index % FORKS.length] ?? "osaka",
  chainId: 1_000 + index,
  timestamp: NOW + index,
  coinbase: addressText(0x80 + index),
  clock: () => NOW,
});

/** The steps of node `index`, as a generator, so that the steps of several nodes can be interleaved. */
function lifeOf(node: HindcastNode, index: number): (() => Promise<unknown>)[] {
  let emitter: string | undefined;
  const edited = decodeData(addressText(0x40));
  return [
    async () => {
      emitter = await deploy(node, EMITTER);
    },
    () => send(node, { to: BOB, value: quantity(index + 1) }),
    () => node.setBalance(edited, BigInt(index) * 7n),
    () => send(node, { from: BOB, to: emitter, data: logCall([index]), gas: quantity(60_000) }),
    () => node.mine({ blocks: 1 + (index % 3) }),
    () => node.setStorageAt(edited, new Uint8Array(32), Uint8Array.of(index + 1)),
    async () => {
      node.impersonate(edited);
      await node.setBalance(edited, 10n ** 18n);
      await send(node, { from: addressText(0x40), to: CAROL, value: quantity(index), gas: quantity(21_000) });
      node.stopImpersonating(edited);
    },
    () => node.reorg({ depth: 1, blocks: 2 }),
    () => node.provider.request({ method: "evm_increaseTime", params: [100 * index] }),
    () => node.mine(),
  ];
}

/** Everything that shows whether somebody else's life has leaked into this one. */
async function tellOf({ plain }: ServedNode): Promise<unknown> {
  const asked: readonly (readonly [string, ...unknown[]])[] = [
    ["eth_chainId"],
    ["eth_getBlockByNumber", "latest", true],
    ["eth_getLogs", { fromBlock: "earliest" }],
    ["eth_getStorageAt", addressText(0x40), "0x0", "latest"],
    ["eth_getBalance", CAROL, "latest"],
    ["eth_getTransactionCount", BOB, "latest"],
    ["trace_filter", {}],
    ["txpool_content"],
  ];
  return Promise.all(asked.map(([method, ...params]) => plain.ask(method, ...params)));
}

/** A life in a process of its own, as far as it can be had here: nobody else lives meanwhile. */
async function aloneIn(index: number): Promise<unknown> {
  await using node = await createNode(optionsOf(index));
  for (const step of lifeOf(node, index)) await step();
  return await tellOf(await serve(node));
}

it("ten nodes in one process, on nine hardforks, live as each would alone while all mine, edit and listen", async () => {
  const nodes = await Promise.all(Array.from({ length: COUNT }, (_, index) => aNode(optionsOf(index))));
  const served = await Promise.all(nodes.map((node) => serve(node)));
  const heads: number[] = nodes.map(() => 0);
  for (const [index, node] of nodes.entries()) {
    node.onHeadChange(({ added }) => {
      heads[index] = (heads[index] ?? 0) + added.length;
    });
  }
  const lives = nodes.map(lifeOf);
  // Each step is taken by all at once; requests over HTTP to their neighbours run meanwhile.
  for (let step = 0; step < (lives[0]?.length ?? 0); step++) {
    const asked = served.map(({ plain }) => plain.ask("eth_chainId"));
    await Promise.all(lives.map((life) => life[step]?.()));
    expect(await Promise.all(asked)).toEqual(nodes.map((_, index) => quantity(1_000 + index)));
  }
  const told = await Promise.all(served.map(tellOf));
  for (const index of [1, 9]) expect(told[index]).toEqual(await aloneIn(index));
  expect(new Set(nodes.map(({ head }) => encodeData(head.hash))).size).toBe(COUNT);
  const storages = nodes.map((node) =>
    node.provider.request({ method: "eth_getStorageAt", params: [addressText(0x40), "0x0"] }),
  );
  expect(await Promise.all(storages)).toEqual(nodes.map((_, index) => wordText(index + 1)));
  // Deployment, transfer, log, 1 to 3 blocks, impersonated transfer, 2 of the reorg, the last: each its own count.
  expect(heads).toEqual(nodes.map((_, index) => 7 + 1 + (index % 3)));
});

it("one node's closing, listening and failing leaves the others as they are", async () => {
  const [first, second, third] = await Promise.all([0, 1, 2].map((index) => aNode(optionsOf(index + 6))));
  if (first === undefined || second === undefined || third === undefined) throw new TypeError("three nodes");
  const door = await serve(second);
  const closing = first.close();
  await expect(first.provider.request({ method: "eth_blockNumber" })).rejects.toMatchObject({ code: 4900 });
  await expect(second.provider.request({ method: "evm_mine", params: ["x" as never] })).rejects.toThrow("params[0]");
  await Promise.all([closing, second.mine({ blocks: 2 }), third.mine()]);
  expect(await door.plain.ask("eth_blockNumber")).toBe("0x2");
  expect(third.head.header.number).toBe(1n);
  await second.close();
  await third.mine();
  expect(third.head.header.number).toBe(2n);
});
