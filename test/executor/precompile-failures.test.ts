/** Input that a precompile does not take: it fails, and does not revert, whatever is wrong with the input. */
import { describe, expect, it } from "vitest";
import { bigIntToFixedBytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { fromHex } from "../support/assembler.ts";
import { runCode } from "../support/evm.ts";

const ONES = "ff".repeat(512);
/** A field element of 64 bytes with its 16 leading zeros. */
const one = `${"00".repeat(63)}01`;

const REFUSED: readonly (readonly [name: string, address: number, input: string])[] = [
  ["bn254 addition of what is no field element", 0x06, ONES],
  ["bn254 addition of a point off the curve", 0x06, `${"00".repeat(31)}01${"00".repeat(31)}03`],
  ["bn254 multiplication of a point off the curve", 0x07, `${"00".repeat(31)}01${"00".repeat(31)}03`],
  ["bn254 pairing of what is no field element", 0x08, ONES.slice(0, 384)],
  ["bn254 pairing of a wrong length", 0x08, "00"],
  ["blake2f of a wrong length", 0x09, "00"],
  ["KZG evaluation of a wrong hash", 0x0a, "00".repeat(192)],
  ["BLS12-381 G1 addition of a point off the curve", 0x0b, one.repeat(4)],
  ["BLS12-381 G1 addition of what is no field element", 0x0b, ONES.slice(0, 512)],
  ["BLS12-381 G1 multiplication of a point off the curve", 0x0c, one.repeat(2) + "00".repeat(32)],
  ["BLS12-381 G2 addition of a point off the curve", 0x0d, one.repeat(8)],
  ["BLS12-381 G2 multiplication of a point off the curve", 0x0e, one.repeat(4) + "00".repeat(32)],
  ["BLS12-381 pairing of points off the curve", 0x0f, one.repeat(6)],
  ["BLS12-381 mapping of what is no field element", 0x10, ONES.slice(0, 128)],
  ["BLS12-381 mapping of what is no pair of field elements", 0x11, ONES.slice(0, 256)],
];

describe("a precompile", () => {
  it.each(REFUSED)("fails and takes all gas: %s", async (_name, address, input) => {
    const to = bigIntToFixedBytes(BigInt(address), 20);
    const { result } = await runCode({ hardfork: "osaka", message: { to, data: fromHex(input) } });
    expect(result).toMatchObject({ error: "precompileFailed", gasUsed: 100_000n, output: EMPTY_BYTES });
  });
});
