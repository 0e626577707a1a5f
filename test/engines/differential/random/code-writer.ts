/** Writes code in fragments, which can be left out one by one without breaking the others. */
import { Op } from "../../../../src/evm/opcodes.ts";
import { type Bytes, bigIntToBytes, concatBytes } from "../../../../src/primitives/bytes.ts";

/** Consecutive code whose jumps stay within it. */
export interface Fragment {
  readonly bytes: Bytes;
  /** Offsets of two-byte operands to which the fragment's own place in the program is added. */
  readonly targets: readonly number[];
}

/** Code, fragment by fragment. */
export type Program = readonly Fragment[];

/** The code of a program. */
export function codeOf(program: Program): Bytes {
  const code = concatBytes(...program.map(({ bytes }) => bytes));
  let place = 0;
  for (const { bytes, targets } of program) {
    for (const target of targets) {
      const at = place + target;
      const destination = place + (code[at] as number) * 256 + (code[at + 1] as number);
      code[at] = destination >> 8;
      code[at + 1] = destination & 0xff;
    }
    place += bytes.length;
  }
  return code;
}

/** A place in the fragment that is being written. */
export interface Label {
  place: number | undefined;
}

export class CodeWriter {
  readonly #bytes: number[] = [];
  readonly #uses: { readonly at: number; readonly label: Label }[] = [];
  /** True where PUSH0 may stand for a zero (EIP-3855). */
  readonly #hasPush0: boolean;

  constructor(hasPush0: boolean) {
    this.#hasPush0 = hasPush0;
  }

  op(...opcodes: readonly number[]): void {
    this.#bytes.push(...opcodes);
  }

  raw(bytes: Bytes): void {
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** A push of a number, with as few bytes as it needs. */
  push(value: number | bigint): void {
    if (value === 0 || value === 0n) {
      if (this.#hasPush0) this.op(Op.PUSH0);
      else this.op(Op.PUSH1, 0);
      return;
    }
    this.pushBytes(bigIntToBytes(BigInt(value)));
  }

  /** A push of 1 to 32 bytes. */
  pushBytes(bytes: Bytes): void {
    this.op(Op.PUSH0 + bytes.length);
    this.raw(bytes);
  }

  newLabel(): Label {
    return { place: undefined };
  }

  /** A push of a place, in two bytes. */
  pushLabel(label: Label): void {
    this.op(Op.PUSH1 + 1);
    this.#uses.push({ at: this.#bytes.length, label });
    this.op(0, 0);
  }

  /** JUMPDEST, named by a label. */
  place(label: Label): void {
    label.place = this.#bytes.length;
    this.op(Op.JUMPDEST);
  }

  /** What was written since the last call. */
  take(): Fragment {
    for (const { at, label } of this.#uses) {
      const place = label.place ?? 0;
      this.#bytes[at] = place >> 8;
      this.#bytes[at + 1] = place & 0xff;
    }
    const fragment = { bytes: Uint8Array.from(this.#bytes), targets: this.#uses.map(({ at }) => at) };
    this.#bytes.length = 0;
    this.#uses.length = 0;
    return fragment;
  }
}
