/** Code made ready to run: where jumps may land and what PUSH pushes. Worked out once per code, not once per frame. */
import type { Bytes } from "../primitives/bytes.ts";

export interface Program {
  readonly code: Bytes;
  /** 1 where a JUMPDEST stands that is not inside PUSH data. */
  readonly jumps: Uint8Array;
  /** Operand of the PUSH at a position; filled when it first runs. */
  readonly pushes: (bigint | undefined)[];
}

/** Programs by the very array their code is in: a state that returns the same array again saves the analysis. */
export class ProgramCache {
  readonly #programs = new WeakMap<Bytes, Program>();

  get(code: Bytes): Program {
    let program = this.#programs.get(code);
    if (program === undefined) {
      program = analyse(code);
      this.#programs.set(code, program);
    }
    return program;
  }
}

/** Makes a program of code. */
export function analyse(code: Bytes): Program {
  const jumps = new Uint8Array(code.length);
  for (let position = 0; position < code.length; position++) {
    const opcode = code[position] as number;
    if (opcode === 0x5b) jumps[position] = 1;
    else if (opcode >= 0x60 && opcode <= 0x7f) position += opcode - 0x5f;
  }
  return { code, jumps, pushes: new Array(code.length) };
}

/** The operand of the PUSH at `position`, right-padded with zeros where the code ends inside it. */
export function readPush(program: Program, position: number): bigint {
  const known = program.pushes[position];
  if (known !== undefined) return known;
  const { code } = program;
  const length = (code[position] as number) - 0x5f;
  let value = 0n;
  if (length <= 6) {
    let small = 0;
    for (let index = 1; index <= length; index++) small = small * 256 + (code[position + index] ?? 0);
    value = BigInt(small);
  } else {
    const bytes = code.subarray(position + 1, position + 1 + length);
    const digits = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
    value = BigInt(`0x${digits.padEnd(length * 2, "0")}`);
  }
  program.pushes[position] = value;
  return value;
}
