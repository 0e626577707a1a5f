/** With `verify`, numbers of blocks and logs are proven by the pinned block's hash. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { ALICE, aNode, NOW, openNode, quantity, wordText } from "../support/a-node.ts";
import { anUpstream, type TestUpstream, type UpstreamRules } from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, send } from "../support/contracts.ts";

type Json = Record<string, unknown>;

/** Logs nothing with its call data's first word as topic. */
const LOGGING = assemble("0 CALLDATALOAD 0 0 LOG1 STOP");
/** Gives the hash of the block with its call data as number. */
const HASHES = assemble("0 CALLDATALOAD BLOCKHASH 0 MSTORE 32 0 RETURN");
const PIN = 30;

/** A chain with a log in every fifth block, whose topic is the block's number. */
async function aChain(hardfork: string): Promise<{ chain: HindcastNode; logger: string; hashes: string }> {
  const chain = await openNode({ hardfork: hardfork as never });
  const [logger, hashes] = [await deploy(chain, LOGGING), await deploy(chain, HASHES)];
  for (let number = 3; number <= PIN + 2; number++) {
    if (number % 5 === 0) await send(chain, { from: ALICE, to: logger, data: wordText(number), gas: "0x30000" });
    else await chain.mine();
  }
  return { chain, logger, hashes };
}

const hashOf = async (chain: HindcastNode, number: number): Promise<string> =>
  ((await chain.provider.send("eth_getBlockByNumber", [quantity(number), false])) as { hash: string }).hash;

async function aFork(chain: HindcastNode, answer?: UpstreamRules["answer"]): Promise<[TestUpstream, HindcastNode]> {
  const upstream = await anUpstream(chain.provider as RemoteProvider, answer === undefined ? {} : { answer });
  const blockHash = (await hashOf(chain, PIN)) as `0x${string}`;
  const fork = { url: upstream.url, blockHash, verify: true, cache: false, retries: 0 };
  return [upstream, await aNode({ clock: () => NOW, accounts: 0, fork })];
}

