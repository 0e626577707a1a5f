/** A chain to be forked, and remote chains over it, for tests. */
import { onTestFinished } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { openRemoteChain } from "../../src/remote/open-remote-chain.ts";
import type { RemoteChain, RemoteOptions, RemoteProvider } from "../../src/remote/upstream.ts";
import { ALICE, addressText, BOB, openNode, wordText } from "../support/a-node.ts";
import { anUpstream, type TestUpstream, type UpstreamRules } from "../support/an-upstream.ts";

export const bytes = decodeData;
/** Slots of the contract that are not zero: slot n holds n + 1. */
export const SLOTS = 10;
/** An account with code and storage. */
export const CONTRACT = addressText(0xc0);
export const CODE = "0x60005460005260206000f3";
/** An account with a balance of 5 and nothing else. */
export const RICH = addressText(0xb0);
export const slotOf = (index: number): Uint8Array => bytes(wordText(index));

export interface World {
  readonly node: HindcastNode;
  readonly provider: RemoteProvider;
  readonly upstream: TestUpstream;
  /** Opens the chain of the upstream, without a cache unless one is named; the end of the test closes it. */
  open(options?: RemoteOptions): Promise<RemoteChain>;
  ask<T>(method: string, ...params: unknown[]): Promise<T>;
}

/** A node with a chain of six blocks, closed by its opener. */
export async function openChainNode(): Promise<HindcastNode> {
  const node = await openNode();
  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    (node.provider as RemoteProvider).request({ method, params });
  await ask("anvil_setCode", CONTRACT, CODE);
  await ask("anvil_setBalance", RICH, "0x5");
  for (let index = 0; index < SLOTS; index++) {
    await ask("anvil_setStorageAt", CONTRACT, wordText(index), wordText(index + 1));
  }
  for (let block = 0; block < 6; block++) await ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
  return node;
}

/**
 * Such a chain behind an upstream that can be told how to behave.
 *
 * @param shared - a node that the test does not change; unless given the test has one of its own
 */
export async function aWorld(rules: UpstreamRules = {}, shared?: HindcastNode): Promise<World> {
  const node = shared ?? (await openChainNode());
  if (shared === undefined) onTestFinished(() => node.close());
  const provider = node.provider as RemoteProvider;
  const ask = <T>(method: string, ...params: unknown[]): Promise<T> =>
    provider.request({ method, params }) as Promise<T>;
  const upstream = await anUpstream(provider, rules);
  const open = async (options: RemoteOptions = {}): Promise<RemoteChain> => {
    const chain = await openRemoteChain({
      ...(options.provider === undefined ? { urls: [upstream.url] } : {}),
      cache: false,
      retryBackoffMs: 5,
      lagMs: 40,
      timeoutMs: 60_000,
      ...options,
    });
    onTestFinished(() => chain.close());
    return chain;
  };
  return { node, provider, upstream, open, ask };
}
