/** The hardforks of public chains, at blocks that everybody can look up. */
import { describe, expect, it } from "vitest";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import type { Genesis } from "../../src/chainspec/genesis/genesis.ts";
import { HARDFORKS } from "../../src/chainspec/hardforks/hardforks.ts";
import { publicChain } from "../../src/chainspec/genesis/public-chains.ts";

const IDS = [1n, 11_155_111n, 17_000n, 560_048n, 100n, 10n, 8453n, 42_161n, 137n, 56n];

describe.each(IDS)("chain %s", (id) => {
  const schedule = publicChain(id)?.schedule;

  it("begins its hardforks in order", () => {
    expect(schedule?.chainId).toBe(id);
    for (const kind of [schedule?.blocks, schedule?.times]) {
      const activations = HARDFORKS.flatMap((name) => kind?.[name] ?? []);
      expect(activations).toEqual([...activations].sort((left, right) => Number(left - right)));
    }
  });
});

it.each([
  // Block, seconds, hardfork: as block explorers show them.
  [1n, 1_149_999n, 1_457_938_181n, "chainstart"],
  [1n, 4_370_000n, 1_508_131_331n, "byzantium"],
  [1n, 12_965_000n, 1_628_166_822n, "london"],
  [1n, 15_537_393n, 1_663_224_147n, "grayGlacier"],
  [1n, 15_537_394n, 1_663_224_179n, "paris"],
  [1n, 19_426_586n, 1_710_338_123n, "shanghai"],
  [1n, 19_426_587n, 1_710_338_135n, "cancun"],
  [1n, 22_431_084n, 1_746_612_311n, "prague"],
  [1n, 23_935_694n, 1_764_798_551n, "osaka"],
  [11_155_111n, 1_450_408n, 1_655_733_600n, "london"],
  [11_155_111n, 2_990_908n, 1_677_557_088n, "shanghai"],
  [560_048n, 1n, 1_742_213_400n, "cancun"],
  [100n, 25_349_537n, 1_670_538_505n, "paris"],
  [10n, 105_235_062n, 1_686_068_901n, "berlin"],
  [8453n, 11_188_936n, 1_710_374_401n, "cancun"],
  [137n, 54_876_000n, 1_711_000_000n, "cancun"],
  [56n, 31_302_047n, 1_693_000_000n, "muirGlacier"],
] as const)("chain %s has at block %s, at %s, the rules of %s", (id, number, timestamp, hardfork) => {
  const schedule = publicChain(id)?.schedule;
  if (schedule === undefined) throw new Error("no such chain");
  const spec = new ChainSpec({ schedule } as Genesis);
  expect(spec.hardforkAt({ number, timestamp, parentTotalDifficulty: 0n })).toBe(hardfork);
});

it("other chains are unknown", () => {
  expect(publicChain(31_337n)).toBeUndefined();
});
