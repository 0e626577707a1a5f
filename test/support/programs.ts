/** Random EVM programs for property tests: mostly meaningful, so that they get somewhere, sometimes raw bytes. */
import fc from "fast-check";
import { instructionOf, isKnownOpcode } from "../../src/evm/instructions.ts";
import { type Bytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { addressOf, TARGET } from "./evm.ts";
import { PRECOMPILES, precompileCall } from "./precompile-calls.ts";

/** Addresses that random programs call: themselves, two other contracts, precompiles, nobody. */
export const OTHERS: readonly Bytes[] = [addressOf(0x11), addressOf(0x22)];
const CALLED: readonly Bytes[] = [TARGET, ...OTHERS, addressOf(0x99)];

const push = (bytes: Bytes): Bytes => concatBytes(Uint8Array.of(0x5f + bytes.length), bytes);

const small = fc.integer({ min: 0, max: 255 }).map((value) => push(Uint8Array.of(value)));
const offset = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 300 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
  )
  .map((value) => push(Uint8Array.of(value >> 16, (value >> 8) & 0xff, value & 0xff)));
const wide = fc.uint8Array({ minLength: 1, maxLength: 32 }).map((bytes) => push(Uint8Array.from(bytes)));
const extreme = fc
  .constantFrom("ff".repeat(32), `80${"00".repeat(31)}`, `7f${"ff".repeat(31)}`, `01${"00".repeat(16)}`, "0100000000")
  .map((digits) => push(new Uint8Array(Buffer.from(digits, "hex"))));
const called = fc.oneof(fc.constantFrom(...CALLED), fc.constantFrom(...PRECOMPILES)).map(push);

const operand = fc.oneof(
  { weight: 5, arbitrary: small },
  { weight: 2, arbitrary: offset },
  { weight: 2, arbitrary: wide },
  { weight: 1, arbitrary: extreme },
  { weight: 1, arbitrary: called },
);

/** Opcodes that end the frame or, with random operands, nearly always do. */
const ENDING: readonly number[] = [0x00, 0x3e, 0x56, 0x57, 0xf3, 0xfd, 0xfe, 0xff];
const opcodes = Array.from({ length: 256 }, (_, opcode) => opcode).filter(isKnownOpcode);
const lasting = opcodes.filter((opcode) => !ENDING.includes(opcode));

/** An opcode with its operands pushed before it. */
const servedFrom = (choice: readonly number[]) =>
  fc.constantFrom(...choice).chain((opcode) => {
    const pops = Math.min(instructionOf(opcode).pops, 17);
    const isSmallRegion =
      pops > 0 &&
      (opcode === 0x20 || (opcode >= 0x37 && opcode <= 0x3e) || (opcode >= 0x51 && opcode <= 0x53) || opcode >= 0xa0);
    return fc
      .array(isSmallRegion ? fc.oneof({ weight: 8, arbitrary: small }, { weight: 1, arbitrary: operand }) : operand, {
        minLength: pops,
        maxLength: pops,
      })
      .map((operands) => concatBytes(...operands, Uint8Array.of(opcode)));
  });

/** A call with a sensible number of everything. */
const call = fc
  .tuple(
    fc.constantFrom(0xf1, 0xf2, 0xf4, 0xfa),
    called,
    fc.constantFrom(0, 0, 0, 1, 200),
    fc.array(small, { minLength: 4, maxLength: 4 }),
    offset,
  )
  .map(([opcode, target, value, regions, gas]) =>
    concatBytes(
      ...regions,
      ...(opcode <= 0xf2 ? [push(Uint8Array.of(value))] : []),
      target,
      gas,
      Uint8Array.of(opcode),
    ),
  );

/** A creation whose init code is what happens to be in memory. */
const creation = fc
  .tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom(0xf0, 0xf5), small)
  .map(([init, opcode, salt]) =>
    concatBytes(
      push(Uint8Array.from(init)),
      push(Uint8Array.of(0)),
      Uint8Array.of(0x52),
      ...(opcode === 0xf5 ? [salt] : []),
      push(Uint8Array.of(32)),
      push(Uint8Array.of(0)),
      push(Uint8Array.of(0)),
      Uint8Array.of(opcode),
    ),
  );

/** Stores and loads in few slots with few values, so that every case of the storage gas rules comes up. */
const storage = fc
  .tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(0, 0, 1, 5, 5, 7), fc.constantFrom(0x55, 0x55, 0x54))
  .map(([slot, value, opcode]) => Uint8Array.of(0x60, value, 0x60, slot, opcode));

/** The same in slots of a mapping: what is stored under a hash, and stored there anew. */
const mapping = fc
  .tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(0, 1, 7), fc.constantFrom("54", "608090805450", "80548055"))
  .map(([key, value, use]) =>
    concatBytes(
      Uint8Array.of(0x60, key, 0x60, 0x00, 0x52, 0x60, 0x20, 0x60, 0x00, 0x20, 0x80, 0x60, value, 0x90, 0x55),
      new Uint8Array(Buffer.from(use, "hex")),
    ),
  );

const raw = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Uint8Array.from(bytes));
/** Something about the stack alone, which has two items for it. */
const shuffle = fc
  .tuple(small, small, fc.constantFrom(0x50, 0x5b, 0x80, 0x81, 0x90, 0x5f, 0x5a, 0x59, 0x58))
  .map(([first, second, opcode]) => concatBytes(first, second, Uint8Array.of(opcode)));

/** Fragments that seldom end their frame. */
const harmless = fc.oneof(
  { weight: 4, arbitrary: precompileCall },
  { weight: 2, arbitrary: storage },
  { weight: 1, arbitrary: mapping },
  { weight: 1, arbitrary: call },
  // SELFBALANCE
  { weight: 1, arbitrary: fc.constant(Uint8Array.of(0x47, 0x60, 0x07, 0x55)) },
);

const fragment = fc.oneof(
  { weight: 30, arbitrary: servedFrom(lasting) },
  { weight: 1, arbitrary: servedFrom(ENDING) },
  { weight: 9, arbitrary: call },
  { weight: 6, arbitrary: precompileCall },
  { weight: 3, arbitrary: creation },
  { weight: 9, arbitrary: storage },
  { weight: 4, arbitrary: mapping },
  { weight: 9, arbitrary: shuffle },
  { weight: 1, arbitrary: raw },
);

/** Bytecode of up to about 40 fragments, some of it such that it comes to its end. */
export const programs: fc.Arbitrary<Bytes> = fc
  .oneof(
    { weight: 2, arbitrary: fc.array(fragment, { minLength: 1, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.array(harmless, { minLength: 1, maxLength: 15 }) },
  )
  .map((fragments) => concatBytes(...fragments));
