/** A fork of an upstream that misbehaves: every request gets the right answer, or an error that says what is wrong. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { ForkOptions } from "../../src/node/options/fork-options.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, addressText, aNode, BOB, NOW, openNode, wordText } from "../support/a-node.ts";
import {
  anUpstream,
  type Misdeed,
  type TestUpstream,
  UpstreamFailure,
  type UpstreamRules,
} from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";
import type { AtEnd } from "../support/at-end.ts";
import { send } from "../support/contracts.ts";
import { someOfEach, sweep } from "../support/seed.ts";

/** Adds its first slots and logs the sum. */
const SUMMING = assemble("0 SLOAD 1 SLOAD ADD 2 SLOAD ADD 0 MSTORE 32 0 LOG0 32 0 RETURN");
const STORE = addressText(0xc0);
const BLOCK = 4;
const MISDEEDS: readonly Misdeed[] = ["500", "cut", "html", "wrong ids", "drop", "429", "no batches", "hang"];

let chain: HindcastNode;

beforeAll(async () => {
  chain = await openNode();
  await chain.setCode(STORE, SUMMING);
  for (let slot = 0; slot < 3; slot++) await chain.setStorageAt(STORE, wordText(slot), wordText(slot + 5));
  for (let block = 0; block < 5; block++) await send(chain, { from: ALICE, to: STORE, gas: "0x30000" });
});
afterAll(() => chain.close());

const requests: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ["eth_getBalance", ALICE, "0x4"],
  ["eth_getStorageAt", STORE, wordText(1), "0x4"],
  ["eth_getCode", STORE, "0x4"],
  ["eth_call", { to: STORE }, "0x4"],
  ["eth_getBlockByNumber", "0x3", true],
  ["eth_getBlockReceipts", "0x2"],
  ["eth_getLogs", { fromBlock: "0x1", toBlock: "0x4" }],
  ["eth_getTransactionCount", ALICE, "0x2"],
  ["trace_block", "0x3"],
];

/** The requests one after the other, as they are answered on a node. */
async function answers(node: HindcastNode): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [method, ...params] of requests) all.push(await node.provider.send(method, params));
  return all;
}

