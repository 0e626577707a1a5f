/**
 * Our traces beside Anvil's on the same chain. Anvil's come from the library that reth's do, so ours are in reth's manner.
 * Prints every difference; each kind stands with its reason in trace-differences.md.
 *
 * Compares Anvil's answers with those in fixtures/traces/, too, and writes the files that are missing there.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openNode } from "../support/a-node.ts";
import { anvilBinary, installPeers, startPeer } from "../support/peers.mjs";
import { hasAnswers, readAnswers, TRACED_HARDFORKS, type TracedHardfork, writeAnswers } from "./recorded-traces.ts";
import { type Difference, differencesOf } from "./trace-differences.ts";
import { inProcess, justified, kindOf, overHttp, questions } from "./trace-questions.ts";
import { tell } from "./trace-story.ts";

let installed: Awaited<ReturnType<typeof installPeers>>;
beforeAll(async () => {
  installed = await installPeers(["@foundry-rs/anvil@1.7.1"]);
});
afterAll(() => installed.remove());

async function compare(hardfork: TracedHardfork): Promise<Difference[]> {
  const flags = ["--port", "0", "--hardfork", hardfork, "--steps-tracing"];
  const peer = await startPeer(anvilBinary(installed.folder), flags);
  const node = await openNode({ hardfork, traceClient: "reth" });
  try {
    const [us, them] = [inProcess(node), overHttp(peer.url)];
    const story = await tell(us);
    expect(await tell(them)).toEqual(story);
    const found: Difference[] = [];
    const answers: unknown[] = [];
    for (const [method, about, name, ...params] of questions(story)) {
      const theirs = await them(name, ...params);
      answers.push(theirs);
      found.push(...differencesOf(await us(name, ...params), theirs, { method, about }));
    }
    compareWithRecorded(hardfork, answers);
    return found;
  } finally {
    await node.close();
    await peer.stop();
  }
}

function compareWithRecorded(hardfork: TracedHardfork, answers: readonly unknown[]): void {
  if (!hasAnswers(hardfork)) writeAnswers(hardfork, answers);
  const asked = { method: hardfork, about: "fixtures/traces" };
  expect(differencesOf(readAnswers(hardfork), answers, asked)).toEqual([]);
}

const text = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 100);

it("differ from Anvil's only where the table says why", async () => {
  const found = new Map<string, Difference & { times: number; hardforks: Set<string> }>();
  for (const hardfork of TRACED_HARDFORKS) {
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
});
