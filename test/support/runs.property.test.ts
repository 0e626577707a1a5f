/** Properties run in full with the slow tests, and a twentieth of the full count with the others. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "./seed.ts";

/** As vitest sets it: `--mode slow`. */
const { MODE } = (import.meta as unknown as { readonly env: { readonly MODE: string } }).env;
const isSlow = MODE === "slow" || MODE === "campaign" || process.env.HINDCAST_SLOW === "1";

it("a property runs as often as its suite asks for", () => {
  expect(runs(100)).toBe(isSlow ? 100 : 5);
  expect(runs(4)).toBe(4);
  let count = 0;
  fc.assert(fc.property(fc.integer(), () => void count++));
  expect(count).toBe(runs(100));
});
