/** EXTCODESIZE, EXTCODECOPY, EXTCODEHASH of code that begins like the EVM Object Format, which no hardfork has. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { fromHex } from "../../support/assembler.ts";
import { addressOf } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { runProgram } from "./running.ts";

const C = addressOf(0xcc);
const there = hex(C);

describe.each(ENGINE_NAMES)("foreign code that begins with 0xef00 (%s)", (engine) => {
  const it = onEngine(engine);
  const code = fromHex("ef0001aabbcc");
  // docs/engines.md: EthereumJS shows the first two bytes, and nothing behind them.
  const shown = engine === "ethereumjs" ? fromHex("ef00") : code;
  const outputOf = async (program: string) => {
    const { result } = await runProgram(engine, `${program} 64 0 RETURN`, {
      hardfork: "berlin",
      accounts: [{ address: C, code }],
    });
    expect(result.error).toBeUndefined();
    return hex(result.output).slice(2);
  };

  it("has its own size and hash", async () => {
    const output = await outputOf(`${there} EXTCODESIZE 0 MSTORE ${there} EXTCODEHASH 32 MSTORE`);
    expect(output).toBe(String(shown.length).padStart(64, "0") + hex(keccak256(shown)).slice(2));
  });

  it("is copied as it is, with zeros beyond its end", async () => {
    const filled = "0 NOT 0 MSTORE 0 NOT 32 MSTORE";
    const copied = (from: number, length: number) =>
      hex(shown)
        .slice(2)
        .padEnd(40, "0")
        .slice(from * 2, (from + length) * 2);
    expect(await outputOf(`${filled} 6 0 0 ${there} EXTCODECOPY`)).toBe(`${copied(0, 6)}${"ff".repeat(58)}`);
    expect(await outputOf(`${filled} 8 4 2 ${there} EXTCODECOPY`)).toBe(`ffff${copied(4, 8)}${"ff".repeat(54)}`);
    expect(await outputOf(`${filled} 3 0 NOT 0 ${there} EXTCODECOPY`)).toBe(`000000${"ff".repeat(61)}`);
    expect(await outputOf(`${filled} 0 0 0 ${there} EXTCODECOPY`)).toBe("ff".repeat(64));
  });
});
