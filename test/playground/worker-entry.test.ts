import { expect, it } from "vitest";
import type * as browser from "../../src/browser/index.ts";
import { createWorkerNode } from "../../src/browser/worker/client.ts";
import type * as Fuzzer from "../../src/playground/fuzz-entries.d.ts";
import type { createWorkerNode as Declared } from "../../src/playground/worker-entry.d.ts";
import { fuzz } from "../../src/testing/fuzz/fuzz.ts";

it("the entry for workers is what the playground takes it for", () => {
  // The compiler compares them.
  const entry: typeof Declared = createWorkerNode;
  expect(entry.name).toBe("createWorkerNode");
});

it("the fuzzer, and the node that it takes, are what its worker takes them for", () => {
  // The compiler compares them. A page's entry is not loaded in Node.
  const create: typeof Fuzzer.createNode | undefined = undefined as typeof browser.createNode | undefined;
  const search: typeof Fuzzer.fuzz = (node, options) => fuzz(node as never, options);
  expect([create, search.length]).toEqual([undefined, 2]);
});
