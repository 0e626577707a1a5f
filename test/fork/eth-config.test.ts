/** The hardforks of a forked chain by the upstream node's eth_config (EIP-7910). */
import { describe, expect, it } from "vitest";
import { BUILDER_DEPOSITS_ADDRESS } from "../../src/chainspec/system-contracts.ts";
import { readEthConfig } from "../../src/node/fork/eth-config.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";

type Json = Record<string, unknown>;

const address = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;
const numbered = (numbers: readonly number[]): Json => Object.fromEntries(numbers.map((n) => [`P${n}`, address(n)]));
const CANCUN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const PRAGUE = [...CANCUN, 11, 12, 13, 14, 15, 16, 17];
const OSAKA = [...PRAGUE, 0x100];
const BUILDERS = { BUILDER_DEPOSIT_CONTRACT_ADDRESS: encodeData(BUILDER_DEPOSITS_ADDRESS) };
const LIMITS = [
  { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
  { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 },
  { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
  { target: 21, max: 32, baseFeeUpdateFraction: 17_805_000 },
] as const;

/** A member of the answer. */
function rules(activationTime: unknown, precompiles: readonly number[], more: Json = {}): Json {
  const blobSchedule = precompiles === CANCUN ? LIMITS[0] : LIMITS[1];
  const fixed = { chainId: "0x3e7", forkId: "0x00000000", systemContracts: {} };
  return { activationTime, blobSchedule, ...fixed, precompiles: numbered(precompiles), ...more };
}

const read = ([current, next = null, last = null]: readonly unknown[]): unknown =>
  readEthConfig({ current, next, last }, 999n).map(({ hardfork, activationTime }) => [
    hardfork,
    Number(activationTime),
  ]);

describe("eth_config of a forked chain", () => {
  it.each<[string, readonly unknown[], unknown]>([
    ["one that is active from the start", [rules(0, PRAGUE)], [["prague", 0]]],
    [
      "three in a row",
      [rules(10, CANCUN), rules(20, PRAGUE), rules(30, OSAKA)],
      [
        ["cancun", 10],
        ["prague", 20],
        ["osaka", 30],
      ],
    ],
    [
      "Amsterdam by its system contracts",
      [rules(1, OSAKA), rules(2, OSAKA, { systemContracts: BUILDERS })],
      [
        ["osaka", 1],
        ["amsterdam", 2],
      ],
    ],
    [
      "mainnet's changes of blob limits by these",
      [rules(1, OSAKA, { blobSchedule: LIMITS[2] }), rules(2, OSAKA, { blobSchedule: LIMITS[3] })],
      [
        ["bpo1", 1],
        ["bpo2", 2],
      ],
    ],
    [
      "other changes of blob limits by their order",
      [rules(1, OSAKA, { blobSchedule: LIMITS[3] }), rules(2, OSAKA, { blobSchedule: LIMITS[4] })],
      [
        ["bpo2", 1],
        ["bpo3", 2],
      ],
    ],
    [
      "the last one once if it is the next",
      [rules(1, CANCUN), rules(2, OSAKA), rules(2, OSAKA)],
      [
        ["cancun", 1],
        ["osaka", 2],
      ],
    ],
    [
      "the last one, where it is an earlier one",
      [rules(5, OSAKA), null, rules(2, PRAGUE)],
      [
        ["prague", 2],
        ["osaka", 5],
      ],
    ],
    ["P256VERIFY before Prague as none of Osaka", [rules(1, [...CANCUN, 0x100])], [["cancun", 1]]],
    ["no blobs", [rules(1, OSAKA, { blobSchedule: null })], [["osaka", 1]]],
    ["none where rules are not told apart", [rules(1, OSAKA), rules(2, OSAKA)], [["osaka", 1]]],
    ["none before Cancun", [rules(1, [1, 2, 3, 4])], []],
    ["none where the chain has none by time", [null], []],
    [
      "times and limits as QUANTITY",
      [rules("0x10", CANCUN, { blobSchedule: { target: "0x3", max: "0x6", baseFeeUpdateFraction: "0x32f0ed" } })],
      [["cancun", 16]],
    ],
  ])("names %s", (_, answer, expected) => {
    expect(read(answer)).toEqual(expected);
  });

  it("has the blob limits and the deposit contract, but not the zero address", () => {
    const systemContracts = { DEPOSIT_CONTRACT_ADDRESS: address(7) };
    const none = { DEPOSIT_CONTRACT_ADDRESS: address(0) };
    const current = rules(1, PRAGUE, { systemContracts: none });
    const told = readEthConfig({ current, next: rules(2, OSAKA, { systemContracts }) }, 999n);
    expect(told.map(({ depositContract }) => depositContract?.at(-1))).toEqual([undefined, 7]);
    expect(told[0]?.blobSchedule).toEqual({ target: 6n, max: 9n, baseFeeUpdateFraction: 5_007_716n });
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["text", "osaka"],
    ["a list", []],
    ["text in place of rules", { current: "osaka" }],
    ["another chain", { current: rules(1, OSAKA, { chainId: "0x1" }) }],
    ["no chain", { current: rules(1, OSAKA, { chainId: undefined }) }],
    ["no time", { current: rules(undefined, OSAKA) }],
    ["a negative time", { current: rules(-1, OSAKA) }],
    ["a time that is no integer", { current: rules(1.5, OSAKA) }],
    ["a time that is too large", { current: rules("0xffffffffffffffffffff", OSAKA) }],
    ["addresses of another length", { current: rules(1, OSAKA, { precompiles: { A: "0x01" } }) }],
    ["addresses as numbers", { current: rules(1, OSAKA, { precompiles: { A: 1 } }) }],
    ["hardforks in the wrong order", { current: rules(1, OSAKA), next: rules(2, PRAGUE) }],
    ["a fraction of zero", { current: rules(1, OSAKA, { blobSchedule: { ...LIMITS[0], baseFeeUpdateFraction: 0 } }) }],
    ["a fraction of one", { current: rules(1, OSAKA, { blobSchedule: { ...LIMITS[0], baseFeeUpdateFraction: 1 } }) }],
    ["a target above the maximum", { current: rules(1, OSAKA, { blobSchedule: { ...LIMITS[0], target: 7 } }) }],
    ["limits without members", { current: rules(1, OSAKA, { blobSchedule: {} }) }],
  ])("is not believed with %s", (_, answer) => {
    expect(() => readEthConfig(answer, 999n)).toThrow(TypeError);
  });
});
