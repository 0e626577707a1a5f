/** Instructions on words, compared with the integers of the yellow paper (appendix H.2). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { Op } from "../../../src/evm/opcodes.ts";
import { type Bytes, bytesToBigInt, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { assemble } from "../../support/assembler.ts";
import { runCode, word } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { runs, sweep } from "../../support/seed.ts";

const BITS = 256n;
const MODULUS = 1n << BITS;
const signed = (value: bigint): bigint => BigInt.asIntN(256, value);
const flag = (condition: boolean): bigint => (condition ? 1n : 0n);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let factor = base, rest = exponent; rest > 0n; factor = (factor * factor) % MODULUS, rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % MODULUS;
  }
  return result;
}

/** Instructions of one, two and three operands; the first is the top of the stack. */
const MEANING: Readonly<Record<string, (a: bigint, b: bigint, c: bigint) => bigint>> = {
  ADD: (a, b) => a + b,
  MUL: (a, b) => a * b,
  SUB: (a, b) => a - b,
  DIV: (a, b) => (b === 0n ? 0n : a / b),
  SDIV: (a, b) => (b === 0n ? 0n : signed(a) / signed(b)),
  MOD: (a, b) => (b === 0n ? 0n : a % b),
  SMOD: (a, b) => (b === 0n ? 0n : signed(a) % signed(b)),
  ADDMOD: (a, b, c) => (c === 0n ? 0n : (a + b) % c),
  MULMOD: (a, b, c) => (c === 0n ? 0n : (a * b) % c),
  EXP: power,
  SIGNEXTEND: (a, b) => (a > 30n ? b : BigInt.asIntN(Number(a) * 8 + 8, b)),
  LT: (a, b) => flag(a < b),
  GT: (a, b) => flag(a > b),
  SLT: (a, b) => flag(signed(a) < signed(b)),
  SGT: (a, b) => flag(signed(a) > signed(b)),
  EQ: (a, b) => flag(a === b),
  ISZERO: (a) => flag(a === 0n),
  AND: (a, b) => a & b,
  OR: (a, b) => a | b,
  XOR: (a, b) => a ^ b,
  NOT: (a) => ~a,
  BYTE: (a, b) => (a > 31n ? 0n : (b >> (248n - a * 8n)) & 0xffn),
  SHL: (a, b) => (a >= BITS ? 0n : b << a),
  SHR: (a, b) => (a >= BITS ? 0n : b >> a),
  SAR: (a, b) => signed(b) >> (a >= BITS ? BITS - 1n : a),
  CLZ: (a) => BITS - BigInt(a === 0n ? 0 : a.toString(2).length),
};

const operand = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: MODULUS - 1n }) },
  // Of any length, at most some bits away from a power of two: where carries and signs change.
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.bigInt({ min: 0n, max: 256n }), fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
      .map(([bits, more, isNegative]) =>
        BigInt.asUintN(256, isNegative ? -((1n << bits) + more) : (1n << bits) + more),
      ),
  },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) },
  // A divisor whose highest lane is full makes the estimates of long division wrong most often.
  {
    weight: 1,
    arbitrary: fc.bigInt({ min: 0n, max: (1n << 192n) - 1n }).map((low) => low | (((1n << 64n) - 1n) << 64n)),
  },
  // Limbs at their extremes, where the rare steps of long division are taken: estimates above a limb, or one too many.
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.oneof(
          fc.constantFrom(0n, 1n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 2n, (1n << 64n) - 1n),
          fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((limbs) => limbs.reduce((sum, limb) => (sum << 64n) | limb, 0n)),
  },
);

interface Operation {
  readonly name: string;
  readonly operands: readonly [bigint, bigint, bigint];
}

const operation = fc.record({
  name: fc.constantFrom(...Object.keys(MEANING)),
  operands: fc.tuple(operand, operand, operand),
});

