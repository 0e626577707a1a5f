/** Forks of upstreams that share a chain id, URLs and the cache: each shows the chain that is served when it opens. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { ForkOptions } from "../../src/node/options/fork-options.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, addressText, BOB, openNode, quantity, wordText } from "../support/a-node.ts";
import { anUpstream } from "../support/an-upstream.ts";
import { deploying } from "../support/assembler.ts";
import { EMITTER, logCall } from "../support/contracts.ts";
import { runs } from "../support/seed.ts";

/** Forks of one campaign, which share a cache. */
const FORKS = 10;
const EDITED = addressText(0xed);

type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>;
const asking =
  (node: HindcastNode): Ask =>
  <T>(method: string, ...params: unknown[]) =>
    (node.provider as RemoteProvider).request({ method, params }) as Promise<T>;

/** A chain of three to six blocks. All of them have the same genesis block and timestamps; edits tell some apart. */
async function aChain(content: number): Promise<HindcastNode> {
  const node = await openNode();
  const ask = asking(node);
  const edit = async (place: number): Promise<void> => {
    await ask("anvil_setBalance", EDITED, quantity(1 + (content + place) * 7));
    await ask("anvil_setStorageAt", EDITED, wordText(1), wordText(content + place));
  };
  if (content % 3 === 0) await edit(0);
  const data = logCall([1 + content]);
  await ask("eth_sendTransaction", { from: ALICE, data: encodeData(deploying(EMITTER)) });
  for (let block = 0; block < 2 + (content % 4); block++) {
    const value = quantity(1 + (block === 1 ? content : 0));
    await ask(
      "eth_sendTransaction",
      block === 0 ? { from: ALICE, to: BOB, value } : { from: ALICE, to: BOB, value, data },
    );
    if (content % 5 === block) await edit(block + 1);
  }
  if (content % 2 === 0) await edit(9);
  return node;
}

/** A URL whose node can be replaced. */
async function aPlace() {
  let current = await aChain(0);
  const { url } = await anUpstream({ request: (call) => (current.provider as RemoteProvider).request(call) });
  return {
    url,
    get chain(): HindcastNode {
      return current;
    },
    async restart(content: number): Promise<void> {
      const before = current;
      current = await aChain(content);
      await before.close();
    },
    close: () => current.close(),
  };
}

const step = fc.record({
  place: fc.nat(1),
  restartWith: fc.option(fc.nat(7)),
  pin: fc.constantFrom("latest", "number", "counted back", "hash"),
  number: fc.nat(3),
});

/** All that a chain of this form shows up to a block; `latest` at the block itself. */
async function readings(ask: Ask, pin: number, latest: string): Promise<unknown> {
  const all: unknown[] = [];
  for (let number = pin; number >= 0; number--) {
    const at = number === pin ? latest : quantity(number);
    all.push(await ask("eth_getBlockByNumber", quantity(number), true));
    all.push(await ask("eth_getBalance", EDITED, at), await ask("eth_getStorageAt", EDITED, wordText(1), at));
    all.push(await ask("eth_getBalance", BOB, at), await ask("eth_getTransactionCount", ALICE, at));
  }
  all.push(await ask("eth_getLogs", { fromBlock: "0x0", toBlock: quantity(pin) }));
  return all;
}

/** True if the state after a block is the one of its header. The hash stands for that one, and for none that was edited. */
async function isCommitted(ask: Ask, block: { readonly hash: string; readonly stateRoot: string }): Promise<boolean> {
  const { accountProof } = await ask<{ accountProof: [string] }>("eth_getProof", BOB, [], { blockHash: block.hash });
  return encodeData(keccak256(decodeData(accountProof[0]))) === block.stateRoot;
}

async function pinOf(ask: Ask, { pin, number }: { pin: string; number: number }) {
  const head = Number(await ask<string>("eth_blockNumber"));
  const block = await ask<{ hash: string; stateRoot: string }>("eth_getBlockByNumber", quantity(number), false);
  const options: Record<string, readonly [number, ForkOptions]> = {
    latest: [head, {}],
    number: [number, { blockNumber: number }],
    "counted back": [head - 1, { blockNumber: -1 }],
    hash: [number, (await isCommitted(ask, block)) ? { blockHash: block.hash } : { blockNumber: number }],
  };
  return options[pin] as readonly [number, ForkOptions];
}

it("forks of restarted upstreams and of those beside them show the chain that is served, whatever the cache has", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: FORKS, maxLength: FORKS }), async (steps) => {
      const cache = { folder: await aFolder() };
      const places = [await aPlace(), await aPlace()];
      for (const { place, restartWith, ...named } of steps) {
        const upstream = places[place] as (typeof places)[number];
        if (restartWith !== null) await upstream.restart(restartWith);
        const theirs = asking(upstream.chain);
        const [pin, options] = await pinOf(theirs, named);
        const fork = await openNode({ accounts: 0, fork: { url: upstream.url, cache, retries: 0, ...options } });
        const ours = asking(fork);
        expect(await readings(ours, pin, "latest")).toEqual(await readings(theirs, pin, quantity(pin)));
        await fork.close();
      }
      for (const { close } of places) await close();
    }),
    { numRuns: runs(20), endOnFailure: true },
  );
}, 600_000);
