/** Opening a fork: how many round trips it takes, and that a second time takes none. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { ForkOptions } from "../../src/node/options/fork-options.ts";
import { aFolder } from "../support/a-folder.ts";
import { anUpstream, type TestUpstream, UpstreamFailure, type UpstreamRules } from "../support/an-upstream.ts";

let chain: HindcastNode;
let hash: string;
const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

beforeAll(async () => {
  chain = await createNode({ clock: () => 1_700_000_000n });
  await chain.mine({ blocks: 3 });
  ({ hash } = (await ask(chain, "eth_getBlockByNumber", "0x2", false)) as { hash: string });
});
afterAll(() => chain.close());

/** An upstream whose last final block is number 2, and a function that opens and closes a fork of it. */
async function anOpening(rules: UpstreamRules = {}): Promise<{
  readonly upstream: TestUpstream;
  readonly open: (fork: ForkOptions) => Promise<string>;
}> {
  const answer: UpstreamRules["answer"] = ({ method, params }, given) =>
    method === "eth_getBlockByNumber" && params[0] === "finalized" ? { number: "0x2" } : given();
  const upstream = await anUpstream(chain.provider as never, { latencyMs: 2, answer, ...rules });
  const open = async (fork: ForkOptions): Promise<string> => {
    const node = await createNode({ fork: { url: upstream.url, cache: false, ...fork } });
    onTestFinished(() => node.close());
    const balance = await ask(node, "eth_getBalance", ((await ask(node, "eth_accounts")) as string[])[0], "latest");
    const block = (await ask(node, "eth_getBlockByNumber", "latest", false)) as { number: string };
    return `${block.number} ${balance}`;
  };
  return { upstream, open };
}

const FUNDED = "0x21e19e0c9bab2400000";

describe("opening a fork", () => {
  it("takes two round trips at the newest block: one for the block, one for its state", async () => {
    const { upstream, open } = await anOpening();
    expect(await open({})).toBe(`0x3 ${FUNDED}`);
    expect(upstream.waves).toBe(2);
  });

  it.each<[string, () => ForkOptions]>([
    ["a hash", () => ({ blockHash: hash })],
    ["the number of a final block", () => ({ blockNumber: 2 })],
  ])("takes one round trip at %s", async (_, fork) => {
    const { upstream, open } = await anOpening();
    expect(await open(fork())).toBe(`0x2 ${FUNDED}`);
    expect(upstream.waves).toBe(1);
  });

  it("reads the state by its hash once the number turned out not to be final", async () => {
    const { upstream, open } = await anOpening();
    expect(await open({ blockNumber: 3 })).toBe(`0x3 ${FUNDED}`);
    expect(upstream.waves).toBe(2);
    const balances = upstream.calls.filter(({ method }) => method === "eth_getBalance");
    const byHash = balances.filter(({ params }) => typeof params.at(-1) === "object");
    expect(byHash).toHaveLength(balances.length / 2);
  });

  it.each<[string, UpstreamRules["answer"]]>([
    [
      "takes no hashes",
      ({ params }, given) => {
        if (params.some((param) => typeof param === "object" && param !== null && "blockHash" in param)) {
          throw new UpstreamFailure(-32602, "invalid argument: hex string expected");
        }
        return given();
      },
    ],
    ["refuses batches of more than ten calls", undefined],
  ])("succeeds where the other node %s", async (_, answer) => {
    const { open } = await anOpening(answer === undefined ? { maxBatch: 10 } : { answer });
    expect(await open({ blockHash: hash })).toBe(`0x2 ${FUNDED}`);
  });

  it.each<[string, number, () => ForkOptions]>([
    ["no request the second time at a hash", 0, () => ({ blockHash: hash })],
    ["one round trip the second time at the number of a final block", 1, () => ({ blockNumber: 2 })],
  ])("takes %s, although the other node told no configuration", async (_, roundTrips, fork) => {
    const { upstream, open } = await anOpening({
      answer: ({ method, params }, given) => {
        if (method === "debug_chainConfig") throw new UpstreamFailure(-32601, "the method does not exist");
        return method === "eth_getBlockByNumber" && params[0] === "finalized" ? { number: "0x2" } : given();
      },
    });
    const cache = { folder: await aFolder() };
    const first = await open({ ...fork(), cache });
    upstream.forget();
    expect(await open({ ...fork(), cache })).toBe(first);
    expect(upstream.posts).toBe(roundTrips);
  });
});
