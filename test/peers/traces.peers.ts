/**
 * Our traces beside Anvil's on the same chain. Anvil's come from the library that reth's do, so ours are in reth's manner.
 * Prints every difference; each kind stands with its reason in trace-differences.md.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openNode } from "../support/a-node.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";
import { type Difference, differencesOf } from "./trace-differences.ts";
import { inProcess, justified, kindOf, overHttp, questions } from "./trace-questions.ts";
import { tell } from "./trace-story.ts";

const HARDFORKS = ["shanghai", "cancun", "prague"] as const;

let installed: Awaited<ReturnType<typeof installPeers>>;
beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1"]);
}, 300_000);
afterAll(() => installed.remove());

async function compare(hardfork: (typeof HARDFORKS)[number]): Promise<Difference[]> {
  const flags = ["--port", "0", "--hardfork", hardfork, "--steps-tracing"];
  const peer = await startPeer(anvilBinary(installed.folder), flags);
  const node = await openNode({ hardfork, traceClient: "reth" });
  try {
    const [us, them] = [inProcess(node), overHttp(peer.url)];
    const story = await tell(us);
    expect(await tell(them)).toEqual(story);
    const found: Difference[] = [];
    for (const [method, about, name, ...params] of questions(story)) {
      found.push(...differencesOf(await us(name, ...params), await them(name, ...params), { method, about }));
    }
    return found;
  } finally {
    await node.close();
    await peer.stop();
  }
}

const text = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 100);

it("differ from Anvil's only where the table says why", async () => {
  const found = new Map<string, Difference & { times: number; hardforks: Set<string> }>();
  for (const hardfork of HARDFORKS) {
    for (const difference of await compare(hardfork)) {
      const known = found.get(kindOf(difference)) ?? { ...difference, times: 0, hardforks: new Set<string>() };
      known.times++;
      known.hardforks.add(hardfork);
      found.set(kindOf(difference), known);
    }
  }
  for (const [kind, { times, hardforks, about, ours, theirs }] of found) {
    const example = `ours ${text(ours)}, Anvil's ${text(theirs)}`;
    process.stdout.write(`${kind}: ${times} times (${[...hardforks].join(", ")}); of ${about}: ${example}\n`);
  }
  expect([...found.keys()].sort()).toEqual(justified().sort());
}, 120_000);
