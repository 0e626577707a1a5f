/** Init codes that make and call what they need, so that a node runs them on any state. */
import { instructionOf } from "../../evm/instructions.ts";
import { type Bytes, bigIntToBytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";

/** An opcode by name, or a number to push. */
type Word = string | bigint | number;

const OPCODES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, opcode): [string, number] => [instructionOf(opcode).name, opcode]).filter(
    ([name]) => name !== "INVALID",
  ),
);

/** Code of some words. */
export function program(...words: readonly Word[]): Bytes {
  return concatBytes(...words.map((word) => (typeof word === "string" ? opcode(word) : push(BigInt(word)))));
}

function opcode(name: string): Bytes {
  const number = OPCODES.get(name);
  if (number === undefined) throw new TypeError(`There is no opcode ${name}.`);
  return Uint8Array.of(number);
}

/** Not PUSH0, which older hardforks do not have. */
function push(value: bigint): Bytes {
  const bytes = value === 0n ? Uint8Array.of(0) : bigIntToBytes(value);
  return concatBytes(Uint8Array.of(0x5f + bytes.length), bytes);
}

/** Two bytes for any number of them, so that a code's length does not depend on what is pushed. */
function push2(value: number): Bytes {
  return Uint8Array.of(0x61, value >> 8, value & 0xff);
}

/** Init code that leaves a code. */
function deploying(runtime: Bytes): Bytes {
  const head = (offset: number) =>
    concatBytes(push2(runtime.length), program("DUP1"), push2(offset), program(0, "CODECOPY", 0, "RETURN"));
  return concatBytes(head(head(0).length), runtime);
}

/** Init code that makes a contract of a code, and calls it without value. */
export function callingNew(runtime: Bytes): Hex {
  const child = deploying(runtime);
  const head = (offset: number) =>
    concatBytes(
      push2(child.length),
      push2(offset),
      program(0, "CODECOPY"),
      push2(child.length),
      program(0, 0, "CREATE", 0, 0, 0, 0, 0, "DUP6", "GAS", "CALL", "STOP"),
    );
  return encodeData(concatBytes(head(head(0).length), child));
}
