/** Prices that EIPs state, and prices of what nobody can pay. Random inputs are compared with EthereumJS elsewhere. */
import { describe, expect, it } from "vitest";
import { HARDFORKS, type Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { PrecompileSet } from "../../../../src/engines/wasm/precompiles/precompile-set.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes, EMPTY_BYTES } from "../../../../src/primitives/bytes/bytes.ts";

const precompiles = new PrecompileSet();

function gas(hardfork: Hardfork, standardAddress: number, input: Bytes): bigint | undefined {
  return precompiles.of(hardfork).get(standardAddress)?.gas(input);
}

/** Lengths of base, exponent and modulus, and what follows them. */
const modexp = (lengths: readonly [bigint, bigint, bigint], ...operands: readonly Bytes[]): Bytes =>
  concatBytes(...lengths.map((length) => bigIntToFixedBytes(length, 32)), ...operands);

/** The vectors nagydani-N-pow0x10001 of EIP-2565. */
const fermat = (length: number): Bytes =>
  modexp([BigInt(length), 3n, BigInt(length)], new Uint8Array(length), Uint8Array.of(1, 0, 1), new Uint8Array(length));

describe("the precompiles of a hardfork", () => {
  it.each([
    ["homestead", 4],
    ["byzantium", 8],
    ["istanbul", 9],
    ["shanghai", 9],
    ["cancun", 10],
    ["prague", 17],
    ["bpo5", 18],
  ] as const)("%s has %i", (hardfork, count) => {
    expect(precompiles.of(hardfork).size).toBe(count);
  });

  it("are found by their standard addresses, under their names, and the same ones every time", () => {
    for (const hardfork of HARDFORKS) {
      for (const [standardAddress, precompile] of precompiles.of(hardfork))
        expect(precompile).toMatchObject({ standardAddress, hardfork });
      expect(precompiles.of(hardfork)).toBe(precompiles.of(hardfork));
    }
    expect([...precompiles.of("osaka").keys()]).toEqual([
      ...Array.from({ length: 17 }, (_, index) => index + 1),
      0x100,
    ]);
    expect(precompiles.of("osaka").get(0x100)?.name).toBe("P256VERIFY");
  });
});

describe("modexp", () => {
  it.each([
    ["byzantium", 64, 3_276n],
    ["byzantium", 1024, 285_900n],
    ["berlin", 64, 341n],
    ["berlin", 1024, 87_381n],
    ["osaka", 64, 2_048n],
    ["osaka", 1024, 524_288n],
  ] as const)("costs in %s, of %i bytes: %i", (hardfork, length, price) => {
    expect(gas(hardfork, 0x05, fermat(length))).toBe(price);
  });

  it.each(["byzantium", "berlin", "osaka"] as const)(
    "prices lengths up to 2^256 without allocating them (%s)",
    (hardfork) => {
      const huge = 2n ** 256n - 1n;
      for (const lengths of [
        [huge, huge, huge],
        [huge, 0n, 1n],
        [1n, huge, 1n],
        [0n, 32n, huge],
      ] as const) {
        expect(gas(hardfork, 0x05, modexp(lengths, Uint8Array.of(3)))).toBeGreaterThan(2n ** 63n);
      }
    },
  );

  it("is paid little for an exponent of any length where there is nothing to multiply, and answers nothing", async () => {
    const input = modexp([0n, 2n ** 255n, 0n]);
    expect(gas("byzantium", 0x05, input)).toBe(0n);
    expect(gas("berlin", 0x05, input)).toBe(200n);
    expect(precompiles.of("berlin").get(0x05)?.run(input)).toEqual({ output: EMPTY_BYTES });
  });
});

describe("blake2f", () => {
  it("is free where its input is not one, and costs its rounds else, whatever they are", () => {
    expect(gas("osaka", 0x09, new Uint8Array(212).fill(0xff))).toBe(0n);
    expect(gas("osaka", 0x09, new Uint8Array(213).fill(0xff))).toBe(2n ** 32n - 1n);
  });
});

describe("a multiplication of BLS12-381", () => {
  it.each([
    [0x0c, 160, 1, 12_000n],
    [0x0c, 160, 2, 22_776n],
    [0x0c, 160, 128, 797_184n],
    [0x0c, 160, 1000, 6_228_000n],
    [0x0e, 288, 2, 45_000n],
    [0x0e, 288, 128, 1_509_120n],
    [0x0e, 288, 1000, 11_790_000n],
  ])("%i of %i bytes a term, %i terms, costs %i", (standardAddress, width, terms, price) => {
    expect(gas("prague", standardAddress, new Uint8Array(width * terms))).toBe(price);
  });
});
