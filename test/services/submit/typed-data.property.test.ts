/** EIP-712 hashes compared with those of ethers and viem, on random types and values. */
import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import { hashTypedData as viemHash } from "viem";
import { expect, it } from "vitest";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { hashTypedData, type TypedData } from "../../../src/services/submit/typed-data.ts";
import { runs } from "../../support/seed.ts";

/** A type with a generator of its values, as they travel in JSON. */
interface Kind {
  readonly type: string;
  readonly value: fc.Arbitrary<unknown>;
}

const hexOf = (minBytes: number, maxBytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: minBytes, maxLength: maxBytes }).map((bytes) => encodeData(bytes));

const integer = (bits: number, isSigned: boolean): Kind => ({
  type: `${isSigned ? "" : "u"}int${bits}`,
  value: fc
    .bigInt(isSigned ? -(1n << BigInt(bits - 1)) : 0n, (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n)
    .map((value) => (value >= -1_000n && value < 1_000n ? Number(value) : value.toString())),
});

const atom: fc.Arbitrary<Kind> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 32 }), fc.boolean()).map(([bytes, isSigned]) => integer(8 * bytes, isSigned)),
  fc.integer({ min: 1, max: 32 }).map((size): Kind => ({ type: `bytes${size}`, value: hexOf(size, size) })),
  fc.constantFrom<Kind>(
    { type: "string", value: fc.string({ unit: "grapheme" }) },
    { type: "bytes", value: hexOf(0, 40) },
    { type: "bool", value: fc.boolean() },
    { type: "address", value: hexOf(20, 20) },
  ),
);

const arrayOf = (kind: Kind): fc.Arbitrary<Kind> =>
  fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }).map((length) => ({
    type: `${kind.type}[${length ?? ""}]`,
    value: fc.array(kind.value, length === undefined ? { maxLength: 3 } : { minLength: length, maxLength: length }),
  }));

const field = atom.chain((kind) => fc.oneof(fc.constant(kind), arrayOf(kind), arrayOf(kind).chain(arrayOf)));

const typedData: fc.Arbitrary<TypedData> = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 4 }), fc.array(field, { minLength: 1, maxLength: 4 }))
  .chain(([inner, outer]) => {
    const members = (kinds: readonly Kind[]) => kinds.map(({ type }, index) => ({ name: `m${index}`, type }));
    const valuesOf = (kinds: readonly Kind[]) =>
      fc.record(Object.fromEntries(kinds.map(({ value }, index) => [`m${index}`, value])));
    const domain = fc.record(
      {
        // viem takes an empty name and a zero chain id for members that are not there.
        name: fc.string({ minLength: 1 }),
        version: fc.string({ minLength: 1 }),
        chainId: fc.integer({ min: 1 }),
        verifyingContract: hexOf(20, 20),
        salt: hexOf(32, 32),
      },
      { requiredKeys: [] },
    );
    return fc
      .tuple(valuesOf(outer), valuesOf(inner), fc.array(valuesOf(inner), { maxLength: 3 }), domain)
      .map(([own, one, list, chosen]) => ({
        types: {
          Outer: [...members(outer), { name: "one", type: "Inner" }, { name: "list", type: "Inner[]" }],
          Inner: members(inner),
        },
        primaryType: "Outer",
        domain: chosen,
        message: { ...own, one, list },
      }));
  });

it("equals ethers' and viem's", () => {
  fc.assert(
    fc.property(typedData, (data) => {
      const ours = encodeData(hashTypedData(data));
      const { types, domain, message } = data;
      expect(ours).toBe(TypedDataEncoder.hash(domain, types as never, message));
      expect(ours).toBe(viemHash(data as never));
    }),
    { numRuns: runs(80) },
  );
});
