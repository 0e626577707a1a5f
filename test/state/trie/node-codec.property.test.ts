import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { hexPrefix, isLeafPath, unpackPath } from "../../../src/state/trie/nibbles.ts";
import { decodeNode, encodeNode } from "../../../src/state/trie/node-codec.ts";
import { runs } from "../../support/seed.ts";

const nibbles = fc.uint8Array({ max: 15, maxLength: 64 });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.uint8Array({ minLength: 50, maxLength: 60 }),
  fc.uint8Array({ minLength: 250, maxLength: 260 }),
  fc.uint8Array({ minLength: 32_700, maxLength: 32_768 }),
);

type Item = Bytes | Item[];

const leaf = fc.tuple(nibbles, value).map(([path, bytes]): Item => [hexPrefix(path, true), bytes]);
/** Small enough to stand inside its parent. */
const embedded = fc
  .tuple(fc.uint8Array({ max: 15, maxLength: 4 }), fc.uint8Array({ minLength: 1, maxLength: 8 }))
  .map(([path, bytes]): Item => [hexPrefix(path, true), bytes]);
const child: fc.Arbitrary<Item> = fc.oneof(hash, fc.constant(EMPTY_BYTES), embedded);
const branch = fc.array(child, { minLength: 16, maxLength: 16 }).map((children): Item => [...children, EMPTY_BYTES]);
const extension = fc
  .tuple(fc.uint8Array({ max: 15, minLength: 1, maxLength: 64 }), fc.oneof(hash, embedded))
  .map(([path, below]): Item => [hexPrefix(path, false), below]);

describe("hex-prefix paths", () => {
  it("come back as they went in, with their kind", () => {
    fc.assert(
      fc.property(nibbles, fc.boolean(), (path, isLeaf) => {
        const packed = hexPrefix(path, isLeaf);
        expect([...unpackPath(packed)]).toEqual([...path]);
        expect(isLeafPath(packed)).toBe(isLeaf);
      }),
    );
  });

  it("have the bytes of yellow paper appendix C", () => {
    expect(hexPrefix(Uint8Array.of(1, 2, 3, 4, 5), false)).toEqual(Uint8Array.of(0x11, 0x23, 0x45));
    expect(hexPrefix(Uint8Array.of(0, 1, 2, 3, 4, 5), false)).toEqual(Uint8Array.of(0x00, 0x01, 0x23, 0x45));
    expect(hexPrefix(Uint8Array.of(0, 15, 1, 12, 11, 8), true)).toEqual(Uint8Array.of(0x20, 0x0f, 0x1c, 0xb8));
    expect(hexPrefix(Uint8Array.of(15, 1, 12, 11, 8), true)).toEqual(Uint8Array.of(0x3f, 0x1c, 0xb8));
  });
});

describe("nodes", () => {
  it("are read from RLP and written as the same RLP", () => {
    fc.assert(
      fc.property(fc.oneof(leaf, branch, extension), (item) => {
        const bytes = RLP.encode(item);
        // Not toEqual: on 32,000 bytes it takes most of the time.
        expect(Buffer.compare(encodeNode(decodeNode(bytes)), bytes)).toBe(0);
      }),
      { numRuns: runs(100) },
    );
  });

  it("are refused when cut short or followed by more", () => {
    fc.assert(
      fc.property(fc.oneof(leaf, branch, extension), fc.double({ min: 0, max: 1, noNaN: true }), (item, part) => {
        const bytes = RLP.encode(item);
        const cut = bytes.subarray(0, Math.min(bytes.length - 1, Math.floor(bytes.length * part)));
        expect(() => decodeNode(cut)).toThrow(TypeError);
        expect(() => decodeNode(Uint8Array.of(...bytes.subarray(0, 4000), 0))).toThrow(TypeError);
      }),
    );
  });

  it.each([
    ["a string", RLP.encode(Uint8Array.of(1, 2))],
    ["an empty list", RLP.encode([])],
    ["one member", RLP.encode([Uint8Array.of(0x20)])],
    ["three members", RLP.encode([Uint8Array.of(0x20), Uint8Array.of(1), Uint8Array.of(2)])],
    ["a branch with a value", RLP.encode([...new Array(16).fill(EMPTY_BYTES), Uint8Array.of(1)])],
    ["a leaf with a list", RLP.encode([Uint8Array.of(0x20), [Uint8Array.of(1)]])],
    ["a leaf without a path", RLP.encode([EMPTY_BYTES, Uint8Array.of(1)])],
    ["an extension to nothing", RLP.encode([Uint8Array.of(0x11), EMPTY_BYTES])],
    ["an extension to a short hash", RLP.encode([Uint8Array.of(0x11), new Uint8Array(31)])],
  ])("are refused when they are %s", (_, bytes) => {
    expect(() => decodeNode(bytes)).toThrow(TypeError);
  });
});
