/** Headers against EthereumJS' block package, which the codec here does not use. */
import { type BlockHeader, createBlockHeader, createBlockHeaderFromRLP } from "@ethereumjs/block";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { nextDifficulty } from "../../../src/chainspec/header/difficulty.ts";
import { blobBaseFee, nextBaseFeePerGas, nextExcessBlobGas } from "../../../src/chainspec/header/fees.ts";
import {
  decodeHeader,
  encodeHeader,
  type Header,
  hashHeader,
  headerToList,
} from "../../../src/chainspec/header/header.ts";
import { EMPTY_UNCLES_HASH } from "../../../src/primitives/hash/hash.ts";
import { ethereumjsCommon } from "../../support/ethereumjs-common.ts";
import { runs } from "../../support/seed.ts";
import { headerOf, spec, TESTED_HARDFORKS } from "../arbitraries.ts";

/** EthereumJS' header from our bytes. It recomputes nothing that we tell it. */
function reference(header: Header, hardfork: Hardfork): BlockHeader {
  return createBlockHeaderFromRLP(encodeHeader(header), {
    common: ethereumjsCommon(spec, hardfork),
    setHardfork: false,
    skipConsensusFormatValidation: true,
  });
}

/** An EthereumJS header at a number and time, to be asked what difficulty it should have. */
function childAt(parent: Header, timestamp: bigint, hardfork: Hardfork): BlockHeader {
  return createBlockHeader(
    { number: parent.number + 1n, timestamp },
    { common: ethereumjsCommon(spec, hardfork), setHardfork: false, skipConsensusFormatValidation: true },
  );
}

const [bare] = fc.sample(headerOf("london"), { numRuns: 1, seed: 2 }) as [Header];
const POW = TESTED_HARDFORKS.filter((hardfork) => !spec.rules(hardfork).has(3675));
const LONDON = TESTED_HARDFORKS.filter((hardfork) => spec.rules(hardfork).has(1559));
const CANCUN = TESTED_HARDFORKS.filter((hardfork) => spec.rules(hardfork).has(4844));

describe.each(TESTED_HARDFORKS)("a header (%s)", (hardfork) => {
  it("has the bytes and the hash that EthereumJS gives it, and comes back from them", () => {
    fc.assert(
      fc.property(headerOf(hardfork), (header) => {
        const other = reference(header, hardfork);
        expect(encodeHeader(header)).toEqual(other.serialize());
        expect(hashHeader(header)).toEqual(other.hash());
        expect(decodeHeader(encodeHeader(header))).toEqual(header);
      }),
      { numRuns: runs(10) },
    );
  });
});

it.each(POW)("the difficulty after a header is the canonical one of EthereumJS (%s)", (hardfork) => {
  // EthereumJS 10.1.3 leaves EIP-3554 out of London and keeps Muir Glacier's delay of 9,000,000 blocks instead of
  // 9,700,000: the two agree up to where that bomb begins. The EIP's own numbers are tested below.
  const lastNumber = hardfork === "london" ? 9_100_000n : 20_000_000n;
  fc.assert(
    fc.property(headerOf(hardfork), fc.bigInt({ min: 1n, max: 2_000n }), (header, elapsed) => {
      const parent = { ...header, number: header.number % lastNumber };
      const timestamp = parent.timestamp + elapsed;
      const expected = childAt(parent, timestamp, hardfork).ethashCanonicalDifficulty(reference(parent, hardfork));
      expect(nextDifficulty(parent, timestamp, spec.rules(hardfork))).toBe(expected);
    }),
    { numRuns: runs(80) },
  );
});

describe("the difficulty bomb", () => {
  const parent: Header = {
    ...fc.sample(headerOf("homestead"), { numRuns: 1, seed: 1 })[0],
    difficulty: 1n << 40n,
    unclesHash: EMPTY_UNCLES_HASH,
    timestamp: 0n,
  } as Header;
  /** The difference to the same block at the same time, but long before the bomb. */
  const bombAt = (number: bigint, hardfork: Hardfork): bigint =>
    nextDifficulty({ ...parent, number: number - 1n }, 10n, spec.rules(hardfork)) -
    nextDifficulty({ ...parent, number: 1n }, 10n, spec.rules(hardfork));

  it.each([
    ["homestead", 0n],
    ["byzantium", 3_000_000n],
    ["constantinople", 5_000_000n],
    ["muirGlacier", 9_000_000n],
    ["london", 9_700_000n],
    ["arrowGlacier", 10_700_000n],
    ["grayGlacier", 11_400_000n],
  ] as const)("begins 200,000 blocks after its delay and doubles every 100,000 (%s)", (hardfork, delay) => {
    const numbers = [199_999n, 200_000n, 299_999n, 300_000n, 400_000n, 1_200_000n];
    expect(numbers.map((number) => bombAt(delay + number, hardfork))).toEqual([0n, 1n, 1n, 2n, 4n, 1024n]);
  });

  it("adds to what the adjustment gives, and only the sum is raised to the floor (yellow paper)", () => {
    const low = { ...parent, difficulty: 131_072n, number: 299_999n };
    expect(nextDifficulty(low, 10_000n, spec.rules("homestead"))).toBe(131_072n);
    // 131,072 + 64 for a quick block, and 2 of the bomb.
    expect(nextDifficulty(low, 1n, spec.rules("homestead"))).toBe(131_138n);
  });
});

