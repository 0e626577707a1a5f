/** Whole values as RLP, against EthereumJS' encoder and decoder. */
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRlp, decodeRlpInTurns, encodeRlp, type RlpItem } from "../../../src/primitives/rlp/rlp.ts";
import { runs } from "../../support/seed.ts";

const item: fc.Arbitrary<RlpItem> = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 70, size: "max" }),
    fc.uint8Array({ maxLength: 1 }),
    fc.array(tie("item"), { maxLength: 8 }),
  ),
})).item;

type Theirs = Parameters<typeof RLP.encode>[0];

/** The decoded value; undefined if the decoder refuses it. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

describe("RLP", () => {
  it("is what EthereumJS writes, and is read back", () => {
    fc.assert(
      fc.property(item, (value) => {
        const bytes = encodeRlp(value);
        expect(bytes).toEqual(RLP.encode(value as Theirs));
        expect(decodeRlp(bytes)).toEqual(value);
      }),
      { numRuns: runs(200) },
    );
  });

  it("longer than a turn is read in turns as it is read at once, damaged or not", async () => {
    const long = fc.uint8Array({ minLength: 9_000, maxLength: 9_100, size: "max" });
    const whole = fc.array(fc.oneof(long, item, fc.array(fc.oneof(long, item), { maxLength: 4 })), { maxLength: 6 });
    const change = fc.record({ at: fc.nat({ max: 12 }), byte: fc.nat({ max: 255 }) });
    await fc.assert(
      fc.asyncProperty(whole, fc.array(change, { maxLength: 2 }), async (value, changes) => {
        const bytes = encodeRlp(value);
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        const inTurns = await decodeRlpInTurns(bytes).catch(() => undefined);
        expect(inTurns).toEqual(attempt(() => decodeRlp(bytes)));
      }),
      { numRuns: runs(200) },
    );
  });

  it("of 65 lists in each other is refused in turns, too", async () => {
    let nested: RlpItem = new Uint8Array(9_000);
    for (let depth = 0; depth < 64; depth++) nested = [nested];
    expect(await decodeRlpInTurns(encodeRlp(nested))).toEqual(nested);
    await expect(decodeRlpInTurns(encodeRlp([nested]))).rejects.toThrow("its lists are nested too deeply");
  });

  it("that was damaged is refused, or is the one encoding of something else", () => {
    const change = fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(item, fc.array(change, { maxLength: 3 }), fc.nat({ max: 3 }), (value, changes, cut) => {
        const whole = encodeRlp(value);
        const bytes = whole.slice(0, whole.length - cut);
        for (const { at, byte } of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        const decoded = attempt(() => decodeRlp(bytes));
        if (decoded !== undefined) expect(encodeRlp(decoded)).toEqual(bytes);
        const theirs = attempt(() => RLP.decode(bytes));
        const isCanonical = theirs !== undefined && Buffer.compare(RLP.encode(theirs), bytes) === 0;
        expect(decoded !== undefined).toBe(isCanonical);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ["nothing", [], "it ends too early"],
    ["a byte behind the item", [0x01, 0x02], "there are bytes behind the item"],
    ["a string that is cut", [0x83, 1, 2], "an item is longer than what holds it"],
    ["a member that is longer than its list", [0xc2, 0x83, 1, 2, 3], "an item is longer than what holds it"],
    ["a small byte with a head", [0x81, 0x7f], "a byte has a longer form than it needs"],
    ["a short length in the long form", [0xb8, 1, 0x80], "a length has a longer form than it needs"],
    ["a length with zeros in front", [0xb9, 0, 60, ...new Array<number>(60).fill(1)], "a length has leading zeros"],
    ["a length that is cut", [0xb9, 1], "it ends too early"],
  ])("of %s is refused", (_what, bytes, reason) => {
    expect(() => decodeRlp(Uint8Array.from(bytes))).toThrow(new RangeError(reason));
  });

  it("of lists within lists without end is refused", () => {
    let nested: RlpItem = [];
    for (let depth = 0; depth < 100; depth++) nested = [nested];
    expect(() => decodeRlp(encodeRlp(nested))).toThrow(/nested too deeply/);
  });
});
