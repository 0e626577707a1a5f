/** Examples in the texts of EIPs, for hardforks without state tests. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { bytesToBigInt, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { assemble } from "../../support/assembler.ts";
import { runCode, word } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";

const MODEXP = word(5n).slice(12);

describe.each(ENGINE_NAMES)("the examples of EIP-7939, CLZ (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    ["00".repeat(32), 256n],
    [`80${"00".repeat(31)}`, 0n],
    ["ff".repeat(32), 0n],
    [`40${"00".repeat(31)}`, 1n],
    [`7f${"ff".repeat(31)}`, 1n],
    [`${"00".repeat(31)}01`, 255n],
  ])("0x%s", async (value, zeros) => {
    const code = assemble(`0x${value} CLZ 0 MSTORE 32 0 RETURN`);
    const { result } = await runCode({ engine, hardfork: "osaka", code, record: false });
    expect(bytesToBigInt(result.output)).toBe(zeros);
  });
});

/** Rows of the tables of EIP-2565 and EIP-7883: bytes of base and modulus, exponent, gas by either. */
const MODEXP_ROWS: readonly (readonly [
  name: string,
  length: number,
  exponent: string,
  before: bigint,
  after: bigint,
])[] = [
  ["nagydani-1-square", 64, "02", 200n, 500n],
  ["nagydani-1-qube", 64, "03", 200n, 500n],
  ["nagydani-1-pow0x10001", 64, "010001", 341n, 2_048n],
  ["nagydani-2-square", 128, "02", 200n, 512n],
  ["nagydani-2-qube", 128, "03", 200n, 512n],
  ["nagydani-2-pow0x10001", 128, "010001", 1_365n, 8_192n],
  ["nagydani-3-square", 256, "02", 341n, 2_048n],
  ["nagydani-3-qube", 256, "03", 341n, 2_048n],
  ["nagydani-3-pow0x10001", 256, "010001", 5_461n, 32_768n],
  ["nagydani-4-square", 512, "02", 1_365n, 8_192n],
  ["nagydani-4-qube", 512, "03", 1_365n, 8_192n],
  ["nagydani-4-pow0x10001", 512, "010001", 21_845n, 131_072n],
  ["nagydani-5-square", 1_024, "02", 5_461n, 32_768n],
  ["nagydani-5-qube", 1_024, "03", 5_461n, 32_768n],
  ["nagydani-5-pow0x10001", 1_024, "010001", 87_381n, 524_288n],
];

describe.each(ENGINE_NAMES)("the examples of EIP-7883, what MODEXP costs (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(MODEXP_ROWS)("%s", async (_name, length, exponent, before, after) => {
    const power = new Uint8Array(Buffer.from(exponent, "hex"));
    const operand = new Uint8Array(length).fill(0xe3);
    const lengths = [length, power.length, length].map((bytes) => word(BigInt(bytes)));
    const data = concatBytes(...lengths, operand, power, operand.with(length - 1, 0x57));
    const gasUsed = async (hardfork: "prague" | "osaka"): Promise<bigint> => {
      const message = { to: MODEXP, data, gasLimit: 1_000_000n };
      const { result } = await runCode({ engine, hardfork, message, record: false });
      expect(result.error).toBeUndefined();
      return result.gasUsed;
    };
    expect([await gasUsed("prague"), await gasUsed("osaka")]).toEqual([before, after]);
  });
});
