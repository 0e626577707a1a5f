/** Code as it lies in an account: jump destinations, data of PUSH, its end, and which of several reasons ends a frame. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import type { FrameError } from "../../../src/evm/frames.ts";
import { bytesToBigInt, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling, fromHex } from "../../support/assembler.ts";
import { addressOf } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { stepAt } from "../../support/recorded-steps.ts";
import { left, run, runProgram } from "./running.ts";

const C = addressOf(0xcc);

describe.each(ENGINE_NAMES)("a jump (%s)", (engine) => {
  const it = onEngine(engine);
  const jumping = async (target: string, code: string) =>
    (await runProgram(engine, `${target} JUMP [${code}]`)).result.error;

  it("goes to a JUMPDEST, but not to one inside of a PUSH's data", async () => {
    // The jump itself takes three bytes.
    expect(await jumping("3", "5b")).toBeUndefined();
    expect(await jumping("4", "605b")).toBe("invalidJump");
    expect(await jumping("5", "605b5b")).toBeUndefined();
    expect(await jumping("5", "615b5b5b")).toBe("invalidJump");
    expect(await jumping("6", "615b5b5b")).toBeUndefined();
    expect(await jumping("4", `7f${"5b".repeat(33)}`)).toBe("invalidJump");
    expect(await jumping("35", `7f${"5b".repeat(33)}`)).toBe("invalidJump");
    expect(await jumping("36", `7f${"5b".repeat(33)}`)).toBeUndefined();
  });

  it("goes to no other opcode, and nowhere behind the code", async () => {
    expect(await jumping("3", "00")).toBe("invalidJump");
    expect(await jumping("4", "5b")).toBe("invalidJump");
    expect(await jumping("0 NOT", "5b5b")).toBe("invalidJump");
    // Its lowest bits name a destination.
    expect(await jumping(`0x01${"00".repeat(7)}0c`, "5b5b5b5b")).toBe("invalidJump");
  });

  it("that is not taken need not have a destination", async () => {
    expect(await left(engine, "0 77 JUMPI 5")).toBe(5n);
    expect((await runProgram(engine, "1 77 JUMPI")).result.error).toBe("invalidJump");
    expect((await runProgram(engine, "0 NOT 77 JUMPI")).result.error).toBe("invalidJump");
  });

  it("counts every byte of long code", async () => {
    // A destination in each of the last bytes of 300, some of them inside of data.
    const code = concatBytes(assemble("[610129] JUMP"), fromHex("605b".repeat(146)), fromHex("5b5b5b005b"));
    expect((await run(engine, { code })).result.error).toBeUndefined();
    expect((await run(engine, { code: concatBytes(fromHex("610127"), code.subarray(3)) })).result.error).toBe(
      "invalidJump",
    );
  });
});

describe.each(ENGINE_NAMES)("a PUSH (%s)", (engine) => {
  const it = onEngine(engine);
  it("has operands of all lengths", async () => {
    for (let length = 1; length <= 32; length++) {
      const digits = Array.from({ length }, (_, index) => (0xa1 + index).toString(16)).join("");
      expect(await left(engine, `0x${digits}`)).toBe(BigInt(`0x${digits}`));
    }
  });

  it("is followed by zeros where the code ends within its data, and by a STOP", async () => {
    const cutOff = async (code: string) => {
      const { result, recorder } = await run(engine, { code: fromHex(code) });
      expect(result).toMatchObject({ error: undefined, gasUsed: 3n });
      return stepAt(recorder, 0).word;
    };
    expect(await cutOff("61aa")).toBe(0xaa00n);
    expect(await cutOff("7faa")).toBe(0xaan << 248n);
    expect(await cutOff("60")).toBe(0n);
  });

  it("at the end of init code does not run into code that lay in memory before", async () => {
    // An engine that reuses memory has decoded a longer code of instructions that cost before this one.
    const accounts = [{ address: C, code: assemble("1 2 ADD POP ".repeat(40)) }];
    const program = `${calling("CALL", C)} POP 0x61ff 0 MSTORE 2 30 0 CREATE`;
    const { frame } = await runProgram(engine, program, { accounts });
    expect(frame).toMatchObject({ gasUsed: 40n * 11n });
    const { recorder } = await runProgram(engine, program, { accounts });
    expect(recorder.frames[2]).toMatchObject({ error: undefined, gasUsed: 3n });
  });
});

describe.each(ENGINE_NAMES)("code (%s)", (engine) => {
  const it = onEngine(engine);
  it("that is empty does nothing", async () => {
    const { result } = await run(engine, { code: new Uint8Array(0) });
    expect(result).toMatchObject({ error: undefined, gasUsed: 0n });
  });

  it("ends with a STOP where it does not end by itself", async () => {
    const { result } = await runProgram(engine, "5 0 MSTORE");
    expect(result).toMatchObject({ error: undefined, gasUsed: 12n });
    expect(bytesToBigInt(result.output)).toBe(0n);
  });

  it("may be jumped through again and again", async () => {
    const sum = "0 100 loop: DUP1 SWAP2 ADD SWAP1 1 SWAP1 SUB DUP1 @loop JUMPI POP";
    expect(await left(engine, sum)).toBe(5050n);
  });

  it("knows where it is, and how much gas it has left, wherever that is", async () => {
    expect(await left(engine, "1 POP PC")).toBe(3n);
    expect(await left(engine, "1 POP GAS 2 POP GAS SWAP1 SUB")).toBe(7n);
    expect(await left(engine, "1 2 3 ADD ADD POP GAS", { gasLimit: 1000n })).toBe(1000n - 9n - 6n - 2n - 2n);
  });
});

/** An engine may add up gas and stack items of many instructions: the one that fails names the reason all the same. */
describe.each(ENGINE_NAMES)("of several things that will go wrong, the first one counts (%s)", (engine) => {
  const it = onEngine(engine);
  const behind = "ADD INVALID 3 JUMP";
  it.each<[string, string, bigint, FrameError]>([
    ["no gas, then no items", "1 POP 1 POP ADD", 9n, "outOfGas"],
    ["no items, then no gas", "1 POP ADD 1 POP 1 POP 1 POP", 12n, "stackUnderflow"],
    ["an undefined opcode, then no items", `1 POP [0c] ${behind}`, 100n, "invalidOpcode"],
    ["a bad jump, then no gas", "1 JUMP 1 POP 1 POP 1 POP 1 POP", 20n, "invalidJump"],
    ["no gas for a jump to nowhere", "1 JUMP", 10n, "outOfGas"],
    ["memory that cannot be paid, then no items", `1 0xffffff MSTORE ${behind}`, 100n, "outOfGas"],
    ["too many items, then an undefined opcode", `${"PC ".repeat(1025)} [0c]`, 10_000n, "stackOverflow"],
    ["an undefined opcode after all items there can be", `${"PC ".repeat(1024)} [0c]`, 10_000n, "invalidOpcode"],
    ["too many items by DUP", `${"PC ".repeat(1024)} DUP1`, 10_000n, "stackOverflow"],
    ["no gas, then too many items", "PC ".repeat(1025), 2047n, "outOfGas"],
  ])("%s", async (_name, program, gasLimit, error) => {
    const { result } = await runProgram(engine, program, { gasLimit });
    expect(result).toMatchObject({ error, gasUsed: gasLimit });
  });

  it("with the opcode and the items it found", async () => {
    const { result } = await runProgram(engine, "1 2 3 ADD [0c] ADD ADD", { gasLimit: 1000n });
    expect(result.detail).toMatchObject({ opcode: 0x0c, stackHeight: 2, cause: undefined });
  });

  it("may be swapped and duplicated down to the sixteenth item", async () => {
    const pushes = Array.from({ length: 17 }, (_, index) => String(index + 1)).join(" ");
    expect(await left(engine, `${pushes} DUP16`)).toBe(2n);
    expect(await left(engine, `${pushes} SWAP16`)).toBe(1n);
    expect((await runProgram(engine, `${pushes} POP SWAP16`)).result.error).toBe("stackUnderflow");
    expect((await runProgram(engine, `${pushes} POP POP DUP16`)).result.error).toBe("stackUnderflow");
  });
});

