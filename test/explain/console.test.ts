/** Every overload of console.sol, and its format strings. */
import { encodeFunctionData, parseAbi, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { CONSOLE_ADDRESS, isConsoleAddress } from "../../src/explain/console/console-address.ts";
import { ConsoleDecoder } from "../../src/explain/console/console-decoder.ts";
import { type ConsoleValue, formatConsole } from "../../src/explain/console/format-console.ts";
import { concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { slowIt } from "../support/slow-suite.ts";

const decoder = new ConsoleDecoder();
const address: Hex = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A value of each type that overloads combine, and how it is printed. */
const SAMPLES: Readonly<Record<string, readonly [value: unknown, text: string]>> = {
  uint256: [7n, "7"],
  string: ["seven", "seven"],
  bool: [true, "true"],
  address: [address, address],
};

function printed(types: readonly string[], values: readonly unknown[]): string | undefined {
  const abi = parseAbi([`function log(${types.join(", ")})`] as never) as readonly unknown[];
  return decoder.decode(decodeData(encodeFunctionData({ abi, functionName: "log", args: values } as never)))?.text;
}

describe("console.log", () => {
  const names = Object.keys(SAMPLES);
  let combinations: string[][] = [[]];
  const all: string[][] = [];
  for (let count = 0; count <= 4; count++) {
    all.push(...combinations);
    combinations = combinations.flatMap((types) => names.map((type) => [...types, type]));
  }

  slowIt("prints all 341 combinations of up to four values", () => {
    expect(all).toHaveLength(341);
    for (const types of all) {
      const samples = types.map((type) => SAMPLES[type] as readonly [unknown, string]);
      expect([
        types,
        printed(
          types,
          samples.map(([value]) => value),
        ),
      ]).toEqual([types, samples.map(([, text]) => text).join(" ")]);
    }
  });

  it("prints integers, bytes, and bytes of every length", () => {
    expect(printed(["int256"], [-5n])).toBe("-5");
    expect(printed(["string", "int256"], ["%d below", -5n])).toBe("-5 below");
    expect(printed(["bytes"], ["0x010203"])).toBe("0x010203");
    for (let length = 1; length <= 32; length++) {
      const value = `0x${"ab".repeat(length)}`;
      expect(printed([`bytes${length}`], [value])).toBe(value);
    }
  });

  it.each([
    // As in Hardhat's and forge-std's older console.sol.
    ["log(uint)", "0xf5b1bba9", "0x2a", "42"],
    ["log(int)", "0x4e0c1d1d", "0x2a", "42"],
    // As in the newer ones.
    ["log(uint256)", "0xf82c50f1", "0x2a", "42"],
    ["log(int256)", "0x2d5b6cb9", "0x2a", "42"],
    ["log(bool)", "0x32458eed", "0x01", "true"],
  ])("knows %s as %s", (signature, selector, value, text) => {
    // The ABI's own spelling of "uint" is uint256, so that a library cannot make the older selectors.
    if (!/u?int\)/.test(signature)) expect(toFunctionSelector(signature)).toBe(selector);
    const data = concatBytes(decodeData(selector), new Uint8Array(31), decodeData(value));
    expect(decoder.decode(data)?.text).toBe(text);
  });

  it("passes over what is no console.log, or holds no values", () => {
    expect(decoder.decode(new Uint8Array())).toBeUndefined();
    expect(decoder.decode(Uint8Array.of(1, 2, 3, 4))).toBeUndefined();
    expect(decoder.decode(decodeData("0x41304fac00"))).toBeUndefined();
  });

  it("goes to the address that spells console.log", () => {
    expect(encodeData(CONSOLE_ADDRESS)).toBe("0x000000000000000000636f6e736f6c652e6c6f67");
    expect(isConsoleAddress(CONSOLE_ADDRESS.slice())).toBe(true);
    expect(isConsoleAddress(new Uint8Array(20))).toBe(false);
    expect(isConsoleAddress(new Uint8Array(20).fill(0x67))).toBe(false);
  });
});

describe("a format string", () => {
  const text = (value: string): ConsoleValue => ({ type: "string", value });
  const uint = (value: bigint): ConsoleValue => ({ type: "uint256", value });
  const bool = (value: boolean): ConsoleValue => ({ type: "bool", value });
  const someone: ConsoleValue = { type: "address", value: address.toLowerCase() };

  const formats: readonly (readonly [format: string, values: readonly ConsoleValue[], expected: string])[] = [
    ["%s and %s", [uint(1n), bool(false)], "1 and false"],
    ["%d%%", [uint(50n)], "50%"],
    ["100%%", [], "100%"],
    ["%i", [uint(3n)], "3"],
    ["%d %d", [bool(true), text("x")], "1 NaN"],
    ["%i", [bool(true)], "NaN"],
    ["%x", [uint(255n)], "0xff"],
    ["%x", [{ type: "int256", value: -1n }], `0x${"ff".repeat(32)}`],
    ["%x %x", [text("x"), someone], `NaN ${address}`],
    ["%o %o", [text("x"), uint(1n)], "'x' 1"],
    ["%o", [someone], `'${address}'`],
    ["%e", [uint(1_234_500n)], "1.2345e6"],
    ["%e", [uint(1000n)], "1e3"],
    ["%e", [{ type: "int256", value: -25n }], "-2.5e1"],
    ["%18e", [uint(1_500_000_000_000_000_000n)], "1.5"],
    ["%2e", [uint(5n)], "0.05"],
    ["%e", [text("x")], "NaN"],
    ["%s", [], "%s"],
    ["%s %s", [uint(1n)], "1 %s"],
    ["%z %s", [uint(1n)], "%z 1"],
    ["so:", [uint(1n), text("%s")], "so: 1 %s"],
    ["", [uint(1n)], "1"],
    ["%", [uint(1n)], "% 1"],
  ];

  it.each(formats.map(([format, values, expected]) => ({ format, values, expected })))(
    "$format gives $expected",
    ({ format, values, expected }) => {
      expect(formatConsole([text(format), ...values])).toBe(expected);
    },
  );

  it("is only a text in front: other values are listed", () => {
    expect(formatConsole([uint(1n), text("%s"), bool(true)])).toBe("1 %s true");
    expect(formatConsole([])).toBe("");
  });
});
