/** EXTCODESIZE, EXTCODECOPY, EXTCODEHASH of code that begins like the EVM Object Format, which no hardfork has. */
import { describe, expect, it } from "vitest";
import { keccak256 } from "../../src/primitives/hash.ts";
import { assemble, fromHex } from "../support/assembler.ts";
import { addressOf, runCode, TARGET } from "../support/evm.ts";
import { hex } from "../support/plain.ts";

const C = addressOf(0xcc);
const there = `0x${"cc".repeat(20)}`;

/** With accesses recorded, opcodes that read the state go through handlers that may wait for it; without, they do not. */
describe.each([
  ["in the run loop", false],
  ["through handlers", { accesses: true }],
] as const)("foreign code that begins with 0xef00, read %s", (_way, record) => {
  const code = fromHex("ef0001aabbcc");
  const outputOf = async (program: string) => {
    const accounts = [
      { address: TARGET, code: assemble(`${program} 64 0 RETURN`) },
      { address: C, code },
    ];
    const { result } = await runCode({ hardfork: "berlin", accounts, record });
    expect(result.error).toBeUndefined();
    return hex(result.output).slice(2);
  };

  it("has its own size and hash", async () => {
    const output = await outputOf(`${there} EXTCODESIZE 0 MSTORE ${there} EXTCODEHASH 32 MSTORE`);
    expect(output).toBe("6".padStart(64, "0") + hex(keccak256(code)).slice(2));
  });

  it("is copied as it is, with zeros beyond its end", async () => {
    const filled = "0 NOT 0 MSTORE 0 NOT 32 MSTORE";
    expect(await outputOf(`${filled} 6 0 0 ${there} EXTCODECOPY`)).toBe(`ef0001aabbcc${"ff".repeat(58)}`);
    expect(await outputOf(`${filled} 8 4 2 ${there} EXTCODECOPY`)).toBe(`ffffbbcc${"00".repeat(6)}${"ff".repeat(54)}`);
    expect(await outputOf(`${filled} 3 0 NOT 0 ${there} EXTCODECOPY`)).toBe(`000000${"ff".repeat(61)}`);
    expect(await outputOf(`${filled} 0 0 0 ${there} EXTCODECOPY`)).toBe("ff".repeat(64));
  });
});
