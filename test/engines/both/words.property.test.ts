import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInteger, readWord, writeWord } from "../../src/executor/evm-words.ts";

const words = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.bigInt({ min: 0n, max: 1n << 50n }));

describe("the integer in some bytes", () => {
  it("is the one that their hex digits spell", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 32 }), fc.integer({ min: 0, max: 9 }), (bytes, offset) => {
        // Inside a larger buffer, as views of memory and of what was read from a store are.
        const around = new Uint8Array(50).fill(0xee);
        around.set(bytes, offset);
        const view = around.subarray(offset, offset + bytes.length);
        expect(readInteger(view)).toBe(BigInt(`0x0${Buffer.from(bytes).toString("hex")}`));
      }),
    );
  });
});

describe("a word in memory", () => {
  it("is read as it was written, wherever it is, and touches nothing beside it", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 40 }), (value, offset) => {
        const memory = new Uint8Array(96).fill(0xee);
        writeWord(memory, offset, value);
        expect(readWord(memory, offset)).toBe(value);
        expect(Buffer.from(memory.subarray(offset, offset + 32)).toString("hex")).toBe(
          value.toString(16).padStart(64, "0"),
        );
        expect(memory.subarray(0, offset).every((byte) => byte === 0xee)).toBe(true);
        expect(memory.subarray(offset + 32).every((byte) => byte === 0xee)).toBe(true);
      }),
    );
  });

  it("reads zeros beyond the end of the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 0, max: 60 }), (bytes, offset) => {
        const padded = new Uint8Array(100);
        padded.set(bytes);
        expect(readWord(bytes, offset)).toBe(
          BigInt(`0x${Buffer.from(padded.subarray(offset, offset + 32)).toString("hex")}`),
        );
      }),
    );
  });
});
