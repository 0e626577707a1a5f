import { describe, expect, it } from "vitest";
import { ProgramCache, readPush } from "../../src/executor/evm-program.ts";
import { assemble, fromHex } from "../support/assembler.ts";

const programs = new ProgramCache();

describe("a program", () => {
  it("may be jumped into at JUMPDESTs that are not inside PUSH data", () => {
    const { jumps } = programs.get(fromHex("5b605b5b615b5b5b"));
    expect([...jumps]).toEqual([1, 0, 0, 1, 0, 0, 0, 1]);
  });

  it("is analysed once for one array", () => {
    const code = assemble("1 2 ADD");
    expect(programs.get(code)).toBe(programs.get(code));
  });

  it("pushes operands of all lengths, the same on each reading", () => {
    for (let length = 1; length <= 32; length++) {
      const digits = "a5".repeat(length);
      const program = programs.get(fromHex(`${(0x5f + length).toString(16)}${digits}`));
      expect(readPush(program, 0)).toBe(BigInt(`0x${digits}`));
      expect(readPush(program, 0)).toBe(BigInt(`0x${digits}`));
    }
  });

  it("pushes zeros for what the end of the code cuts off", () => {
    expect(readPush(programs.get(fromHex("61aa")), 0)).toBe(0xaa00n);
    expect(readPush(programs.get(fromHex("7faa")), 0)).toBe(0xaan << 248n);
  });
});