it.each(LONDON)("the base fee after a header is EthereumJS' (%s)", (hardfork) => {
  fc.assert(
    fc.property(headerOf(hardfork), (parent) => {
      expect(nextBaseFeePerGas(parent)).toBe(reference(parent, hardfork).calcNextBaseFee());
    }),
    { numRuns: runs(40) },
  );
});

it.each(CANCUN)("excess blob gas and blob price after a header are EthereumJS' (%s)", (hardfork) => {
  const schedule = spec.blobSchedule(hardfork);
  fc.assert(
    fc.property(headerOf(hardfork), (parent) => {
      const other = reference(parent, hardfork);
      // The header's own rules: EthereumJS adds the block package's parameters to a copy of what it is given.
      const { common } = other;
      const excess = nextExcessBlobGas(parent, spec.rules(hardfork), schedule);
      expect(excess).toBe(other.calcNextExcessBlobGas(common));
      expect(blobBaseFee(excess, schedule)).toBe(other.calcNextBlobGasPrice(common));
    }),
    { numRuns: runs(40) },
  );
});

describe("a header with an integer at its width", () => {
  const [header] = fc.sample(headerOf("amsterdam"), { numRuns: 1, seed: 1 }) as [Header];
  const members = [
    ...(["number", "gasLimit", "gasUsed", "timestamp", "blobGasUsed", "excessBlobGas", "slotNumber"] as const).map(
      (name) => [name, 64] as const,
    ),
    ...(["difficulty", "baseFeePerGas"] as const).map((name) => [name, 256] as const),
  ];

  it.each(members)("comes back with the largest %s below 2^%d", (name, bits) => {
    const largest = { ...header, [name]: 2n ** BigInt(bits) - 1n };
    expect(decodeHeader(encodeHeader(largest))).toEqual(largest);
  });

  it.each(members)("is neither written nor read with a %s of 2^%d", (name, bits) => {
    const wide = { ...header, [name]: 2n ** BigInt(bits) };
    expect(() => encodeHeader(wide)).toThrow(
      `Malformed block header: ${name} ${2n ** BigInt(bits)} is not below 2^${bits}`,
    );
    const bytes = RLP.encode(headerToList(wide));
    expect(() => decodeHeader(bytes)).toThrow(`Malformed block header: ${name} is not below 2^${bits}`);
  });
});

describe("the price of blobs at a large excess", () => {
  // The largest excess with a price below 2^256 - 1, and that price, by EIP-4844's fake_exponential in Python. By the exact
  // exponential it is the whole part of 256 · ln 2 · fraction, such as 888,597,561.97 for 5,007,716.
  it.each([
    ["cancun", 592_398_315n, 115792071961871597569864401767843993244140375666330206955159735174071991568500n],
    ["prague", 888_597_561n, 115792066809685612546282733040189215367557975895581884671338705043003322009923n],
    ["bpo1", 1_480_995_877n, 115792082744699306176667337330079620614253575378790382402669705483570706167127n],
    ["bpo2", 2_073_394_370n, 115792085157819435616670057335491363320393331960321608070891430301789171348051n],
  ] as const)(
    "is what the EIP gives as long as a word has room for it, then the largest word (%s)",
    (hardfork, excess, price) => {
      const schedule = spec.blobSchedule(hardfork);
      expect(blobBaseFee(excess, schedule)).toBe(price);
      for (const beyond of [excess + 1n, 2n ** 40n, 2n ** 64n - 1n, 2n ** 300n]) {
        expect(blobBaseFee(beyond, schedule)).toBe(2n ** 256n - 1n);
      }
    },
  );

  it("is found under a schedule whose price rises with every unit of gas", () => {
    const schedule = { target: 0n, max: 0n, baseFeeUpdateFraction: 1n };
    expect(blobBaseFee(2n ** 64n - 1n, schedule)).toBe(2n ** 256n - 1n);
    expect(
      nextExcessBlobGas({ ...bare, baseFeePerGas: 10n ** 9n, excessBlobGas: 0n }, spec.rules("osaka"), schedule),
    ).toBe(0n);
  });
});

it("a difficulty bomb of more than 256 bits is not computed", () => {
  const difficulty = nextDifficulty(
    { ...bare, number: 2n ** 64n - 2n },
    bare.timestamp + 1n,
    spec.rules("grayGlacier"),
  );
  expect(() => encodeHeader({ ...bare, difficulty })).toThrow("difficulty");
});
