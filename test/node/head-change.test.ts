import { expect, it } from "vitest";
import { aNode } from "../support/a-node.ts";

it("a listener may mine: the next writer does not wait for it", async () => {
  const node = await aNode();
  let isFirst = true;
  const mined = new Promise((resolve) => {
    node.onHeadChange(async () => {
      if (!isFirst) return;
      isFirst = false;
      resolve(await node.mine());
    });
  });
  await node.mine();
  await mined;
  expect(node.head.header.number).toBe(2n);
});

it("onError hears of listeners that fail, at once or later, and the chain goes on", async () => {
  const errors: unknown[] = [];
  const node = await aNode({ onError: (error) => void errors.push(error) });
  node.onHeadChange(() => {
    throw new Error("at once");
  });
  node.onHeadChange(() => Promise.reject(new Error("later")));
  await node.mine();
  await node.mine();
  expect(errors.map(String)).toEqual(["Error: at once", "Error: later", "Error: at once", "Error: later"]);
});
