import { expect, it } from "vitest";
import { miningProgress } from "../../../src/cli/output/mining-progress.ts";
import { createProgress, timeLeft } from "../../../src/cli/output/progress.ts";
import { aNode } from "../../support/a-node.ts";

const silent = { write: () => undefined };

it("is a line every five seconds after the first where there is no terminal", async () => {
  const lines: string[] = [];
  let time = 0;
  const progress = await createProgress({
    label: "Importing",
    stderr: silent,
    notice: (text) => lines.push(text),
    isJson: false,
    now: () => time,
  });
  for (; time <= 12_000; time += 500) progress.update(time / 24_000, `${time / 100} blocks`);
  progress.stop();
  expect(lines).toEqual([
    "Importing: 4 %, 10 blocks, about 30 s left",
    "Importing: 25 %, 60 blocks, about 18 s left",
    "Importing: 45 %, 110 blocks, about 13 s left",
  ]);
});

it("is a bar on a terminal, once a second has passed", async () => {
  let drawn = "";
  let time = 0;
  const write = (text: string): boolean => {
    drawn += text;
    return true;
  };
  const stderr = { write, isTTY: true, cursorTo: write, clearLine: write, columns: 100, on: () => stderr };
  const progress = await createProgress({
    label: "Mining",
    stderr,
    notice: () => expect.unreachable(),
    isJson: false,
    now: () => time,
  });
  progress.update(0.1, "1 of 10 blocks");
  expect(drawn).toBe("");
  time = 2_000;
  progress.update(0.5, "5 of 10 blocks");
  progress.stop();
  expect(drawn).toContain("50% | 5 of 10 blocks | about 2 s left");
});

it("estimates in steps that do not jump", () => {
  expect([0, 0.001, 0.5, 0.9, 0.999].map((part) => timeLeft(part, 60_000))).toEqual([
    "",
    "about 999 min left",
    "about 60 s left",
    "about 7 s left",
    "nearly done",
  ]);
});

it("hears of each block of a request for several, and of no single one", async () => {
  const told: [number, number][] = [];
  const node = await aNode({ onMiningProgress: (blocks, total) => told.push([blocks, total]) });
  await node.mine({ blocks: 40 });
  await node.mine();
  expect(told).toEqual(Array.from({ length: 40 }, (_, index) => [index + 1, 40]));
});

it("tells of two requests for many blocks one after the other", async () => {
  const lines: string[] = [];
  let time = 0;
  const tell = miningProgress({ stderr: silent, notice: (text) => lines.push(text), isJson: false, now: () => time });
  for (const from of [0, 10_000]) {
    time = from;
    tell(1, 100);
    await new Promise((resolve) => setImmediate(resolve));
    time = from + 2_000;
    tell(50, 100);
    tell(100, 100);
  }
  expect(lines).toEqual(Array(2).fill("Mining: 50 %, 50 of 100 blocks, about 2 s left"));
});
