import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeKeccak256 } from "../../../src/primitives/hash/keccak.ts";

describe("keccak-256 in WebAssembly", () => {
  const { into: keccak256Into, input, ofInput } = makeKeccak256();
  const keccak256 = (bytes: Uint8Array): Uint8Array => keccak256Into(bytes, new Uint8Array(32));

  it("hashes the empty string to the known value", () => {
    const hex = Buffer.from(keccak256(new Uint8Array(0))).toString("hex");
    expect(hex).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  });

  it("agrees with @noble/hashes at every length around the block borders", () => {
    for (let length = 0; length <= 420; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
      expect(keccak256(bytes)).toEqual(keccak_256(bytes));
    }
  });

  // Longer messages than the memory holds are taken in parts of 470 blocks.
  it.each([63_919, 63_920, 63_921, 2 * 63_920 - 1, 2 * 63_920, 3 * 63_920 + 136])("agrees at %d bytes", (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
    expect(keccak256(bytes)).toEqual(keccak_256(bytes));
  });

  it("agrees with @noble/hashes on random bytes, views with an offset included", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.nat({ max: 5 }), (bytes, offset) => {
        const view = bytes.subarray(Math.min(offset, bytes.length));
        expect(keccak256(view)).toEqual(keccak_256(view));
      }),
    );
  });

  it("hashes into the array that it was given, whatever stands there, an array that it reads included", () => {
    const target = new Uint8Array(32).fill(0xff);
    expect(keccak256Into(Uint8Array.of(1), target)).toBe(target);
    expect(target).toEqual(keccak_256(Uint8Array.of(1)));
    const twice = keccak_256(target);
    expect(keccak256Into(target, target)).toEqual(twice);
  });

  it("hashes what was written into its input, and leaves that there", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(10), (bytes, start) => {
        input.set(bytes, start);
        const end = start + bytes.length;
        expect(ofInput(start, end, new Uint8Array(32))).toEqual(keccak_256(bytes));
        expect(input.slice(start, end)).toEqual(bytes);
      }),
    );
  });

  it("hashes its whole input, and refuses what ends behind it", () => {
    input.fill(7);
    expect(ofInput(0, input.length, new Uint8Array(32))).toEqual(keccak_256(new Uint8Array(input.length).fill(7)));
    expect(() => ofInput(0, input.length + 1, new Uint8Array(32))).toThrow(RangeError);
  });

  it("keeps no trace of what it hashed before", () => {
    const first = keccak256(Uint8Array.of(1));
    keccak256(new Uint8Array(1_000).fill(0xff));
    expect(keccak256(Uint8Array.of(1))).toEqual(first);
  });
});
