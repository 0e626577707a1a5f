/**
 * Both engines do the same on 20,000 random transactions of a seed that is printed. Where their recordings are the same in
 * every member, their texts are too, and a fifth of the scenarios has them made: to make all took a third of the time.
 */
import { describe, expect, it } from "vitest";
import { instructionOf, isKnownOpcode } from "../../../src/evm/instructions.ts";
import { Op } from "../../../src/evm/opcodes.ts";
import { testSeed } from "../../support/seed.ts";
import { compareMany } from "./long-run.ts";
import { PRECOMPILE_NUMBERS } from "./random/precompile-pool.ts";
import { COMPARED_HARDFORKS } from "./random/scenario.ts";

/** An opcode that none of the compared hardforks has. */
const OF_AMSTERDAM: readonly string[] = ["SLOTNUM", "DUPN", "SWAPN", "EXCHANGE"];

describe("random transactions", () => {
  it("do the same on both engines, in every trace format", async () => {
    const { counts, differences } = await compareMany({
      seed: testSeed,
      transactions: 20_000,
      textsOf: "samples where recordings are the same",
    });
    console.log([`seed ${testSeed}`, ...counts.lines()].join("\n"));
    expect(differences).toEqual([]);
    expect(counts.successShare).toBeGreaterThan(0.6);
    expect(counts.byHardfork.size).toBe(COMPARED_HARDFORKS.length);
    expect(counts.byPrecompile.size).toBe(PRECOMPILE_NUMBERS.length);
    expect(counts.byError.size).toBeGreaterThan(7);
    const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode).filter(isKnownOpcode);
    const missing = opcodes.filter((opcode) => !counts.byOpcode.has(opcode) && opcode !== Op.INVALID);
    // Those of Amsterdam are met as bytes that are no operation, or not at all.
    const names = missing.map((opcode) => instructionOf(opcode).name);
    expect(names.filter((name) => !OF_AMSTERDAM.includes(name))).toEqual([]);
  });
});
