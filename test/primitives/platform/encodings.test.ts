import { describe, expect, it } from "vitest";
import { fromHexDigits, toHexDigits } from "../../../src/primitives/platform/encodings.ts";

const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) & 0xff);

describe("many hexadecimal digits", () => {
  it("are decoded as few are", () => {
    const digits = toHexDigits(bytes);
    for (const length of [32_766, 32_768, 32_770, 65_536, 65_538, 200_000]) {
      expect(fromHexDigits(digits.slice(0, length))).toEqual(bytes.subarray(0, length / 2));
    }
  });

  it("are decoded in pages of the system if they are a megabyte", () => {
    const long = Buffer.alloc(1_100_000, bytes);
    const decoded = fromHexDigits(toHexDigits(long));
    expect(decoded.length).toBe(long.length);
    expect(long.equals(decoded)).toBe(true);
    expect((decoded.buffer as ArrayBuffer).resizable).toBe(true);
    const cut = fromHexDigits(`${toHexDigits(long).slice(0, 2_000_001)}x`);
    expect(long.subarray(0, 1_000_000).equals(cut)).toBe(true);
  });

  it("are decoded up to the first that is none, or to an odd one", () => {
    const digits = toHexDigits(bytes);
    expect(fromHexDigits(digits.slice(0, 65_535))).toEqual(bytes.subarray(0, 32_767));
    for (const at of [100, 32_768, 40_000]) {
      const broken = `${digits.slice(0, at)}xx${digits.slice(at)}`;
      expect(fromHexDigits(broken)).toEqual(bytes.subarray(0, at / 2));
    }
  });
});
