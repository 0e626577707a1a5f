import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { expect, it } from "vitest";
import { RlpWriter } from "../../../src/primitives/rlp/rlp-writer.ts";

type Item = Uint8Array | bigint | Item[];

const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 70 }),
    fc.constantFrom(1, 55, 56, 255, 256, 65_536).map((length) => new Uint8Array(length).fill(7)),
    fc.bigInt({ min: 0n, max: 1n << 256n }),
    fc.array(tie("item"), { maxLength: 6 }),
  ),
}));

function write(writer: RlpWriter, value: Item): void {
  if (typeof value === "bigint") writer.integer(value);
  else if (value instanceof Uint8Array) writer.string(value);
  else {
    const before = writer.length;
    for (const member of value.toReversed()) write(writer, member);
    writer.list(before);
  }
}

it("writes what the RLP library does, one value after the other, lists that are there already too", () => {
  const writer = new RlpWriter(4);
  fc.assert(
    fc.property(item, (value) => {
      write(writer, value);
      const encoded = writer.take();
      expect(Buffer.compare(encoded, RLP.encode(value as Parameters<typeof RLP.encode>[0]))).toBe(0);
      writer.raw(encoded);
      writer.raw(encoded);
      writer.list(0);
      expect(Buffer.compare(writer.take(), RLP.encode([value, value] as Parameters<typeof RLP.encode>[0]))).toBe(0);
    }),
  );
});
