/** Regions of memory: empty ones at any place, those that nobody can pay for, and what frames hand each other. */
import { describe, expect } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { bytesToBigInt, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { sweep } from "../../support/seed.ts";
import { AROUND, left, priceOf, runProgram } from "./running.ts";

const C = addressOf(0xcc);
const there = hex(C);
const FAR = `0x${"ff".repeat(32)}`;

describe.each(ENGINE_NAMES)("an empty region (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    ["KECCAK256", `0 ${FAR} KECCAK256 POP`],
    ["CALLDATACOPY", `0 ${FAR} ${FAR} CALLDATACOPY`],
    ["CODECOPY", `0 ${FAR} ${FAR} CODECOPY`],
    ["EXTCODECOPY", `0 ${FAR} ${FAR} ${there} EXTCODECOPY`],
    ["RETURNDATACOPY", `0 0 ${FAR} RETURNDATACOPY`],
    ["MCOPY", `0 ${FAR} ${FAR} MCOPY`],
    ["LOG0", `0 ${FAR} LOG0`],
    ["CALL", `0 ${FAR} 0 ${FAR} 0 ${there} 0 CALL POP`],
    ["CALLCODE", `0 ${FAR} 0 ${FAR} 0 ${there} 0 CALLCODE POP`],
    ["DELEGATECALL", `0 ${FAR} 0 ${FAR} ${there} 0 DELEGATECALL POP`],
    ["STATICCALL", `0 ${FAR} 0 ${FAR} ${there} 0 STATICCALL POP`],
    ["CREATE", `0 ${FAR} 0 CREATE POP`],
    ["CREATE2", `0 0 ${FAR} 0 CREATE2 POP`],
  ])("may be anywhere, and needs no memory: %s", async (_name, program) => {
    expect(await left(engine, `${program} MSIZE`)).toBe(0n);
  });

  it.each(["RETURN", "REVERT"])("may be anywhere at the end: %s", async (opcode) => {
    const { result } = await runProgram(engine, `0 ${FAR} ${opcode}`);
    expect(result).toMatchObject({ error: opcode === "REVERT" ? "reverted" : undefined, output: EMPTY_BYTES });
    expect(result.gasUsed).toBeLessThan(10n);
  });
});

describe.each(ENGINE_NAMES)("a region that nobody can pay for (%s)", (engine) => {
  const it = onEngine(engine);
  const gasLimit = 2n ** 63n - 1n;
  const places = [
    ["2^32", `0x01${"00".repeat(4)}`],
    ["2^63", `0x80${"00".repeat(7)}`],
    ["2^64 - 1", `0x${"ff".repeat(8)}`],
    ["2^64", `0x01${"00".repeat(8)}`],
    ["2^256 - 1", FAR],
  ] as const;

  const programs: readonly (readonly [string, (place: string) => string])[] = [
    ["MLOAD", (place: string) => `${place} MLOAD`],
    ["MSTORE", (place: string) => `0 ${place} MSTORE`],
    ["MSTORE8", (place: string) => `0 ${place} MSTORE8`],
    ["KECCAK256 at", (place: string) => `1 ${place} KECCAK256`],
    ["KECCAK256 of", (place: string) => `${place} 0 KECCAK256`],
    ["CALLDATACOPY to", (place: string) => `1 0 ${place} CALLDATACOPY`],
    ["CALLDATACOPY of", (place: string) => `${place} 0 0 CALLDATACOPY`],
    ["EXTCODECOPY to", (place: string) => `1 0 ${place} ${there} EXTCODECOPY`],
    ["MCOPY from", (place: string) => `1 ${place} 0 MCOPY`],
    ["LOG0 of", (place: string) => `${place} 0 LOG0`],
    ["CALL with input at", (place: string) => `0 0 1 ${place} 0 ${there} 0 CALL`],
    ["CALL with output of", (place: string) => `${place} 0 0 0 0 ${there} 0 CALL`],
    ["CREATE2 of", (place: string) => `0 ${place} 0 0 CREATE2`],
    ["RETURN at", (place: string) => `1 ${place} RETURN`],
    ["REVERT of", (place: string) => `${place} 0 REVERT`],
  ];
  // EthereumJS reads the data of a REVERT before it charges for them, which takes it a second.
  const isQuick = ([name]: readonly [string, unknown]): boolean => engine === "wasm" || name !== "REVERT of";

  it.each(sweep(programs, isQuick))("takes all gas: %s", async (name, program) => {
    for (const [, place] of places) {
      // EthereumJS stops at a gigabyte: see its limits. So much gas as no block has cannot pay for these either.
      const { result } = await runProgram(engine, program(place), { gasLimit: 10n ** 12n, hardfork: "cancun" });
      const expected = name === "CREATE2 of" ? ["outOfGas", "initCodeSizeExceeded"] : ["outOfGas"];
      expect(expected).toContain(result.error);
      expect(result.gasUsed).toBe(10n ** 12n);
    }
  });

  it("is out of gas even with all gas there can be, where it ends beyond 2^64", async () => {
    for (const program of [`1 ${FAR} MSTORE`, `0x${"ff".repeat(8)} 32 KECCAK256`, `0x${"ff".repeat(8)} MLOAD`]) {
      expect((await runProgram(engine, program, { gasLimit })).result).toMatchObject({ error: "outOfGas" });
    }
  });
});

