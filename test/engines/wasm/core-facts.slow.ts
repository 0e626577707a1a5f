/** The core's facts in its own language are those of src/evm/. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FACTS, factsText } from "../../../.ci/core-facts.mjs";

it("the generated file is what the tables of evm/ give; `npm run build` renews it", async () => {
  const file = new URL(`../../../src/${FACTS}`, import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(await factsText());
});
