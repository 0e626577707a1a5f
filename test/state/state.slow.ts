import { expect, it } from "vitest";
import { commitsForksCompletely, followsTheModel, keepsOldStates, knowsOfStorage } from "./working-state-properties.ts";

it("follows a plain map of accounts through thousands of histories", async () => {
  await followsTheModel(1500);
  await commitsForksCompletely(500);
  await knowsOfStorage(500);
  await keepsOldStates(300);
  expect.hasAssertions();
});
