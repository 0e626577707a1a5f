import { expect, it } from "vitest";
import { behavesLike, REFERENCES } from "./state-manager-properties.ts";
import { commitsForksCompletely, followsTheModel, keepsOldStates, knowsOriginals } from "./working-state-properties.ts";

it("follows a plain map of accounts through thousands of histories", async () => {
  await followsTheModel(1500);
  await commitsForksCompletely(500);
  await knowsOriginals(500);
  await keepsOldStates(300);
  expect.hasAssertions();
});

it.each(REFERENCES)("reads and roots like MerkleStateManager $name through hundreds of histories", (reference) =>
  behavesLike(reference, 200),
);
