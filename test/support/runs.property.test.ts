/** Properties and tables run in full with the slow tests; the others take a fortieth of a property, and of a table some of each kind. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { pairs, runs, someOfEach } from "./seed.ts";

/** As vitest sets it: `--mode slow`. */
const { MODE } = (import.meta as unknown as { readonly env: { readonly MODE: string } }).env;
const isSlow = MODE === "slow" || MODE === "campaign" || process.env.HINDCAST_SLOW === "1";

it("a property runs as often as its suite asks for", () => {
  expect(runs(100)).toBe(isSlow ? 100 : 3);
  expect(runs(4)).toBe(4);
  let count = 0;
  fc.assert(fc.property(fc.integer(), () => void count++));
  expect(count).toBe(runs(100));
});

it("some of each kind of a table are chosen, in the table's order", () => {
  const table = ["a1", "b1", "a2", "c1", "b2", "a3"];
  const kindOf = ([kind]: string): unknown => kind;
  const chosen = someOfEach(table, kindOf, 2);
  expect(chosen).toEqual(table.filter((each) => chosen.includes(each)));
  expect(chosen.map(kindOf).sort()).toEqual(isSlow ? ["a", "a", "a", "b", "b", "c"] : ["a", "a", "b", "b", "c"]);
});

it.each([
  [3, 4],
  [4, 3],
  [2, 2],
  [1, 3],
  [5, 1],
])("each of %i members has a partner among %i, and each of those has one, too", (rows, columns) => {
  const [first, second] = [rows, columns].map((count) => Array.from({ length: count }, (_, index) => index)) as [
    number[],
    number[],
  ];
  const chosen = pairs(first, second);
  expect(new Set(chosen.map(([one]) => one))).toEqual(new Set(first));
  expect(new Set(chosen.map(([, other]) => other))).toEqual(new Set(second));
  expect(chosen).toHaveLength(isSlow ? rows * columns : Math.max(rows, columns));
});
