/** The recorded requests with the params that they have on the chain of the story, and that chain as a state file. */
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { openNode } from "../../support/a-node.ts";
import { type Story, tellStory } from "../a-story.ts";
import { type Params, READING, WRITING } from "../recorded-requests.ts";

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface Corpus {
  readonly requests: readonly RpcRequest[];
  /** A file for anvil_loadState. */
  readonly state: string;
  /** Hashes and addresses that stand in the requests. */
  readonly hashes: readonly string[];
  readonly addresses: readonly string[];
}

/** Tells the story to a node and asks it everything, to learn the params that follow from answers. */
export async function collectCorpus(): Promise<Corpus> {
  const node = await openNode();
  try {
    const story = await tellStory(node);
    const state = (await node.provider.request({ method: "anvil_dumpState", params: [] })) as string;
    const requests = await resolveRequests(node, story);
    const text = JSON.stringify([requests, story]);
    const all = (digits: number): string[] => [
      ...new Set([...text.matchAll(new RegExp(`"(0x[0-9a-f]{${digits}})"`, "g"))].map((match) => match[1] as string)),
    ];
    return { requests, state, hashes: all(64), addresses: all(40) };
  } finally {
    await node.close();
  }
}

async function resolveRequests(node: HindcastNode, story: Story): Promise<RpcRequest[]> {
  const requests: RpcRequest[] = [];
  const paramsOf = (params: Params, last: unknown): readonly unknown[] =>
    typeof params === "function" ? params(story, last) : params;
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    requests.push({ method, params });
    return node.provider.send(method, params).catch(() => undefined);
  };
  for (const [method, recordings] of [...READING, ...WRITING]) {
    for (const { before = [], params } of recordings) {
      let last: unknown;
      for (const [first, needed] of before) last = await ask(first, paramsOf(needed, last));
      await ask(method, paramsOf(params, last));
    }
  }
  return requests;
}
