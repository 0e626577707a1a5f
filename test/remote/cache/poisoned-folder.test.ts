/** A cache folder in which others have written entries that they call proven. With `verify` no such entry is believed. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { ForkOptions } from "../../../src/node/options/fork-options.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { decodeRecords, encodeRecords, fileHead } from "../../../src/remote/cache/records.ts";
import type { CacheEntry } from "../../../src/remote/cache/remote-cache.ts";
import type { RemoteProvider } from "../../../src/remote/upstream.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode, BOB, NOW, openNode } from "../../support/a-node.ts";
import { openTestUpstream, type TestUpstream } from "../../support/an-upstream.ts";
import { CONTRACT, openChainNode } from "../a-remote-chain.ts";

const BLOCK = "0x6";

let chain: HindcastNode;
let blockHash: string;
let transactionHash: string;
/** What the chain answers. */
let rightAnswers: readonly unknown[];
let upstream: TestUpstream;
/** A cache that a fork with proofs has filled. */
let filled: string;
beforeAll(async () => {
  chain = await openChainNode();
  const block = (await chain.provider.send("eth_getBlockByNumber", ["0x3", false])) as { transactions: string[] };
  transactionHash = String(block.transactions[0]);
  blockHash = ((await chain.provider.send("eth_getBlockByNumber", [BLOCK, false])) as { hash: string }).hash;
  rightAnswers = await answers(chain);
  filled = await mkdtemp(join(tmpdir(), "hindcast-poisoned-"));
  upstream = await openTestUpstream(chain.provider as RemoteProvider);
  const node = await openNode(optionsOf({ url: upstream.url, cache: { folder: filled } }));
  expect(await answers(node)).toEqual(rightAnswers);
  await node.close();
});
afterAll(async () => {
  await upstream.close();
  await chain.close();
  await rm(filled, { recursive: true });
});

const requests = (): readonly (readonly [method: string, ...params: unknown[]])[] => [
  ["eth_getBalance", ALICE, BLOCK],
  ["eth_getBalance", BOB, BLOCK],
  ["eth_getTransactionCount", ALICE, "0x3"],
  ["eth_getCode", CONTRACT, BLOCK],
  ["eth_getStorageAt", CONTRACT, "0x3", BLOCK],
  ["eth_call", { to: CONTRACT }, BLOCK],
  ["eth_getBlockByNumber", BLOCK, true],
  ["eth_getBlockByNumber", "0x3", true],
  ["eth_getBlockReceipts", "0x3"],
  ["eth_getTransactionByHash", transactionHash],
  ["trace_block", "0x3"],
];

async function answers(node: HindcastNode): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [method, ...params] of requests()) all.push(await node.provider.send(method, params));
  return all;
}

const optionsOf = (fork: ForkOptions): NodeOptions => ({
  clock: () => NOW,
  accounts: 0,
  fork: { blockHash, verify: true, retryBackoffMs: 5, ...fork },
});

const aFork = (fork: ForkOptions): Promise<HindcastNode> => aNode(optionsOf(fork));

/** A copy of the filled cache. */
async function aFilledCache(): Promise<{ folder: string }> {
  const folder = await aFolder();
  await cp(filled, folder, { recursive: true });
  return { folder };
}

/** Changes entries of all files of answers, and calls every one proven. Returns how many became others. */
function poison(folder: string, change: (entry: CacheEntry) => Uint8Array | undefined): number {
  let count = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".log")) continue;
    const path = join(folder, name);
    const entries = [...decodeRecords(readFileSync(path))].map((entry): CacheEntry => {
      const value = change(entry) ?? entry.value;
      if (!Buffer.from(value).equals(entry.value)) count++;
      return { ...entry, value, isProven: true };
    });
    writeFileSync(path, Buffer.concat([fileHead(), encodeRecords(entries)]));
  }
  return count;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const kind = ({ key }: CacheEntry): string => key.slice(0, 1);

/** Another value for each entry of some kinds. */
const ofKind =
  (wanted: string, change: (value: Uint8Array) => Uint8Array | undefined) =>
  (entry: CacheEntry): Uint8Array | undefined =>
    wanted.includes(kind(entry)) ? change(entry.value) : undefined;

