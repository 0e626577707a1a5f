/**
 * Forks of upstreams that share a chain id, URLs and the cache: each shows the chain that is served when it opens, and
 * nothing of another one that is served there later.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { openNode, quantity } from "../support/a-node.ts";
import { type Ask, expectOwnOrRefused, fill, pinOf, readings } from "../support/alike-chains.ts";
import { anUpstream } from "../support/an-upstream.ts";
import { isSlow, runs } from "../support/seed.ts";

/** Forks of one campaign, which share a cache. */
const FORKS = isSlow ? 10 : 4;
const asking =
  (node: HindcastNode): Ask =>
  <T>(method: string, ...params: unknown[]) =>
    (node.provider as RemoteProvider).request({ method, params }) as Promise<T>;

/** All of them have the same genesis block and timestamps. */
async function aChain(content: number): Promise<HindcastNode> {
  const node = await openNode();
  await fill(asking(node), content);
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
  pin: fc.constantFrom("latest", "number", "counted back", "hash" as const),
  number: fc.nat(3),
});

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

it("forks that stay open while their upstream is restarted show their chain or nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 4 }), async (steps) => {
      const cache = { folder: await aFolder() };
      const place = await aPlace();
      const open: { readonly fork: HindcastNode; readonly pin: number; readonly theirs: readonly unknown[] }[] = [];
      for (const { restartWith, ...named } of steps) {
        if (restartWith !== null) await place.restart(restartWith);
        const theirs = asking(place.chain);
        const [pin, options] = await pinOf(theirs, named);
        const fork = await openNode({ accounts: 0, fork: { url: place.url, cache, retries: 0, ...options } });
        open.push({ fork, pin, theirs: await readings(theirs, pin, quantity(pin)) });
        for (const each of open) await expectOwnOrRefused(asking(each.fork), each.pin, each.theirs);
      }
      for (const { fork } of open) await fork.close();
      await place.close();
    }),
    { numRuns: runs(20), endOnFailure: true },
  );
}, 600_000);
