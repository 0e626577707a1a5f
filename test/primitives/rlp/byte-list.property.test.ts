import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeByteList, encodeListOf } from "../../../src/primitives/rlp/byte-list.ts";

const item = fc.oneof(
  fc.uint8Array({ maxLength: 70 }),
  fc.uint8Array({ minLength: 1, maxLength: 1 }),
  fc.constantFrom(55, 56, 255, 256, 65_535, 65_536).map((length) => new Uint8Array(length).fill(7)),
);

it("encodes a list of byte strings as the RLP library does", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), (items) => {
      expect(Buffer.compare(encodeByteList(items), RLP.encode(items))).toBe(0);
    }),
  );
});

it("encodes a list of encoded members as the RLP library does", () => {
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 3 }), { maxLength: 6 }), (lists) => {
      const encoded = encodeListOf(lists.map((list) => RLP.encode(list)));
      expect(Buffer.compare(encoded, RLP.encode(lists))).toBe(0);
    }),
  );
});

it("encodes lists of more members than a call takes arguments", () => {
  const members = new Array<Uint8Array>(200_000).fill(Uint8Array.of(1));
  expect(Buffer.compare(encodeListOf(members), encodeByteList(members))).toBe(0);
  expect(encodeListOf(members).length).toBe(200_004);
});
