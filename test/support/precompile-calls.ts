/** Calls of precompiles for random programs: with input that they take or with any, with value or without, with little gas. */
import fc from "fast-check";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { assemble, fromHex } from "./assembler.ts";

const zeros = (bytes: number): string => "00".repeat(bytes);
const number = (value: number): string => value.toString(16).padStart(64, "0");

const GENERATOR_BN254 = number(1) + number(2);

/** By number of the precompile: input that it takes, in hex digits. Points of BLS12-381 are the one at infinity. */
export const WELL_FORMED: ReadonlyMap<number, string> = new Map([
  // A signature whose signer is 0xceaccac640adf55b2028469bd36ba501f28b699d (go-ethereum's test of ecrecover).
  [
    0x01,
    `38d18acb67d25c8bb9942764b62f18e17054f66a817bd4295423adf9ed98873e${number(27)}38d18acb67d25c8bb9942764b62f18e17054f66a817bd4295423adf9ed98873e789d1dd423d25f0772d2748d60f7e4b81bb14d086eba8e8e8efb6dcff8a4ae02`,
  ],
  [0x02, zeros(64)],
  [0x03, zeros(64)],
  [0x04, "0123456789".repeat(9)],
  [0x05, `${number(1)}${number(2)}${number(4)}03ffff7fffffff`],
  [0x06, GENERATOR_BN254 + GENERATOR_BN254],
  [0x07, GENERATOR_BN254 + number(7)],
  [0x08, ""],
  [0x09, `0000000c${"48c9bdf267e6096a".repeat(8)}${"616263".padEnd(256, "0")}${zeros(16)}01`],
  [0x0a, zeros(191)],
  [0x0b, zeros(256)],
  [0x0c, zeros(160)],
  [0x0d, zeros(512)],
  [0x0e, zeros(288)],
  [0x0f, zeros(384)],
  [0x10, zeros(64)],
  [0x11, zeros(128)],
  // Of the key 0x05…05, by @noble/curves.
  [
    0x100,
    `${"07".repeat(32)}60fcd48a25659a00bfc756fd17adc8f54d9754763ff89599b810f4a11ea072e072f600a8695945a2e68c286f5c412e3d8e57f4567a11dcbeba90cb73b0d4f94c07810ea974cea5773e63b897f37e3be9a09e7a5fe9b971a44d1065ac2a3a9311637e47a4f99464a0fdce44a88ec7d703a9183c1d06552d9e2d6b76069481c577`,
  ],
]);

/** Address of a precompile by its number. */
export function precompile(number: number): Bytes {
  return fromHex(number.toString(16).padStart(40, "0"));
}

/** All that the newest hardfork has. */
export const PRECOMPILES: readonly Bytes[] = Array.from(WELL_FORMED.keys(), precompile);

const anyInput = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("hex"));

const KINDS = ["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"] as const;

/** A call of a precompile, and a log of what it gave back. */
export const precompileCall: fc.Arbitrary<Bytes> = fc
  .constantFrom(...WELL_FORMED)
  .chain(([address, input]) =>
    fc.record({
      kind: fc.constantFrom(...KINDS),
      address: fc.constant(address),
      input: fc.oneof({ weight: 3, arbitrary: fc.constant(input) }, { weight: 1, arbitrary: anyInput }),
      value: fc.constantFrom(0, 0, 0, 1, 200, 5000),
      // All gas only sometimes: input that is refused takes it.
      gas: fc.oneof(fc.constantFrom("GAS", "60000", "60000"), fc.integer({ min: 0, max: 7000 }).map(String)),
      output: fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 600 })),
    }),
  )
  .map(({ kind, address, input, value, gas, output: [length, offset] }) => {
    const words = Array.from({ length: Math.ceil(input.length / 64) }, (_, index) =>
      input.slice(index * 64, index * 64 + 64).padEnd(64, "0"),
    );
    const stores = words.map((word, index) => `0x${word} ${index * 32} MSTORE`);
    const hasValue = kind === "CALL" || kind === "CALLCODE";
    const operands = `${length} ${offset} ${input.length / 2} 0 ${hasValue ? value : ""} ${address} ${gas}`;
    return assemble(`${stores.join(" ")} ${operands} ${kind} RETURNDATASIZE ${length} ${offset} LOG2`);
  });
