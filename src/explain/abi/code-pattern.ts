/**
 * Compiled code with gaps for the bytes that deployment fills in: immutables (a PUSH32 of zeros) and addresses of
 * libraries (a PUSH20 of zeros, or of a placeholder in the artifact).
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { compareLongBytes, fromHexDigits } from "../../primitives/platform/encodings.ts";

const PUSH20 = 0x73;
const PUSH32 = 0x7f;

/** Made once for each contract of an artifact. */
export class CodePattern {
  readonly #code: Bytes;
  /** Start and length in bytes of each gap, ascending. */
  readonly #gaps: readonly (readonly [start: number, length: number])[];

  constructor(code: Bytes) {
    this.#code = code;
    this.#gaps = gapsOf(code);
  }

  /** Parses the hex digits of an artifact; placeholders such as `__$…$__` become gaps. Undefined for other text. */
  static parse(text: string): CodePattern | undefined {
    const digits = text.replace(/^0x/, "").replace(/__.{38}/g, "0".repeat(40));
    return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? new CodePattern(fromHexDigits(digits)) : undefined;
  }

  /** The code with zeros in the gaps of libraries. */
  get bytes(): Bytes {
    return this.#code;
  }

  get length(): number {
    return this.#code.length;
  }

  /** True if the code equals this one except in the gaps. */
  matches(code: Bytes): boolean {
    return code.length === this.#code.length && this.begins(code);
  }

  /** True if the code begins with this one, as init code with arguments does. */
  begins(code: Bytes): boolean {
    if (code.length < this.#code.length) return false;
    let position = 0;
    for (const [start, length] of [...this.#gaps, [this.#code.length, 0] as const]) {
      if (compareLongBytes(code.subarray(position, start), this.#code.subarray(position, start)) !== 0) return false;
      position = start + length;
    }
    return true;
  }
}

function gapsOf(code: Bytes): [number, number][] {
  const gaps: [number, number][] = [];
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc] as number;
    if (opcode < 0x60 || opcode > PUSH32) continue;
    const length = opcode - 0x5f;
    const isGap = (opcode === PUSH20 || opcode === PUSH32) && code.subarray(pc + 1, pc + 1 + length).every(isZero);
    if (isGap) gaps.push([pc + 1, length]);
    pc += length;
  }
  return gaps;
}

function isZero(byte: number): boolean {
  return byte === 0;
}