async function aFork(
  rules: UpstreamRules,
  fork: ForkOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<{ node: HindcastNode; upstream: TestUpstream }> {
  const upstream = await anUpstream(chain.provider as RemoteProvider, rules, atEnd);
  const options = {
    url: upstream.url,
    blockNumber: BLOCK,
    cache: false,
    retryBackoffMs: 5,
    timeoutMs: 60_000,
    ...fork,
  };
  return { node: await aNode({ clock: () => NOW, accounts: 0, fork: options }, atEnd), upstream };
}

describe.each(sweep([false, true], (verify) => verify))("a fork (verify: %s)", (verify) => {
  // Its client meets them one by one in test/remote/client/. What waits, waits beside the others.
  it.concurrent.for<Misdeed>(someOfEach(MISDEEDS, (deed) => /429|batches|hang/.test(deed)))(
    "answers as the chain does over an upstream with now and then: %s",
    async (deed, { onTestFinished }) => {
      // Several 429, or one among the first calls, mean a low limit; a test below has one. Each that hangs takes a second.
      const isBad = (post: number): boolean =>
        ({ "429": post === 7, hang: post === 1 || post === 4, "no batches": true })[deed as string] ?? post % 3 === 1;
      const misdeed = (post: number): Misdeed | undefined => (isBad(post) ? deed : undefined);
      const timeoutMs = deed === "hang" ? 1_000 : 60_000;
      const { node } = await aFork({ misdeed, retryAfter: 0.01 }, { verify, timeoutMs }, onTestFinished);
      expect(await answers(node)).toEqual(await answers(chain));
    },
  );

  it.concurrent("answers as the chain does at 40 calls a second, in batches of at most five", async ({
    onTestFinished,
  }) => {
    const { node } = await aFork({ callsPerSecond: 40, maxBatch: 5, retryAfter: 0.1 }, { verify }, onTestFinished);
    expect(await answers(node)).toEqual(await answers(chain));
  });

  it.concurrent("waits for an upstream that is gone for a while", async ({ onTestFinished }) => {
    const { node, upstream } = await aFork({}, { verify, retryBackoffMs: 12 }, onTestFinished);
    const back = Date.now() + 150;
    upstream.rules.misdeed = () => (Date.now() < back ? "drop" : undefined);
    expect(await answers(node)).toEqual(await answers(chain));
    expect(Date.now()).toBeGreaterThanOrEqual(back);
  });

  it("keeps nothing of answers that failed", async () => {
    const cache = { folder: await aFolder() };
    const { node, upstream } = await aFork({}, { verify, cache, retries: 1 });
    for (const deed of someOfEach(["html", "cut", "500", "wrong ids"] as const, () => "a failed answer")) {
      upstream.rules.misdeed = () => deed;
      for (const [method, ...params] of requests) {
        await expect(node.provider.send(method, params)).rejects.toMatchObject({ code: -32002 });
      }
    }
    upstream.rules.misdeed = () => undefined;
    expect(await answers(node)).toEqual(await answers(chain));
    const offline = await aNode({
      clock: () => NOW,
      accounts: 0,
      fork: {
        blockHash: node.fork === undefined ? "" : `0x${Buffer.from(node.fork.blockHash).toString("hex")}`,
        offline: true,
        verify,
        cache,
      },
    });
    expect(await answers(offline)).toEqual(await answers(chain));
  });

  it("names the block, its age and ways out where the upstream has deleted the state", async () => {
    const { node, upstream } = await aFork({}, { verify });
    upstream.rules.answer = ({ method }, ask) => {
      if (!/getBalance|getTransactionCount|getCode|getProof|getStorage/.test(method)) return ask();
      throw new UpstreamFailure(-32000, "missing trie node 0a1b (path ) state is not available");
    };
    await expect(node.provider.send("eth_getBalance", [BOB, "0x4"])).rejects.toThrow(
      /state of block 4 \(0x[0-9a-f]{64}, \d+ days old\)\. .*missing trie node.*archive node.*offline/,
    );
    await expect(node.provider.send("eth_call", [{ to: STORE }, "0x2"])).rejects.toThrow(
      /state of block 2 \(0x[0-9a-f]{64}, \d+ days old\)\./,
    );
  });
});

describe("a fork", () => {
  it("is told of one wrong slot only if it verifies", async () => {
    const lie: UpstreamRules["answer"] = async ({ method, params }, ask) => {
      if (method === "eth_getStorageAt" && params[1] === wordText(1)) return wordText(99);
      const answer = structuredClone(await ask());
      if (method === "eth_getStorageValues") {
        const values = (answer as Record<string, string[]>)[STORE];
        const slots = (params[0] as Record<string, string[]>)[STORE] ?? [];
        if (slots.includes(wordText(1))) values?.splice(slots.indexOf(wordText(1)), 1, wordText(99));
      }
      if (method === "eth_getProof") {
        for (const slot of (answer as { storageProof: { value: string }[] }).storageProof) slot.value = "0x63";
      }
      return answer;
    };
    const call = (node: HindcastNode): Promise<unknown> => node.provider.send("eth_call", [{ to: STORE }, "0x4"]);
    const { node: believing } = await aFork({ answer: lie });
    expect(await call(believing)).toBe(wordText(5 + 99 + 7));
    const { node, upstream } = await aFork({ answer: lie }, { verify: true });
    await expect(call(node)).rejects.toThrow(/false answer about slot 0x0+[012] of account 0x(c0)+ at block 4/);
    upstream.rules.answer = (_, ask) => ask();
    expect(await call(node)).toBe(wordText(5 + 6 + 7));
  });

  it("has no trace of a block whose transactions the state of the upstream forbids", async () => {
    const { node } = await aFork({
      answer: ({ method }, ask) => (method === "eth_getTransactionCount" ? "0x0" : ask()),
    });
    const failure = expect.objectContaining({ code: -32004 });
    await expect(node.provider.send("trace_block", ["0x3"])).rejects.toEqual(failure);
    await expect(node.provider.send("debug_traceBlockByNumber", ["0x3"])).rejects.toThrow(
      /Transaction 0, 0x[0-9a-f]{64}: it is in the block there, and refused here: nonce too high/,
    );
  });

  it("is an error once the pinned block was reorganised away, for all that was not read before", async () => {
    const source = await aNode();
    await source.mine({ blocks: 5 });
    const upstream = await anUpstream(source.provider as RemoteProvider);
    const fork = { url: upstream.url, blockNumber: BLOCK, cache: false, retries: 0 } as const;
    const node = await aNode({ clock: () => NOW, accounts: 0, fork });
    const balance = await node.provider.send("eth_getBalance", [ALICE, "0x4"]);
    await source.rollback(3);
    await source.setBalance(ALICE, 1n);
    await source.mine({ blocks: 5 });
    upstream.rules.answer = ({ params }, ask) => {
      const hash = (params.at(-1) as { blockHash?: string } | undefined)?.blockHash;
      if (hash !== undefined && hash !== `0x${Buffer.from(source.getBlock(4n)?.hash ?? []).toString("hex")}`) {
        throw new UpstreamFailure(-32001, "header not found");
      }
      return ask();
    };
    expect(await node.provider.send("eth_getBalance", [ALICE, "0x4"])).toBe(balance);
    await expect(node.provider.send("eth_getBalance", [BOB, "0x4"])).rejects.toThrow(
      /does not know block 4 \(0x[0-9a-f]{64}, \d+ days old\)\. .*The block may have been reorganised away/,
    );
  });
});
