/** Where the later hardforks of a development chain begin. */
import { describe, expect, it } from "vitest";
import { type HardforkStarts, lastHardfork, laterHardforks } from "../../../src/chainspec/genesis/later-hardforks.ts";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";

const NOW = 1_700_000_000n;
const later = (first: Hardfork, starts: HardforkStarts) => laterHardforks(first, starts, NOW);
const BPO = { bpo1: NOW + 1_000n, bpo2: NOW + 1_000n, bpo3: NOW + 1_000n, bpo4: NOW + 1_000n, bpo5: NOW + 1_000n };

describe("laterHardforks", () => {
  it.each<[Hardfork, HardforkStarts, object]>([
    ["osaka", { amsterdam: 1_000 }, { blocks: {}, times: { ...BPO, amsterdam: NOW + 1_000n } }],
    ["bpo5", { Amsterdam: 1_700_000_001n }, { blocks: {}, times: { amsterdam: 1_700_000_001n } }],
    ["istanbul", { london: 10 }, { blocks: { muirGlacier: 10n, berlin: 10n, london: 10n }, times: {} }],
    [
      "london",
      { "arrow-glacier": 2, paris: 5, cancun: 60 },
      {
        blocks: { arrowGlacier: 2n, grayGlacier: 5n },
        mergeBlock: 5n,
        times: { shanghai: NOW + 60n, cancun: NOW + 60n },
      },
    ],
    ["cancun", {}, { blocks: {}, times: {} }],
  ])("after %s: %o", (first, starts, expected) => {
    expect(later(first, starts)).toEqual({ mergeBlock: undefined, ...expected });
  });

  it.each<[Hardfork, HardforkStarts, string]>([
    ["osaka", { prague: 1_000 }, "prague is not newer than the chain's first hardfork, osaka."],
    ["osaka", { osaka: 1_000 }, "osaka is not newer"],
    ["osaka", { amsterdam: 0 }, "amsterdam at the timestamp 1700000000 is too early."],
    ["osaka", { amsterdam: 1_700_000_000 }, "Give a timestamp from 1700000001 on, or the seconds after"],
    ["cancun", { osaka: 20, prague: 30 }, "osaka at the timestamp 1700000020 is too early."],
    ["berlin", { london: 0 }, "london at block 0 is too early. Give 1 or more."],
    ["berlin", { london: 5, paris: 4 }, "paris at block 4 is too early. Give 5 or more."],
    ["berlin", { london: 5, shanghai: 100 }, "shanghai begins at a time, which a chain has only from paris on."],
    ["osaka", { amsterdam: 1_000, Amsterdam: 2_000 }, "amsterdam is named twice. Give each hardfork once."],
    ["berlin", { londres: 5 }, 'Unknown hardfork "londres".'],
  ])("after %s: refuses %o", (first, starts, message) => {
    expect(() => later(first, starts)).toThrow(message);
  });
});

it("lastHardfork is the newest of all", () => {
  expect(lastHardfork("osaka", { amsterdam: 1_000 })).toBe("amsterdam");
  expect(lastHardfork("berlin", { paris: 5, london: 3 })).toBe("paris");
  expect(lastHardfork("cancun", {})).toBe("cancun");
});
