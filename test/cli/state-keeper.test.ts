import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toSettings } from "../../src/cli/options/settings.ts";
import { StateKeeper } from "../../src/cli/state-keeper.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { aFolder } from "../support/a-folder.ts";

/** A node whose state takes as long as the test wants, and how many such are being made. */
function aSlowNode() {
  const waiting: ((bytes: Uint8Array) => void)[] = [];
  let started = 0;
  const dumpState = (): Promise<Uint8Array> => {
    started++;
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    node: { dumpState } as unknown as HindcastNode,
    started: () => started,
    finish: (text: string) => waiting.shift()?.(new TextEncoder().encode(text)),
  };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
};

it("writes a state that takes longer than the interval one at a time, and once more at the end", async () => {
  const path = join(await aFolder(), "state");
  const { node, started, finish } = aSlowNode();
  const settings = toSettings({ dumpState: path, stateInterval: 1 });
  const keeper = new StateKeeper(node, settings, (error) => expect.unreachable(String(error)));
  while (started() === 0) await turns(1);
  await turns(10);
  expect(started()).toBe(1);
  const finished = keeper.finish();
  finish("on the way");
  while (started() === 1) await turns(1);
  expect(await readFile(path, "utf8")).toBe("on the way");
  finish("at the end");
  await finished;
  expect(await readFile(path, "utf8")).toBe("at the end");
  expect(started()).toBe(2);
});

it("tells of a file that cannot be written, and goes on", async () => {
  const path = join(await aFolder(), "no", "such", "folder");
  const { node, started, finish } = aSlowNode();
  const errors: unknown[] = [];
  const keeper = new StateKeeper(node, toSettings({ dumpState: path, stateInterval: 1 }), (error) =>
    errors.push(error),
  );
  for (let round = 1; round <= 2; round++) {
    while (started() < round) await turns(1);
    finish("");
    while (errors.length < round) await turns(1);
  }
  keeper.stop();
  expect(errors).toMatchObject([{ code: "FILE_NOT_WRITABLE" }, { code: "FILE_NOT_WRITABLE" }]);
});
