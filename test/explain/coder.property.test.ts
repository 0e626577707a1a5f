/** Decodes values that viem encoded: random parameters of every ABI type, nested. */
import fc from "fast-check";
import { encodeAbiParameters, encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { type AbiValue, callEncoderOf, decoderOf, type EncodedParameter } from "../../src/explain/abi/coder.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { anyCharacter } from "../support/any-character.ts";
import { runs } from "../support/seed.ts";

/** A type with a value of it, as viem takes it and as we give it. */
interface Typed {
  readonly parameter: EncodedParameter;
  readonly given: unknown;
  readonly expected: AbiValue;
}

const leaf = (type: string, given: unknown, expected = given): Typed => ({
  parameter: { type, components: [] },
  given,
  expected: expected as AbiValue,
});

const bytesOf = (length?: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array(length === undefined ? { maxLength: 70 } : { minLength: length, maxLength: length });

/** viem takes numbers for up to 48 bits. */
const number = (type: string, bits: number, min: bigint, max: bigint): fc.Arbitrary<Typed> =>
  fc.bigInt({ min, max }).map((value) => leaf(type, bits <= 48 ? Number(value) : value, value));

const leaves: fc.Arbitrary<Typed> = fc.oneof(
  fc
    .integer({ min: 1, max: 32 })
    .chain((bytes) => number(`uint${8 * bytes}`, 8 * bytes, 0n, (1n << BigInt(8 * bytes)) - 1n)),
  fc.integer({ min: 1, max: 32 }).chain((bytes) => {
    const half = 1n << BigInt(8 * bytes - 1);
    return number(`int${8 * bytes}`, 8 * bytes, -half, half - 1n);
  }),
  fc.boolean().map((value) => leaf("bool", value)),
  fc.string({ unit: anyCharacter, maxLength: 40 }).map((value) => leaf("string", value)),
  bytesOf(20).map((value) => leaf("address", encodeData(value))),
  bytesOf().map((value) => leaf("bytes", encodeData(value), value)),
  fc
    .integer({ min: 1, max: 32 })
    .chain((length) => bytesOf(length).map((value) => leaf(`bytes${length}`, encodeData(value), value))),
);

/** One element repeated: all of an array have one type. */
const arrayOf = (element: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> =>
  fc
    .tuple(element, fc.integer({ min: 1, max: 3 }), fc.boolean())
    .map(([{ parameter, given, expected }, count, isFixed]) => ({
      parameter: { ...parameter, type: `${parameter.type}[${isFixed ? count : ""}]` },
      given: Array.from({ length: count }, () => given),
      expected: Array.from({ length: count }, () => expected),
    }));

const tupleOf = (member: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> =>
  fc.array(member, { minLength: 1, maxLength: 4 }).map((members) => ({
    parameter: { type: "tuple", components: members.map(({ parameter }) => parameter) },
    given: members.map(({ given }) => given),
    expected: members.map(({ expected }) => expected),
  }));

const { typed } = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaves, arrayOf(tie("typed")), tupleOf(tie("typed"))),
}));

const encode = (list: readonly Typed[]): Uint8Array =>
  decodeData(
    encodeAbiParameters(
      list.map(({ parameter }) => parameter),
      list.map(({ given }) => given) as never,
    ),
  );

it("encodes calls as viem does", () => {
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 4 }), (list) => {
      const parameters = list.map(({ parameter }) => parameter);
      const call = callEncoderOf("f", parameters)(list.map(({ expected }) => expected));
      const abi = [{ type: "function", name: "f", inputs: parameters, outputs: [], stateMutability: "view" }] as const;
      const args = list.map(({ given }) => given);
      expect(encodeData(call)).toBe(encodeFunctionData({ abi, functionName: "f", args }));
    }),
    { numRuns: runs(60) },
  );
});

describe("decoding", () => {
  it("gives back what was encoded, in order", () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (list) => {
        const decode = decoderOf(list.map(({ parameter }) => parameter));
        expect(decode(encode(list))).toEqual(list.map(({ expected }) => expected));
      }),
      { numRuns: runs(60) },
    );
  });

  it("ignores what is behind the values, as Solidity does", () => {
    fc.assert(
      fc.property(leaves, bytesOf(), (value, rest) => {
        const bytes = new Uint8Array([...encode([value]), ...rest]);
        expect(decoderOf([value.parameter])(bytes)).toEqual([value.expected]);
      }),
      { numRuns: runs(40) },
    );
  });

  it("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 3 }), fc.uint8Array({ maxLength: 200 }), (list, bytes) => {
        const decoded = decoderOf(list.map(({ parameter }) => parameter))(bytes);
        expect(decoded === undefined || decoded.length === list.length).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });
});
