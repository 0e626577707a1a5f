/**
 * Ten attackers and ordinary clients at one node for a long time: how long a client beside them waits, how much memory
 * the node takes, and what it gives back.
 */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/node/options/limits.ts";
import { describeMethods } from "../../src/rpc/openrpc/document.ts";
import { EXAMPLE_ANSWERS } from "../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../src/rpc/registry.ts";
import { aRunningNode, type RunningNode } from "../e2e/a-command.ts";
import { answersDuring, longestWait } from "../rpc/stopwatch.ts";
import { buildOnce } from "../support/build-once.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { testSeed } from "../support/seed.ts";
import { type Battle, fight, type Sent } from "./attackers.ts";
import { keep, percentile, residentBytes, startClock } from "./figures.ts";

const MEBIBYTE = 2 ** 20;
const LONGEST_WAIT_MS = 100;
const MOST_BYTES = 512 * MEBIBYTE;
const MOST_KEPT_BYTES = 64 * MEBIBYTE;
const SECONDS_UNTIL_GIVEN_BACK = 10;
const LATER_MS = 60_000;
/** Between two looks at memory, and two resets of the chain, which would take more and more memory. */
const LOOK_MS = 250;
const RESET_MS = 60_000;
/** Longest waits of which it is printed who asked meanwhile. */
const SHOWN = 12;

const exampleOf = (name: string): readonly unknown[] =>
  methods.find((method) => method.name === name)?.example?.params ?? [];

/** Resident memory after every method was called once, so that its code is loaded, and the chain was begun anew. */
async function warmUp(node: RunningNode): Promise<number> {
  for (const { name } of methods) await node.ask(name, ...exampleOf(name)).catch(() => undefined);
  await node.ask("hardhat_reset");
  await delay(SECONDS_UNTIL_GIVEN_BACK * 1_000);
  return residentBytes(node.process.pid);
}

/** Looks at memory, and begins the chain anew now and then. Resolves with the most memory, and what was wrong. */
async function watch(node: RunningNode, isOver: () => boolean): Promise<number[]> {
  const resident: number[] = [];
  let resetAt = performance.now() + RESET_MS;
  while (!isOver()) {
    resident.push(residentBytes(node.process.pid));
    if (performance.now() > resetAt) {
      resetAt = performance.now() + RESET_MS;
      await node.ask("hardhat_reset");
    }
    await delay(LOOK_MS);
  }
  return resident;
}

const whoAsked = (sent: readonly Sent[], at: number, ms: number): string =>
  [...new Set(sent.filter(({ from, to }) => from <= at + ms && to >= at).map(({ label }) => label))]
    .filter((label) => label !== "ordinary")
    .join("; ");

it("ten attackers keep nobody waiting", { timeout: 0 }, async () => {
  buildOnce();
  // The first start after a build compiles the program, which takes memory that the C library keeps. Later ones do not.
  const first = await aRunningNode();
  await warmUp(first);
  await first.interrupt();
  const node = await aRunningNode();
  const idle = await warmUp(node);
  const isOver = startClock();
  const battle: Battle = {
    node,
    document: describeMethods({ methods, version: "campaign", answers: EXAMPLE_ANSWERS }),
    bounds: { values: DEFAULT_LIMITS.maxRequestValues, characters: 10 * 1024 * 1024 - 10_000 },
    exampleOf,
    random: randomNumbers(testSeed),
    isOver,
    sent: [],
    wrong: [],
  };
  let turns: Record<string, number> = {};
  let resident: number[] = [];
  const fighting = async (): Promise<void> => {
    [turns, resident] = await Promise.all([fight(battle), watch(node, isOver)]);
  };
  const ended = node.finished.then(({ code, stderr }) => {
    throw new Error(`the node ended with ${code}: ${stderr}`);
  });
  // The end of the test ends it as well.
  ended.catch(() => undefined);
  const answers = await answersDuring(node.url, () => Promise.race([fighting(), ended]), node.process.pid);
  await node.ask("hardhat_reset");
  await delay(SECONDS_UNTIL_GIVEN_BACK * 1_000);
  const given = residentBytes(node.process.pid) - idle;
  await delay(LATER_MS);
  const later = residentBytes(node.process.pid) - idle;
  const peak =
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${node.process.pid}/status`, "utf8"))?.[1]) * 1_024 - idle;
  const waits = answers.map(({ elapsedMs }) => elapsedMs);
  const byWait = [...answers].sort((left, right) => right.elapsedMs - left.elapsedMs);
  for (const { at, elapsedMs } of byWait.slice(0, SHOWN)) {
    console.log(`${Math.round(elapsedMs)} ms: ${whoAsked(battle.sent, at, elapsedMs)}`);
  }
  keep("soak", {
    seed: testSeed,
    requests: battle.sent.length,
    ...turns,
    answersBeside: answers.length,
    medianMs: percentile(waits, 0.5),
    percentile99Ms: percentile(waits, 0.99),
    longestMs: percentile(waits, 1),
    longestOfControlMs: Math.max(...answers.map(({ controlMs }) => controlMs)),
    above100Ms: waits.filter((ms) => ms > LONGEST_WAIT_MS).length,
    idleMebibytes: idle / MEBIBYTE,
    medianAboveIdleMebibytes: (percentile(resident, 0.5) - idle) / MEBIBYTE,
    peakAboveIdleMebibytes: peak / MEBIBYTE,
    aboveIdleAfterTenSecondsMebibytes: given / MEBIBYTE,
    aboveIdleAfterAnotherMinuteMebibytes: later / MEBIBYTE,
    wrong: battle.wrong.length,
  });
  expect([...new Set(battle.wrong)]).toEqual([]);
  expect(longestWait(answers)).toBeLessThan(LONGEST_WAIT_MS);
  expect(peak).toBeLessThan(MOST_BYTES);
  expect(given).toBeLessThan(MOST_KEPT_BYTES);
});