describe.each(ENGINE_NAMES)("memory (%s)", (engine) => {
  const it = onEngine(engine);
  it("grows by words, at a price that grows with it", async () => {
    expect(await left(engine, "0 MLOAD POP MSIZE")).toBe(32n);
    expect(await left(engine, "1 MLOAD POP MSIZE")).toBe(64n);
    expect(await left(engine, "0 31 MSTORE8 MSIZE")).toBe(32n);
    // 1,000 words: 3 gas each, and a 512th of their square.
    expect(await left(engine, priceOf("31968 MLOAD"))).toBe(AROUND + 6n + 3000n + 1953n);
    expect(await left(engine, `31968 MLOAD POP ${priceOf("31968 MLOAD")}`)).toBe(AROUND + 6n);
  });

  it("holds bytes as they were written, whatever overlaps", async () => {
    const digits = Array.from({ length: 32 }, (_, index) => (index + 1).toString(16).padStart(2, "0")).join("");
    expect(await left(engine, `0x${digits} 5 MSTORE 0 MLOAD`)).toBe(
      BigInt(`0x${"00".repeat(5)}${digits.slice(0, 54)}`),
    );
    expect(await left(engine, `0x${digits} 5 MSTORE 37 MLOAD`)).toBe(0n);
    expect(await left(engine, `0x${digits} 0 MSTORE 0xffee 3 MSTORE8 0 MLOAD`)).toBe(
      BigInt(`0x010203ee${digits.slice(8)}`),
    );
    expect(await left(engine, `0x${digits} 0 MSTORE 32 0 4 MCOPY 4 MLOAD`)).toBe(BigInt(`0x${digits}`));
    expect(await left(engine, `0x${digits} 4 MSTORE 32 4 0 MCOPY 0 MLOAD`)).toBe(BigInt(`0x${digits}`));
  });

  it("is copied to with zeros behind the source's end", async () => {
    const data = Uint8Array.of(1, 2, 3);
    const copied = (from: string) =>
      left(engine, `0 NOT 0 MSTORE 4 ${from} 1 CALLDATACOPY 0 MLOAD`, { message: { data } });
    const expected = (digits: string) => BigInt(`0xff${digits}${"ff".repeat(27)}`);
    expect(await copied("0")).toBe(expected("01020300"));
    expect(await copied("2")).toBe(expected("03000000"));
    expect(await copied(FAR)).toBe(expected("00000000"));
  });

  it("is zero again for each frame", async () => {
    // The second call's memory lies where that of the first one was.
    const filling = assemble(
      "CALLVALUE @read JUMPI 0 NOT 0 MSTORE 0 NOT 64 MSTORE STOP read: 64 MLOAD 0 MSTORE 32 0 RETURN",
    );
    const program = `${calling("CALL", C)} POP 32 0 0 0 1 ${there} GAS CALL POP 0 MLOAD`;
    const accounts = [{ address: C, code: filling }];
    expect(await left(engine, `0 NOT 0 MSTORE ${program}`, { accounts, target: { balance: 1n } })).toBe(0n);
  });

  it("of a caller is as it was when a call ends, and may grow", async () => {
    const accounts = [{ address: C, code: assemble("0 NOT 0 MSTORE 0 NOT 4096 MSTORE 5 0 RETURN") }];
    const program = `7 0 MSTORE ${calling("CALL", C)} POP 4096 MLOAD 8192 MLOAD 0 MLOAD ADD ADD`;
    expect(await left(engine, program, { accounts })).toBe(7n);
  });

  it("that init code is made of may change while it runs", async () => {
    // Init code that returns 32 bytes of what its creator's memory is not.
    const initCode = Buffer.from(assemble("32 0 CODECOPY 32 0 RETURN")).toString("hex");
    const { frame } = await runProgram(
      engine,
      `0x${initCode.padEnd(64, "0")} 0 MSTORE ${initCode.length / 2} 0 0 CREATE`,
    );
    expect(frame?.error).toBe("stackUnderflow");
  });
});

