/**
 * A small EVM assembler for tests: readable programs instead of hex.
 *
 * Words are separated by white space: an opcode by name; a number or `0x…`, pushed with the fewest bytes (hex digits as
 * written); `name:`, a JUMPDEST that can be named; `@name`, its place as a PUSH2; `[…]`, raw bytes of hex. `;` starts a
 * comment.
 */

import { instructionOf } from "../../src/evm/instructions.ts";
import { type Bytes, bigIntToBytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";

const OPCODES: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 256 }, (_, opcode): [string, number] => [instructionOf(opcode).name, opcode]).filter(
    ([name]) => name !== "INVALID",
  ),
  ["INVALID", 0xfe],
]);

/** Bytecode of a program. */
export function assemble(source: string): Bytes {
  const words = source
    .split("\n")
    .flatMap((line) => (line.split(";")[0] ?? "").split(/\s+/))
    .filter((word) => word !== "");
  const labels = new Map<string, number>();
  let position = 0;
  for (const word of words) {
    if (word.endsWith(":")) labels.set(word.slice(0, -1), position);
    position += encodeWord(word, new Map()).length;
  }
  return concatBytes(...words.map((word) => encodeWord(word, labels)));
}

function encodeWord(word: string, labels: ReadonlyMap<string, number>): Bytes {
  if (word.endsWith(":")) return Uint8Array.of(0x5b);
  if (word.startsWith("@")) {
    const target = labels.get(word.slice(1)) ?? 0;
    return Uint8Array.of(0x61, target >> 8, target & 0xff);
  }
  if (word.startsWith("[")) return fromHex(word.slice(1, -1));
  if (word.startsWith("0x")) return pushOf(fromHex(word.slice(2)));
  if (/^[0-9]+$/.test(word)) return pushOf(word === "0" ? Uint8Array.of(0) : bigIntToBytes(BigInt(word)));
  const opcode = OPCODES.get(word);
  if (opcode === undefined) throw new TypeError(`assemble: unknown word ${word}`);
  return Uint8Array.of(opcode);
}

function pushOf(bytes: Bytes): Bytes {
  return concatBytes(Uint8Array.of(0x5f + bytes.length), bytes);
}

/** The bytes of hex digits, with or without `0x`. */
export function fromHex(digits: string): Bytes {
  // Buffer drops half a byte in silence.
  if (digits.length % 2 !== 0) throw new TypeError(`assemble: ${digits} is not whole bytes`);
  return new Uint8Array(Buffer.from(digits.replace(/^0x/, ""), "hex"));
}

/** Init code that deploys a runtime code. */
export function deploying(runtime: Bytes): Bytes {
  const length = runtime.length;
  const copy = `[61${length.toString(16).padStart(4, "0")}] DUP1 [61000d] 0 CODECOPY 0 RETURN`;
  return concatBytes(assemble(copy), runtime);
}

/** Words that call an address with all gas: `kind` is CALL, CALLCODE, DELEGATECALL or STATICCALL. The flag is left. */
export function calling(kind: string, address: Bytes, value?: bigint): string {
  const target = `0x${Buffer.from(address).toString("hex")}`;
  const hasValue = kind === "CALL" || kind === "CALLCODE";
  return `0 0 0 0 ${hasValue ? (value ?? 0n).toString() : ""} ${target} GAS ${kind}`;
}

/** Words that store bytes (at most 32) at the start of memory, left-aligned. */
export function storing(bytes: Bytes): string {
  return `0x${Buffer.from(bytes).toString("hex").padEnd(64, "0")} 0 MSTORE`;
}
