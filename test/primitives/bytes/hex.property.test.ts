import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bigIntToBytes,
  bigIntToFixedBytes,
  bytesKey,
  bytesToBigInt,
  compareBytes,
  concatBytes,
  equalBytes,
  keyBytes,
  padBytesLeft,
  stripLeadingZeros,
} from "../../../src/primitives/bytes/bytes.ts";
import {
  decodeData,
  decodeQuantity,
  encodeData,
  encodeQuantity,
  isData,
  isQuantity,
  parseData,
} from "../../../src/primitives/bytes/hex.ts";

const integer = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const bytes = fc.uint8Array({ maxLength: 80 });

describe("QUANTITY", () => {
  it("decodes to the integer that was encoded", () => {
    fc.assert(fc.property(integer, (value) => decodeQuantity(encodeQuantity(value)) === value));
  });

  it("is lower case without leading zeros, and zero is 0x0", () => {
    fc.assert(fc.property(integer, (value) => /^0x(0|[1-9a-f][0-9a-f]*)$/.test(encodeQuantity(value))));
    expect(encodeQuantity(0n)).toBe("0x0");
    expect(encodeQuantity(255)).toBe("0xff");
  });

  it.each(["", "0x", "0x00", "0x01", "0xg", "1", "-0x1", "0x1 ", " 0x1", "0X1", "0x1\n"])("is not %j", (text) => {
    expect(isQuantity(text)).toBe(false);
    expect(() => decodeQuantity(text)).toThrow(TypeError);
  });
});

describe("DATA", () => {
  it("decodes to the bytes that were encoded, two lower-case digits each", () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const text = encodeData(value);
        expect(decodeData(text)).toEqual(Uint8Array.from(value));
        expect(decodeData(text.toUpperCase().replace("0X", "0x"))).toEqual(Uint8Array.from(value));
        expect(text).toMatch(/^0x([0-9a-f]{2})*$/);
      }),
    );
  });

  it("encodes a part of a larger buffer as that part alone", () => {
    expect(encodeData(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe("0x0203");
  });

  it("of megabytes is refused for one character that is no digit, wherever it is", () => {
    const text = `0x${"0Aff".repeat(50_000)}`;
    expect(parseData(text)).toEqual(new Uint8Array(100_000).map((_, index) => (index % 2 === 0 ? 0x0a : 0xff)));
    const place = fc.integer({ min: 0, max: text.length - 1 });
    // The low byte of the last one is that of the digit 0.
    const character = fc.constantFrom("g", " ", "\n", "é", "\u0130");
    fc.assert(
      fc.property(place, character, (at, wrong) => {
        const broken = `${text.slice(0, at)}${wrong}${text.slice(at + 1)}`;
        expect(parseData(broken)).toBeUndefined();
      }),
    );
    expect(parseData(`${text}0`)).toBeUndefined();
    expect(parseData(text.slice(2))).toBeUndefined();
  });

  it.each(["", "0", "0x0", "0x123", "0xzz", "1234", "0X12", "0x12 "])("is not %j", (text) => {
    expect(isData(text)).toBe(false);
    expect(parseData(text)).toBeUndefined();
    expect(() => decodeData(text)).toThrow(TypeError);
  });
});

describe("integers as bytes", () => {
  it("come back from their shortest form, which has no leading zero, and from a fixed one", () => {
    fc.assert(
      fc.property(integer, (value) => {
        expect(bytesToBigInt(bigIntToBytes(value))).toBe(value);
        expect(bigIntToBytes(value)[0]).not.toBe(0);
        const fixed = bigIntToFixedBytes(value, 32);
        expect(fixed).toHaveLength(32);
        expect(bytesToBigInt(fixed)).toBe(value);
        expect(stripLeadingZeros(fixed)).toEqual(bigIntToBytes(value));
      }),
    );
  });

  it("are ordered as their fixed forms", () => {
    fc.assert(
      fc.property(integer, integer, (left, right) => {
        const order = compareBytes(bigIntToFixedBytes(left, 32), bigIntToFixedBytes(right, 32));
        expect(Math.sign(order)).toBe(left < right ? -1 : left > right ? 1 : 0);
      }),
    );
  });

  it("do not fit where they are too large or negative", () => {
    expect(() => bigIntToFixedBytes(256n, 1)).toThrow(TypeError);
    expect(() => bigIntToFixedBytes(-1n, 1)).toThrow(TypeError);
    expect(() => bigIntToBytes(-1n)).toThrow(TypeError);
    expect(() => padBytesLeft(new Uint8Array(3), 2)).toThrow(TypeError);
  });
});

describe("byte strings", () => {
  it("have equal keys exactly when they are equal, and come back from them", () => {
    fc.assert(
      fc.property(bytes, bytes, (left, right) => {
        expect(bytesKey(left) === bytesKey(right)).toBe(equalBytes(left, right));
        expect(compareBytes(left, right) === 0).toBe(equalBytes(left, right));
        expect(keyBytes(bytesKey(left))).toEqual(Uint8Array.from(left));
      }),
    );
  });

  it.each([1, 256, 257, 5_000])(
    "of %i bytes are equal until one byte differs, in whatever buffer they lie",
    (length) => {
      const left = Uint8Array.from({ length }, (_, index) => index % 251);
      const right = new Uint8Array(length + 3).subarray(3);
      right.set(left);
      expect(equalBytes(left, right)).toBe(true);
      right[length - 1] = (right[length - 1] as number) ^ 1;
      expect(equalBytes(left, right)).toBe(false);
      expect(equalBytes(left, left.subarray(1))).toBe(false);
    },
  );

  it("join in order", () => {
    fc.assert(
      fc.property(fc.array(bytes), (parts) => {
        expect(concatBytes(...parts)).toEqual(Uint8Array.from(parts.flatMap((part) => [...part])));
      }),
    );
  });
});
