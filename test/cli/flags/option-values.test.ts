import { describe, expect, it } from "vitest";
import { ether, readText, seconds, verbosity } from "../../../src/cli/flags/option-values.ts";

const MAX = 2n ** 256n - 1n;
/** wei as ETH with all its decimals. */
const inEther = (wei: bigint): string => `${wei / 10n ** 18n}.${(wei % 10n ** 18n).toString().padStart(18, "0")}`;

describe("an amount in ETH", () => {
  it.each([
    ["0", 0n],
    ["0.0", 0n],
    ["0.000000000000000001", 1n],
    ["0.5", 5n * 10n ** 17n],
    ["10000", 10_000n * 10n ** 18n],
    [inEther(MAX), MAX],
  ])("%s is taken to the last wei", (text, wei) => {
    expect(readText(ether, text, "--balance")).toBe(wei);
  });

  it.each([inEther(MAX + 1n), "-1", "1.", ".5", "1e3", "0.0000000000000000001", "", "1 "])("%j is refused", (text) => {
    expect(() => readText(ether, text, "--balance")).toThrow("--balance: expected an amount in ETH");
  });
});

describe("a number of seconds", () => {
  it.each([
    ["0.001", 1],
    ["0.0005", 1],
    ["12", 12_000],
    ["2147483.647", 2 ** 31 - 1],
  ])("%s is taken to the millisecond", (text, milliseconds) => {
    expect(readText(seconds, text, "--block-time")).toBe(milliseconds);
  });

  it.each(["0", "0.0004", "2147483.648", "-1", "1s", ".5", "5.", ""])("%j is refused", (text) => {
    expect(() => readText(seconds, text, "--block-time")).toThrow("--block-time: expected a number of seconds above 0");
  });
});

it.each([
  ["v", 2],
  ["vvvv", 5],
  ["0", 0],
  ["5", 5],
])("verbosity %s is %d", (text, level) => {
  expect(readText(verbosity, text, "-v")).toBe(level);
});