/** Code that does some operations and returns their results, each a word. */
function programOf(operations: readonly Operation[], hasConstants: boolean): Bytes {
  const parts = operations.map(({ name, operands }, index) => {
    const opcode = Op[name as keyof typeof Op];
    const pushes = operands.toReversed().map((value) => (hasConstants ? short(value) : wide(value)));
    return concatBytes(...pushes, Uint8Array.of(opcode), assemble(`${index * 32} MSTORE`));
  });
  return concatBytes(...parts, assemble(`${operations.length * 32} 0 RETURN`));
}

/** A PUSH of as few bytes as there are, which engines may melt into the instruction behind it. */
function short(value: bigint): Bytes {
  const digits = value.toString(16);
  return assemble(`0x${digits.padStart(digits.length + (digits.length % 2), "0")}`);
}

/** The same word, with instructions between its PUSH and what takes it. */
function wide(value: bigint): Bytes {
  return concatBytes(Uint8Array.of(Op.PUSH32), word(value), assemble("DUP1 SWAP1 POP"));
}

async function results(engine: EngineName, operations: readonly Operation[], hasConstants: boolean): Promise<bigint[]> {
  const { result } = await runCode({
    engine,
    hardfork: "osaka",
    code: programOf(operations, hasConstants),
    message: { gasLimit: 10_000_000n },
    record: false,
  });
  expect(result.error).toBeUndefined();
  return operations.map((_, index) => bytesToBigInt(result.output.subarray(index * 32, index * 32 + 32)));
}

describe.each(ENGINE_NAMES)("an instruction on words (%s)", (engine) => {
  const it = onEngine(engine);
  it("computes what the yellow paper says, of constants and of others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 60, maxLength: 60 }),
        fc.boolean(),
        async (operations, isShort) => {
          const computed = await results(engine, operations, isShort);
          operations.forEach((each, index) => {
            const [a, b, c] = each.operands;
            const expected = BigInt.asUintN(256, MEANING[each.name]?.(a, b, c) ?? -1n);
            expect({ ...each, is: computed[index] }).toEqual({ ...each, is: expected });
          });
        },
      ),
      { numRuns: runs(60) },
    );
  });

  // Those of EthereumJS are its own affair: a few show that its runs are compared.
  const names = sweep(
    Object.keys(MEANING),
    (name) => engine === "wasm" || ["ADD", "SDIV", "ADDMOD", "NOT"].includes(name),
  );

  it.each(names)("computes it of the extremes, too: %s", async (name) => {
    const extremes = [
      0n,
      1n,
      31n,
      32n,
      255n,
      256n,
      1n << 64n,
      1n << 255n,
      (1n << 255n) - 1n,
      MODULUS - 1n,
      MODULUS - 2n,
    ];
    const operations = extremes.flatMap((a) =>
      extremes.flatMap((b) => [7n, 0n, MODULUS - 1n].map((c) => ({ name, operands: [a, b, c] as const }))),
    );
    const computed = await results(engine, operations, false);
    operations.forEach(({ operands: [a, b, c] }, index) => {
      expect([a, b, c, computed[index]]).toEqual([a, b, c, BigInt.asUintN(256, MEANING[name]?.(a, b, c) ?? -1n)]);
    });
  });
});

describe.each(ENGINE_NAMES)("a word in memory (%s)", (engine) => {
  it("is read as it was written, wherever it is, and touches nothing beside it", async () => {
    await fc.assert(
      fc.asyncProperty(operand, fc.integer({ min: 0, max: 100 }), async (value, offset) => {
        const filled = "0 NOT 0 MSTORE 0 NOT 32 MSTORE 0 NOT 64 MSTORE 0 NOT 96 MSTORE 0 NOT 128 MSTORE";
        const store = `0x${value.toString(16).padStart(64, "0")} ${offset} MSTORE ${offset} MLOAD 160 MSTORE 192 0 RETURN`;
        const { result } = await runCode({ engine, code: assemble(`${filled} ${store}`), record: false });
        const expected = new Uint8Array(192).fill(0xff);
        expected.set(word(value), offset);
        expected.set(word(value), 160);
        expect(Buffer.from(result.output).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
      }),
    );
  });
});