describe.each(["prague", "cancun"])("a fork with verify (%s)", (hardfork) => {
  let chain: HindcastNode;
  let logger: string;
  let hashes: string;
  beforeAll(async () => {
    ({ chain, logger, hashes } = await aChain(hardfork));
  });
  afterAll(() => chain.close());

  it("does not believe which block has a number", async () => {
    const other = await openNode({ hardfork: hardfork as never, timestamp: 1_000_000_000n });
    await other.mine({ blocks: 7 });
    const otherSeventh = await other.provider.send("eth_getBlockByNumber", ["0x7", false]);
    await other.close();
    const isAsked = (method: string, number: unknown): boolean => method === "eth_getBlockByNumber" && number === "0x7";
    const [, fork] = await aFork(chain, ({ method, params }, ask) =>
      isAsked(method, params[0]) ? otherSeventh : ask(),
    );
    const call = { to: hashes, data: wordText(7) };
    if (hardfork === "prague") {
      // The state proves the hash, so the node is not asked for the number.
      expect(await fork.provider.send("eth_call", [call, "latest"])).toBe(await hashOf(chain, 7));
      expect(((await fork.provider.send("eth_getBlockByNumber", ["0x7", false])) as Json).hash).toBe(
        await hashOf(chain, 7),
      );
    } else {
      await expect(fork.provider.send("eth_call", [call, "latest"])).rejects.toThrow(/false answer about block 7/);
      await expect(fork.provider.send("eth_getBlockByNumber", ["0x7", false])).rejects.toThrow(
        /names .* as its parent/,
      );
    }
  });

  it("has the pinned block as an ancestor of its own blocks, as others before it", async () => {
    const [, fork] = await aFork(chain);
    await fork.mine();
    for (const number of [PIN, PIN - 1]) {
      const call = { to: hashes, data: wordText(number) };
      expect(await fork.provider.send("eth_call", [call, "latest"])).toBe(await hashOf(chain, number));
      expect(await hashOf(fork, number)).toBe(await hashOf(chain, number));
    }
  });

  it.each([
    ["all", {}],
    ["of an address", { address: true }],
    ["with a topic", { topics: [[wordText(10), wordText(20)]] }],
    ["of nobody", { address: ALICE }],
  ])("gives the logs of a range from proven receipts: %s", async (_, filter) => {
    const criteria = { ...filter, ...("address" in filter && filter.address === true ? { address: logger } : {}) };
    const query = [{ fromBlock: "0x2", toBlock: quantity(PIN), ...criteria }];
    const expected = await chain.provider.send("eth_getLogs", query);
    const [upstream, fork] = await aFork(chain, ({ method }, ask) => (method === "eth_getLogs" ? [] : ask()));
    expect(await fork.provider.send("eth_getLogs", query)).toEqual(expected);
    expect(upstream.calls.map(({ method }) => method)).not.toContain("eth_getLogs");
  });

  it("gives the logs of a block by its hash", async () => {
    const query = [{ blockHash: await hashOf(chain, 10) }];
    const [, fork] = await aFork(chain, ({ method }, ask) => (method === "eth_getLogs" ? [] : ask()));
    expect(await fork.provider.send("eth_getLogs", query)).toEqual(await chain.provider.send("eth_getLogs", query));
    expect(await fork.provider.send("eth_getLogs", query)).toHaveLength(1);
  });

  it("catches a missing log", async () => {
    const [, fork] = await aFork(chain, async ({ method }, ask) => {
      const answer = structuredClone(await ask()) as Json[];
      if (method === "eth_getBlockReceipts") for (const receipt of answer) receipt.logs = [];
      return answer;
    });
    const query = [{ fromBlock: "0x2", toBlock: quantity(PIN) }];
    await expect(fork.provider.send("eth_getLogs", query)).rejects.toThrow(/receiptsRoot/);
  });
});

it("does not believe that a transaction is in the chain", async () => {
  const { chain, logger } = await aChain("prague");
  const snapshot = await chain.provider.send("evm_snapshot", []);
  const hash = await send(chain, { from: ALICE, to: logger, data: wordText(1), gas: "0x30000" });
  const side = await chain.provider.send("eth_getTransactionByHash", [hash]);
  const sideBlock = await chain.provider.send("eth_getBlockByHash", [(side as Json).blockHash, true]);
  await chain.provider.send("evm_revert", [snapshot]);
  await chain.mine({ blocks: 5 });
  const head = await hashOf(chain, PIN + 5);
  const upstream = await anUpstream(chain.provider as RemoteProvider, {
    answer: ({ method, params }, ask) => {
      if (method === "eth_getTransactionByHash") return side;
      return method === "eth_getBlockByHash" && params[0] === (side as Json).blockHash ? sideBlock : ask();
    },
  });
  const fork = { url: upstream.url, blockHash: head as `0x${string}`, verify: true, cache: false, retries: 0 };
  const node = await aNode({ clock: () => NOW, accounts: 0, fork });
  await expect(node.provider.send("eth_getTransactionByHash", [hash])).rejects.toThrow(
    /it is not block \d+ of the chain/,
  );
  await chain.close();
});

it("a side block that is read by its hash does not take the number of another one", async () => {
  const chain = await openNode();
  await chain.mine({ blocks: 3 });
  const side = await hashOf(chain, 3);
  await chain.reorg({ depth: 1, blocks: [[], []] });
  const node = await aNode({ clock: () => NOW, accounts: 0, fork: { provider: chain.provider, cache: false } });
  expect(await node.provider.send("eth_getBlockByHash", [side, false])).toMatchObject({ hash: side });
  expect(await hashOf(node, 3)).toBe(await hashOf(chain, 3));
  expect(await hashOf(chain, 3)).not.toBe(side);
  await chain.close();
});
