/**
 * A tenth of the campaign's measurement of the largest requests: every method of the registry, with lists and texts a tenth
 * as long as the limits let in, two of its requests by the seed, and a batch of a hundred. All go to one node.
 *
 * Waits are beyond those for an idle server in the same run.
 */
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/node/options/limits.ts";
import { answersDuring } from "../rpc/stopwatch.ts";
import { buildOnce } from "../support/build-once.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";
import { residentBytes } from "./figures.ts";
import {
  aChain,
  batchOf,
  describedMethods,
  exampleOf,
  isInternal,
  LONGEST_WAIT_MS,
  MOST_BYTES,
  peakOf,
  post,
  requestText,
} from "./harness.ts";
import { type WorstRequest, worstRequests } from "./worst-requests.ts";

const BOUNDS = { values: DEFAULT_LIMITS.maxRequestValues / 10, characters: 2 ** 20 };
const BATCH = 100;
const REQUESTS = 2;

/** Milliseconds since the epoch, as those of answers. */
const now = (): number => performance.timeOrigin + performance.now();

it("a tenth of each method's largest requests keeps nobody waiting", { timeout: 900_000 }, async () => {
  buildOnce();
  const random = randomNumbers(testSeed);
  const document = describedMethods();
  const node = await aChain(["--wait-timeout", "1000"]);
  const idle = residentBytes(node.process.pid);
  const internal: string[] = [];
  const asked: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  const askAll = async (name: string, bodies: readonly string[]): Promise<void> => {
    const from = now();
    for (const body of bodies) if (isInternal(await post(node, body))) internal.push(body.slice(0, 200));
    asked.push({ name, from, to: now() });
  };
  // The first call loads the code of a method.
  for (const { name } of document.methods) await post(node, exampleOf(name));
  const answers = await answersDuring(
    node.url,
    async () => {
      for (const described of document.methods) {
        const all = [...worstRequests({ ...document, methods: [described] }, BOUNDS)];
        const chosen = Array.from({ length: Math.min(REQUESTS, all.length) }, () => {
          return requestText(all.splice(Math.floor(random() * all.length), 1)[0] as WorstRequest);
        });
        // What the method before it changed does not stay.
        await node.ask("hardhat_reset");
        await node.ask("evm_setIntervalMining", 0);
        await node.ask("evm_setAutomine", true);
        await askAll(described.name, [...chosen, batchOf(described.name, BATCH)]);
      }
    },
    node.process.pid,
  );
  const slow = asked.flatMap(({ name, from, to }) => {
    const meanwhile = answers.filter(({ at, elapsedMs }) => at + elapsedMs >= from && at <= to);
    const most = (times: readonly number[]): number => Math.max(0, ...times);
    const wait = most(meanwhile.map(({ elapsedMs }) => elapsedMs)) - most(meanwhile.map(({ controlMs }) => controlMs));
    return wait > LONGEST_WAIT_MS ? [`${name}: ${Math.round(wait)} ms`] : [];
  });
  expect(internal).toEqual([]);
  expect(slow).toEqual([]);
  if (process.platform === "linux") expect(peakOf(node) - idle).toBeLessThan(MOST_BYTES);
});