describe.each(ENGINE_NAMES)("an opcode of a later hardfork (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    ["DELEGATECALL", "0 0 0 0 0 0 DELEGATECALL", "chainstart", "homestead"],
    ["REVERT", "0 0 REVERT", "spuriousDragon", "byzantium"],
    ["RETURNDATASIZE", "RETURNDATASIZE", "spuriousDragon", "byzantium"],
    ["STATICCALL", "0 0 0 0 0 0 STATICCALL", "spuriousDragon", "byzantium"],
    ["SHL", "1 1 SHL", "byzantium", "constantinople"],
    ["EXTCODEHASH", "0 EXTCODEHASH", "byzantium", "constantinople"],
    ["CREATE2", "0 0 0 0 CREATE2", "byzantium", "constantinople"],
    ["CHAINID", "CHAINID", "petersburg", "istanbul"],
    ["SELFBALANCE", "SELFBALANCE", "petersburg", "istanbul"],
    ["BASEFEE", "BASEFEE", "berlin", "london"],
    ["PUSH0", "[5f]", "paris", "shanghai"],
    ["TLOAD", "0 TLOAD", "shanghai", "cancun"],
    ["TSTORE", "0 0 TSTORE", "shanghai", "cancun"],
    ["MCOPY", "0 0 0 MCOPY", "shanghai", "cancun"],
    ["BLOBHASH", "0 BLOBHASH", "shanghai", "cancun"],
    ["BLOBBASEFEE", "BLOBBASEFEE", "shanghai", "cancun"],
    ["CLZ", "1 CLZ", "prague", "osaka"],
  ] as const)("is undefined before it: %s", async (name, program, before, since) => {
    const errorAt = async (hardfork: typeof before | typeof since) =>
      (await run(engine, { hardfork, code: assemble(program) })).result.error;
    expect(await errorAt(before)).toBe("invalidOpcode");
    expect(await errorAt(since)).toBe(name === "REVERT" ? "reverted" : undefined);
  });
});
