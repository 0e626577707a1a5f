/** Powers by the precompile are those of a plain loop of BigInts, whichever way computes them. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { ModularExponentiation } from "../../../src/primitives/curves/modular-exponentiation.ts";
import { MontgomeryPowers } from "../../../src/primitives/curves/montgomery-powers.ts";

const modexp = new ModularExponentiation();

const toNumber = (bytes: Uint8Array): bigint => bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** Bit by bit, from the lowest. */
function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let power = 1n % modulus;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) power = (power * square) % modulus;
    square = (square * square) % modulus;
  }
  return power;
}

interface Operands {
  readonly base: Uint8Array;
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
}

function inputOf({ base, exponent, modulus }: Operands): Uint8Array {
  const input = new Uint8Array(96 + base.length + exponent.length + modulus.length);
  const view = new DataView(input.buffer);
  for (const [index, { length }] of [base, exponent, modulus].entries()) view.setUint32(32 * index + 28, length);
  input.set(base, 96);
  input.set(exponent, 96 + base.length);
  input.set(modulus, 96 + base.length + exponent.length);
  return input;
}

function expectPower(operands: Operands): void {
  const [base, exponent, modulus] = [operands.base, operands.exponent, operands.modulus].map(toNumber) as [
    bigint,
    bigint,
    bigint,
  ];
  const answer = modexp.answer(inputOf(operands));
  if (!("output" in answer)) throw new Error(`The precompile fails: ${answer.fault}.`);
  expect(answer.output).toHaveLength(operands.modulus.length);
  expect(toNumber(answer.output)).toBe(modulus === 0n ? 0n : powerOf(base, exponent, modulus));
}

/** Bytes with long runs of the extremes, where carries and borrows are. */
const bytes = (maxLength: number): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    fc.uint8Array({ maxLength }),
    fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff), { maxLength }).map((items) => Uint8Array.from(items)),
  );

it("answers as a plain loop for lengths around those that WebAssembly takes", () => {
  const operands = fc.record({ base: bytes(70), exponent: bytes(40), modulus: bytes(36) });
  fc.assert(fc.property(operands, expectPower), { numRuns: 2_000 });
});

it("answers as a plain loop for odd moduli of 32 bytes", () => {
  const odd = fc
    .tuple(bytes(32), fc.constantFrom(1, 3, 0xff))
    .map(([items, last]) =>
      Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? last : (items[index] ?? 0xff))),
    );
  const operands = fc.record({ base: bytes(32), exponent: bytes(32), modulus: odd });
  fc.assert(fc.property(operands, expectPower), { numRuns: 2_000 });
});

it("takes exponents of up to 1,024 bytes, and answers alike for longer ones", () => {
  for (const length of [1_023, 1_024, 1_025]) {
    expectPower({
      base: Uint8Array.of(3),
      exponent: new Uint8Array(length).fill(0xa5),
      modulus: new Uint8Array(32).fill(0xfd),
    });
  }
});

it("pads an exponent that ends early with zeros", () => {
  const input = inputOf({
    base: Uint8Array.of(2),
    exponent: Uint8Array.of(1, 2, 3),
    modulus: new Uint8Array(),
  });
  // Three more bytes of exponent, and a modulus, which are not there: all zeros.
  new DataView(input.buffer).setUint32(60, 6);
  new DataView(input.buffer).setUint32(92, 2);
  expect(modexp.answer(input)).toEqual({ output: new Uint8Array(2) });
  const powers = new MontgomeryPowers();
  // A longer one before must not be left behind.
  powers.raise(5n, new Uint8Array(40).fill(255), 40, 1_000_003n);
  expect(powers.raise(2n, Uint8Array.of(1, 2), 4, 1_000_003n)).toBe(powerOf(2n, 0x01020000n, 1_000_003n));
});

it("leaves even, short and longer moduli, and longer exponents, to BigInts", () => {
  const powers = new MontgomeryPowers();
  const taken = [
    powers.takes(1_024, 2n ** 256n - 1n),
    powers.takes(1, 2n ** 64n + 1n),
    powers.takes(1, 2n ** 64n - 1n),
    powers.takes(1, 2n ** 256n - 2n),
    powers.takes(1, 2n ** 256n + 1n),
    powers.takes(1_025, 2n ** 256n - 1n),
  ];
  expect(taken).toEqual([true, true, false, false, false, false]);
});
