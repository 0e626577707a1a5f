import { describe, it } from "vitest";
import { WAYS } from "../differential/compare.ts";
import { SCENARIOS } from "../differential/scenarios.ts";
import { doesAsTheExecutor } from "./executor-properties.ts";

const RUNS = 2_000;

describe("many random transactions", () => {
  for (const kind of Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[]) {
    for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
      it(`do the same in EthereumJS' EVM as in the executor's (${kind}, ${way})`, async () => {
        console.log(kind, way, JSON.stringify(await doesAsTheExecutor(kind, way, RUNS)));
      });
    }
  }
});
