/** Random values of ABI types, as arbitraries of fast-check. */
import fc from "fast-check";
import type { AbiParameter } from "../../explain/abi/abi-item.ts";
import type { AbiValue } from "../../explain/abi/coder.ts";
import { bigIntToFixedBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { Integers } from "./integers.ts";

/** The sources of random values. */
export interface ValueSources {
  /** Constants of the code. */
  readonly constants: readonly bigint[];
  /** Addresses that parameters may be given; the first is the simplest. */
  readonly addresses: readonly Hex[];
}

const MOST_ELEMENTS = 6;
const MOST_BYTES = 100;

/** Values of all parameters of a function, in order. */
export function argumentsOf(
  parameters: readonly AbiParameter[],
  sources: ValueSources,
): fc.Arbitrary<readonly AbiValue[]> {
  return fc.tuple(...parameters.map((parameter) => valuesOf(parameter.type, parameter, sources)));
}

/** @param type - type of the parameter, or of its elements */
function valuesOf(type: string, parameter: AbiParameter, sources: ValueSources): fc.Arbitrary<AbiValue> {
  const array = /^(?<element>.*)\[(?<length>\d*)\]$/.exec(type)?.groups;
  if (array !== undefined) {
    const { element = "", length = "" } = array;
    const count = Number(length);
    const bounds = length === "" ? { maxLength: MOST_ELEMENTS } : { minLength: count, maxLength: count };
    return fc.array(valuesOf(element, parameter, sources), { ...bounds, size: "max" });
  }
  if (type === "tuple") return argumentsOf(parameter.components, sources);
  if (type === "bool") return fc.boolean();
  if (type === "string") return fc.string({ maxLength: MOST_BYTES, size: "max" });
  if (type === "bytes") return fc.uint8Array({ maxLength: MOST_BYTES, size: "max" });
  if (type === "address") return fc.constantFrom(...sources.addresses);
  if (type === "function") return fixedBytes(24, sources);
  return numberOf(type, sources);
}

function numberOf(type: string, sources: ValueSources): fc.Arbitrary<AbiValue> {
  const { kind, size = "" } = /^(?<kind>uint|int|bytes)(?<size>\d+)$/.exec(type)?.groups ?? {};
  const width = BigInt(size);
  if (kind === "bytes") return fixedBytes(Number(size), sources);
  if (kind === "uint") return new Integers(0n, (1n << width) - 1n, sources.constants);
  const half = 1n << (width - 1n);
  return new Integers(-half, half - 1n, [...sources.constants, ...sources.constants.map((value) => -value)]);
}

function fixedBytes(length: number, { constants }: ValueSources): fc.Arbitrary<AbiValue> {
  const numbers = new Integers(0n, (1n << BigInt(8 * length)) - 1n, constants);
  return numbers.map(
    (value) => bigIntToFixedBytes(value, length),
    (value) => {
      if (!(value instanceof Uint8Array) || value.length !== length) throw new TypeError("no bytes of that length");
      return bytesToBigInt(value);
    },
  );
}