describe.each(ENGINE_NAMES)("return data (%s)", (engine) => {
  const it = onEngine(engine);
  const accounts = [{ address: C, code: assemble("0xabcdef 0 MSTORE 32 0 RETURN") }];

  it("stays while its caller's memory grows over where the child's was", async () => {
    const program = `${calling("CALL", C)} POP 0 NOT 0 MSTORE 0 NOT 32 MSTORE 0 NOT 4096 MSTORE 32 0 64 RETURNDATACOPY 64 MLOAD`;
    expect(await left(engine, program, { accounts })).toBe(0xabcdefn);
  });

  it("goes to the caller's region as far as both reach", async () => {
    const into = (length: number) => `0 NOT 0 MSTORE 0 NOT 32 MSTORE ${length} 16 0 0 0 ${there} GAS CALL POP`;
    const data = 0xabcdefn;
    // The first 16 bytes of the output are zeros: with 8, the next 8 stay.
    expect(await left(engine, `${into(8)} 0 MLOAD`, { accounts })).toBe(
      (((1n << 128n) - 1n) << 128n) | ((1n << 64n) - 1n),
    );
    expect(await left(engine, `${into(40)} 32 MLOAD`, { accounts })).toBe((data << 128n) | ((1n << 128n) - 1n));
    expect(await left(engine, `${into(40)} MSIZE`, { accounts })).toBe(64n);
  });

  it("cannot be copied from beyond its end, not even nothing", async () => {
    const copying = async (operands: string) =>
      (await runProgram(engine, `${calling("CALL", C)} ${operands} RETURNDATACOPY`, { accounts })).result.error;
    expect(await copying("0 32 0")).toBeUndefined();
    expect(await copying("32 0 0")).toBeUndefined();
    expect(await copying("0 33 0")).toBe("outOfBounds");
    expect(await copying("33 0 0")).toBe("outOfBounds");
    expect(await copying("1 32 0")).toBe("outOfBounds");
    expect(await copying(`0 ${FAR} 0`)).toBe("outOfBounds");
    expect(await copying(`1 ${FAR} 0`)).toBe("outOfBounds");
  });

  it("is empty after a call that started no frame, and after one to nobody", async () => {
    const size = (program: string) =>
      left(engine, `${calling("CALL", C)} POP ${program} POP RETURNDATASIZE`, { accounts });
    expect(await size("0")).toBe(32n);
    expect(await size(calling("CALL", C, 1n))).toBe(0n);
    expect(await size(calling("CALL", addressOf(0x77)))).toBe(0n);
    expect(await size("0 0 1 CREATE")).toBe(0n);
  });

  it("is that of the last frame that ended, which may be the caller's own child's child", async () => {
    const through = { address: addressOf(0xdd), code: assemble(`${calling("CALL", C)} 3 0 RETURN`) };
    expect(
      await left(engine, `${calling("CALL", through.address)} POP RETURNDATASIZE`, {
        accounts: [...accounts, through],
      }),
    ).toBe(3n);
  });
});

describe.each(ENGINE_NAMES)("KECCAK256 (%s)", (engine) => {
  const it = onEngine(engine);
  it("is that of all lengths around its blocks, at six gas for each word", async () => {
    for (const length of [0, 1, 31, 32, 33, 64, 135, 136, 137, 271, 272, 273, 1000]) {
      const data = Uint8Array.from({ length }, (_, index) => index * 7 + 1);
      const program = `CALLDATASIZE 0 0 CALLDATACOPY ${length} 0 KECCAK256`;
      expect(await left(engine, program, { message: { data } })).toBe(bytesToBigInt(keccak256(data)));
    }
    expect(await left(engine, `64 MLOAD POP ${priceOf("65 0 KECCAK256")}`)).toBe(AROUND + 6n + 30n + 18n);
  });

  it("of 64 bytes is the same the second time, and another for other bytes", async () => {
    const mapping = (key: number) => `${key} 0 MSTORE 3 32 MSTORE 64 0 KECCAK256`;
    const expected = (key: number) => {
      const bytes = new Uint8Array(64);
      bytes[31] = key;
      bytes[63] = 3;
      return bytesToBigInt(keccak256(bytes));
    };
    expect(await left(engine, `${mapping(1)} ${mapping(2)} POP ${mapping(1)} XOR`)).toBe(0n);
    expect(await left(engine, `${mapping(1)} POP ${mapping(2)}`)).toBe(expected(2));
  });
});
