/**
 * Forks of Anvils with one chain id, which are restarted at the same port or run beside each other, and share the cache:
 * each fork shows the chain that was served when it opened, and afterwards that one or nothing.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { NOW, openNode, quantity } from "../support/a-node.ts";
import { type Ask, expectOwnOrRefused, fill, pinOf, readings } from "../support/alike-chains.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";
import { testSeed } from "../support/seed.ts";
import { overHttp } from "./trace-questions.ts";

const FORKS = 200;
/** Forks that stay open; the oldest is closed for another one. */
const OPEN = 4;

let installed: Awaited<ReturnType<typeof installPeers>>;
beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1"]);
});
afterAll(() => installed.remove());

/** Seconds at which a chain of a content begins: all alike, or each with a genesis block of its own. */
type StartOf = (content: number) => number;
const sameTime: StartOf = () => NOW;
// A hash stands for one state. Chains that are alike may have edited it before the next block.
const ownTime: StartOf = (content) => NOW + content;

/** A port at which Anvils with different contents follow each other. */
async function aPlace(startOf: StartOf) {
  const flags = (content: number) => ["--timestamp", String(startOf(content)), "--hardfork", "prague"];
  const start = (port: string, content = 0) =>
    startPeer(anvilBinary(installed.folder), ["--port", port, ...flags(content)]);
  let anvil = await start("0");
  const { url } = anvil;
  const ask = overHttp(url) as Ask;
  onTestFinished(() => anvil.stop());
  await fill(ask, 0);
  return {
    url,
    ask,
    restart: async (content: number): Promise<void> => {
      await anvil.stop();
      anvil = await start(new URL(url).port, content);
      await fill(ask, content);
    },
  };
}

const asking =
  (node: HindcastNode): Ask =>
  <T>(method: string, ...params: unknown[]) =>
    (node.provider as RemoteProvider).request({ method, params }) as Promise<T>;

const step = fc.record({
  place: fc.nat(1),
  restartWith: fc.option(fc.nat(7)),
  pin: fc.constantFrom("latest", "number", "counted back", "hash" as const),
  number: fc.nat(3),
});

it("forks of Anvils that follow each other, or run side by side, show the chain that is served", async () => {
  const cache = { folder: await aFolder() };
  const places = [await aPlace(sameTime), await aPlace(sameTime)];
  const counts = { forks: 0, restarts: 0, answers: 0 };
  for (const { place, restartWith, ...named } of fc.sample(step, { numRuns: FORKS, seed: testSeed })) {
    const upstream = places[place] as (typeof places)[number];
    if (restartWith !== null) {
      await upstream.restart(restartWith);
      counts.restarts++;
    }
    const [pin, options] = await pinOf(upstream.ask, named);
    const fork = await openNode({ accounts: 0, fork: { url: upstream.url, cache, retries: 0, ...options } });
    const theirs = await readings(upstream.ask, pin, quantity(pin));
    expect(await readings(asking(fork), pin, "latest")).toEqual(theirs);
    await fork.close();
    counts.forks++;
    counts.answers += theirs.length;
  }
  console.log(JSON.stringify(counts));
});

it("forks that stay open while their Anvil is restarted show their chain or nothing", async () => {
  const cache = { folder: await aFolder() };
  const upstream = await aPlace(ownTime);
  const open: { readonly fork: HindcastNode; readonly pin: number; readonly before: readonly unknown[] }[] = [];
  const counts = { forks: 0, answers: 0, refused: 0 };
  const steps = fc.sample(step, { numRuns: FORKS / 4, seed: testSeed });
  for (const [index, { restartWith, ...named }] of steps.entries()) {
    if (restartWith !== null) await upstream.restart(restartWith);
    const [pin, options] = await pinOf(upstream.ask, named);
    const fork = await openNode({ accounts: 0, fork: { url: upstream.url, cache, retries: 0, ...options } });
    open.push({ fork, pin, before: await readings(upstream.ask, pin, quantity(pin)) });
    // The others have read nothing when their upstream is restarted.
    if (index % 2 === 0) expect(await readings(asking(fork), pin, "latest")).toEqual(open.at(-1)?.before);
    counts.forks++;
    for (const each of open.slice(0, -1)) {
      const refused = await expectOwnOrRefused(asking(each.fork), each.pin, each.before);
      counts.refused += refused;
      counts.answers += each.before.length - refused;
    }
    if (open.length > OPEN) await open.shift()?.fork.close();
  }
  for (const { fork } of open) await fork.close();
  console.log(JSON.stringify(counts));
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.answers).toBeGreaterThan(0);
});
