import { describe, expect, it } from "vitest";
import { formatBytes, formatInteger, formatText } from "../../../src/explain/abi/format-value.ts";

describe("values in a call tree", () => {
  it("are texts of up to 300 characters whole, longer ones shortened", () => {
    expect(formatText("a".repeat(300))).toBe(`"${"a".repeat(300)}"`);
    expect(formatText("a".repeat(301))).toBe(`"${"a".repeat(300)}…"`);
  });

  it("are texts without what controls a terminal", () => {
    expect(formatText("a\u009bb\u001bc\n")).toBe('"a\\u009bb\\u001bc\\n"');
  });

  it("are bytes of up to 68 whole, longer ones with their length", () => {
    expect(formatBytes(new Uint8Array(68))).toBe(`0x${"00".repeat(68)}`);
    expect(formatBytes(new Uint8Array(69))).toBe(`0x${"00".repeat(32)}… (69 bytes)`);
  });

  it.each([
    [999_999n, "999999"],
    [-999_999n, "-999999"],
    [1_000_000n, "1000000 [1e6]"],
    [-1_000_000n, "-1000000 [-1e6]"],
    [1_234_567n, "1234567 [1.234e6]"],
    [1_200_400n, "1200400 [1.2e6]"],
    [1_000_999n, "1000999 [1e6]"],
    [1_500_000_000_000_000_000n, "1500000000000000000 [1.5e18]"],
  ])("are numbers such as %s, with a power of ten from a million on", (value, text) => {
    expect(formatInteger(value)).toBe(text);
  });
});