/** Every entry of JSON with another text in it. */
const replacing = (from: RegExp, to: string) =>
  ofKind("bj", (value) => new TextEncoder().encode(text(value).replaceAll(from, to)));

const raised = (value: Uint8Array): Uint8Array => Uint8Array.of(...value.slice(0, -1), (value.at(-1) ?? 0) + 1);
const POISONS: readonly [what: string, change: (entry: CacheEntry) => Uint8Array | undefined][] = [
  ["balances", ofKind("a", raised)],
  ["accounts that are absent", ofKind("a", () => new Uint8Array())],
  ["accounts of a few bytes", ofKind("a", () => Uint8Array.of(1, 2, 3))],
  ["slots", ofKind("s", () => Uint8Array.of(99))],
  ["slots that are zero", ofKind("s", () => new Uint8Array())],
  ["trie nodes", ofKind("n", raised)],
  ["accounts and slots without trie nodes", ofKind("asn", () => Uint8Array.of(0xc0))],
  ["state roots", replacing(/"stateRoot":"0x..../g, '"stateRoot":"0x1111')],
  ["transactions", replacing(/"value":"0x1"/g, '"value":"0x99"')],
  ["bodies without transactions", replacing(/"transactions":\[[^\]]*\]/g, '"transactions":[]')],
  ["receipts", replacing(/"gasUsed":"0x5208"/g, '"gasUsed":"0x1"')],
  ["receipts of failures", replacing(/"status":"0x1"/g, '"status":"0x0"')],
  ["nothing but null", ofKind("bj", () => new TextEncoder().encode("null"))],
  [
    "lists for blocks and receipts",
    // Where a transaction is, is believed: `docs/forks.md`.
    ofKind("bj", (value) => (text(value).includes("logsBloom") ? new TextEncoder().encode("[1]") : undefined)),
  ],
];

describe("a fork with proofs whose cache holds false entries", () => {
  it.each(POISONS)("%s answers as the chain does", async (_what, change) => {
    const cache = await aFilledCache();
    expect(poison(cache.folder, change)).toBeGreaterThan(0);
    const node = await aFork({ url: upstream.url, cache });
    expect(await answers(node)).toEqual(rightAnswers);
  });

  it.each(POISONS)("%s answers offline as the chain does, or that the cache lacks something", async (_what, change) => {
    const cache = await aFilledCache();
    poison(cache.folder, change);
    let node: HindcastNode;
    try {
      node = await aFork({ offline: true, cache });
    } catch (error) {
      expect(error).toMatchObject({ code: "REMOTE_OFFLINE" });
      return;
    }
    for (const [index, [method, ...params]] of requests().entries()) {
      const answer = await node.provider.send(method, params).catch((error: Error) => error);
      if (answer instanceof Error) expect(String(answer), method).toMatch(/The cache does not have/);
      else expect(answer, method).toEqual(rightAnswers[index]);
    }
  });
});

describe("a fork without proofs asks again where its cache holds", () => {
  it.each<[what: string, change: (entry: CacheEntry) => Uint8Array | undefined]>([
    ["accounts of a few bytes", ofKind("a", () => Uint8Array.of(1, 2, 3))],
    ["accounts with a long nonce", ofKind("a", (value) => (value.length === 0 ? undefined : value.with(65, 200)))],
    ["accounts with a long balance", ofKind("a", (value) => Uint8Array.of(...value, ...new Uint8Array(40).fill(7)))],
    ["slots of 33 bytes", ofKind("s", () => new Uint8Array(33).fill(1))],
    ["null for blocks and receipts", ofKind("j", () => new TextEncoder().encode("null"))],
  ])("%s", async (_what, change) => {
    const cache = await aFilledCache();
    expect(poison(cache.folder, change)).toBeGreaterThan(0);
    const node = await aFork({ url: upstream.url, cache, verify: false });
    expect(await answers(node)).toEqual(rightAnswers);
  });
});

it("a fork with proofs needs no request for what its cache holds", async () => {
  upstream.forget();
  const cache = await aFilledCache();
  const node = await aFork({ url: upstream.url, cache });
  expect(await answers(node)).toEqual(rightAnswers);
  expect(upstream.calls.map(({ method }) => method)).toEqual([]);
  const offline = await aFork({ offline: true, cache });
  expect(await answers(offline)).toEqual(rightAnswers);
});
