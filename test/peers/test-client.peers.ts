/**
 * The facts about viem's test client, checked against the peers that the modes name. `npm run test:peers` installs those
 * from npm into a temporary folder; Hardhat is left to Node 22 and later, which it needs.
 */
import { createTestClient, http, publicActions, walletActions } from "viem";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anvilBinary, installPeers, startGanache, startPeer } from "../support/peers.mjs";
import { type Client, FAILS, facts, type Mode } from "../support/test-client-facts.ts";

interface Peer {
  readonly mode: Mode;
  readonly start: () => Promise<{ readonly url: string; stop(): Promise<void> }>;
}

let installed: Awaited<ReturnType<typeof installPeers>>;

beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1", "ganache@7.9.2"]);
});

afterAll(() => installed.remove());

const PEERS: readonly Peer[] = [
  { mode: "anvil", start: () => startPeer(anvilBinary(installed.folder), ["--port", "0"]) },
  { mode: "ganache", start: () => startGanache(installed.folder) },
];

describe.each(PEERS)("$mode", ({ mode, start }) => {
  const inMode = facts.filter(({ modes }) => modes === undefined || modes.includes(mode));

  it.each(inMode.map((fact) => [`${fact.action}: ${fact.says}`, fact] as const))("%s", async (_name, fact) => {
    const { url, stop } = await start();
    try {
      const transport = http(url, { retryCount: 0 });
      const client = createTestClient({ mode, chain: foundry, transport, pollingInterval: 20 });
      const observed = await fact
        .observe(client.extend(publicActions).extend(walletActions) as unknown as Client)
        .catch(() => FAILS);
      const difference = fact.peers?.[mode];
      expect(observed).toEqual(difference === undefined ? fact.expected : difference.observed);
    } finally {
      await stop();
    }
  });
});
