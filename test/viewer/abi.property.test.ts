/** The page's ABI coder against viem's. */
import fc from "fast-check";
import { encodeAbiParameters, toFunctionSelector, type AbiParameter as ViemParameter } from "viem";
import { describe, expect, it } from "vitest";
import { decodeValues } from "../../src/viewer/abi/decode.ts";
import { encodeCall } from "../../src/viewer/abi/encode.ts";
import type { AbiFunction, AbiParameter } from "../../src/viewer/rpc/types.ts";

/** A parameter, a value for viem, what a user types for it, and how the page shows it. */
interface Sample {
  readonly parameter: AbiParameter;
  readonly value: unknown;
  readonly typed: string;
  readonly shown: string;
}

const simple = (type: string, value: unknown, typed: string, shown: string): Sample => ({
  parameter: { name: "", type, components: [] },
  value,
  typed,
  shown,
});

const hexOf = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);

const word: fc.Arbitrary<Sample> = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => simple("uint256", value, `${value}`, `${value}`)),
  fc
    .bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n })
    .map((value) => simple("int128", value, `${value}`, `${value}`)),
  fc.integer({ min: 0, max: 255 }).map((value) => simple("uint8", value, `0x${value.toString(16)}`, `${value}`)),
  fc.boolean().map((value) => simple("bool", value, `${value}`, `${value}`)),
  hexOf(20).map((value) => simple("address", value, value, value)),
  hexOf(4).map((value) => simple("bytes4", value, value, value)),
);
const dynamic: fc.Arbitrary<Sample> = fc.oneof(
  fc
    .string({ unit: "grapheme", maxLength: 70 })
    .map((text) => text.trim())
    .map((text) => simple("string", text, text, JSON.stringify(text))),
  fc.uint8Array({ maxLength: 70 }).map((bytes) => {
    const hex = `0x${Buffer.from(bytes).toString("hex")}`;
    return simple("bytes", hex, hex, hex);
  }),
);

/** Members of lists are typed as JSON: texts in quotes, numbers bare. */
const member = ({ parameter, typed }: Sample): string =>
  /^u?int|^bool/.test(parameter.type) && !typed.startsWith("0x") ? typed : JSON.stringify(typed);

const list = (of: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(of, fc.array(of, { maxLength: 4 })).chain(([first, others]) => {
    const same = [first, ...others.filter(({ parameter }) => parameter.type === first.parameter.type)];
    return fc.boolean().map((isFixed) => ({
      parameter: { ...first.parameter, type: `${first.parameter.type}[${isFixed ? same.length : ""}]` },
      value: same.map(({ value }) => value),
      typed: `[${same.map(member).join(", ")}]`,
      shown: `[${same.map(({ shown }) => shown).join(", ")}]`,
    }));
  });

const tuple: fc.Arbitrary<Sample> = fc
  .array(fc.oneof(word, dynamic), { minLength: 1, maxLength: 3 })
  .map((samples) => ({
    parameter: {
      name: "",
      type: "tuple",
      components: samples.map(({ parameter }, index) => ({ ...parameter, name: `m${index}` })),
    },
    value: Object.fromEntries(samples.map(({ value }, index) => [`m${index}`, value])),
    typed: `[${samples.map(member).join(", ")}]`,
    shown: `(${samples.map(({ shown }, index) => `m${index}: ${shown}`).join(", ")})`,
  }));

const sample = fc.oneof(word, dynamic, list(word), list(dynamic), tuple);
const samples = fc.array(sample, { minLength: 1, maxLength: 4 });

const functionOf = (list: readonly Sample[]): AbiFunction => ({
  selector: toFunctionSelector("f()"),
  signature: "f()",
  name: "f",
  inputs: list.map(({ parameter }) => parameter),
  outputs: [],
  isPayable: false,
  isView: false,
});

const encodedByViem = (list: readonly Sample[]): string =>
  encodeAbiParameters(
    list.map(({ parameter }) => parameter) as readonly ViemParameter[],
    list.map(({ value }) => value),
  );

it("what a user types is encoded as viem encodes the same values", () => {
  fc.assert(
    fc.property(samples, (list) => {
      const data = encodeCall(
        functionOf(list),
        list.map(({ typed }) => typed),
      );
      expect(`0x${data.slice(10)}`).toBe(encodedByViem(list));
    }),
  );
});

it("what viem encodes is shown as the values", () => {
  fc.assert(
    fc.property(samples, (list) => {
      expect(
        decodeValues(
          list.map(({ parameter }) => parameter),
          encodedByViem(list),
        ),
      ).toEqual(list.map(({ shown }) => shown));
    }),
  );
});

it("bytes that are no values are refused, however they are made, and soon", () => {
  fc.assert(
    fc.property(samples, fc.uint8Array({ maxLength: 400 }), (list, bytes) => {
      const parameters = list.map(({ parameter }) => parameter);
      try {
        decodeValues(parameters, `0x${Buffer.from(bytes).toString("hex")}`);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

describe("a form says what it expected", () => {
  it.each([
    ["address", "0x12", "to (address): expected an address."],
    ["uint8", "256", "to (uint8): expected a number that fits."],
    ["uint256", "-1", "to (uint256): expected a number that fits."],
    ["uint256", "many", "to (uint256): expected a whole number."],
    ["bool", "yes", "to (bool): expected true or false."],
    ["bytes4", "0x1234567890", "to (bytes4): expected up to 4 bytes of hex."],
    ["bytes", "text", "to (bytes): expected bytes of hex."],
    ["uint256[]", "1, 2", 'to (uint256[]): expected a list such as [1, 2] or ["0x…"].'],
    ["uint256[2]", "[1]", "to (uint256[2]): expected 2 values."],
  ])("%s of %j: %s", (type, typed, message) => {
    const inputs = [{ name: "to", type, components: [] }];
    expect(() => encodeCall({ ...functionOf([]), inputs }, [typed])).toThrow(message);
  });
});
