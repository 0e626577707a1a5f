import { expect, it } from "vitest";
import { createWorkerNode } from "../../src/browser/worker/client.ts";
import type { createWorkerNode as Declared } from "../../src/playground/worker-entry.d.ts";

it("the entry for workers is what the playground takes it for", () => {
  // The compiler compares them.
  const entry: typeof Declared = createWorkerNode;
  expect(entry.name).toBe("createWorkerNode");
});
