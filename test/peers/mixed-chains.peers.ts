/**
 * Forks of Anvils with one chain id, which are restarted at the same port or run beside each other, and share the cache:
 * each fork shows the chain that was served when it opened, and afterwards that one or nothing.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { openNode, quantity } from "../support/a-node.ts";
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

/** A port at which Anvils with different contents follow each other. */
async function aPlace() {
  const start = (port: string) =>
    startPeer(anvilBinary(installed.folder), ["--port", port, "--timestamp", "1700000000", "--hardfork", "prague"]);
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
      anvil = await start(new URL(url).port);
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

it("forks of Anvils that follow each other, or run side by side, show one chain each", async () => {
  const cache = { folder: await aFolder() };
  const places = [await aPlace(), await aPlace()];
  const open: { readonly fork: HindcastNode; readonly pin: number; readonly before: readonly unknown[] }[] = [];
  const counts = { forks: 0, restarts: 0, answers: 0, answersLater: 0, refused: 0 };
  for (const { place, restartWith, ...named } of fc.sample(step, { numRuns: FORKS, seed: testSeed })) {
    const upstream = places[place] as (typeof places)[number];
    if (restartWith !== null) {
      await upstream.restart(restartWith);
      counts.restarts++;
    }
    const [pin, options] = await pinOf(upstream.ask, named);
    const fork = await openNode({ accounts: 0, fork: { url: upstream.url, cache, retries: 0, ...options } });
    const before = await readings(upstream.ask, pin, quantity(pin));
    expect(await readings(asking(fork), pin, "latest")).toEqual(before);
    counts.forks++;
    counts.answers += before.length;
    for (const each of open) {
      const refused = await expectOwnOrRefused(asking(each.fork), each.pin, each.before);
      counts.refused += refused;
      counts.answersLater += each.before.length - refused;
    }
    open.push({ fork, pin, before });
    if (open.length > OPEN) await open.shift()?.fork.close();
  }
  for (const { fork } of open) await fork.close();
  console.log(JSON.stringify(counts));
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.answersLater).toBeGreaterThan(0);
});
