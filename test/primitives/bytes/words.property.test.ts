import fc from "fast-check";
import { expect, it } from "vitest";
import { readWord, writeWord } from "../../../src/primitives/bytes/words.ts";

const word = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);

it("a word that is written is read, least significant byte first", () => {
  fc.assert(
    fc.property(word, fc.nat(3), (value, at) => {
      const bytes = new Uint8Array(64).fill(0xee);
      const quads = new BigUint64Array(bytes.buffer);
      writeWord(quads, at, value);
      expect(readWord(quads, at)).toBe(value);
      expect(BigInt(bytes[8 * at] as number)).toBe(value & 255n);
      expect(bytes[8 * at + 32]).toBe(0xee);
    }),
  );
});
