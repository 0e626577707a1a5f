/** Writes bytecode: operations, pushes, jumps to labels, and data behind the code. */
import { Op } from "../../../../src/evm/opcodes.ts";
import { type Bytes, bigIntToBytes } from "../../../../src/primitives/bytes/bytes.ts";

/** A place in the code that is being written. */
export interface Label {
  place: number | undefined;
}

export class CodeWriter {
  readonly #bytes: number[] = [];
  readonly #uses: { readonly at: number; readonly label: Label }[] = [];
  readonly #data: { readonly label: Label; readonly bytes: Bytes }[] = [];
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

  /** Pushes a number in as few bytes as it needs. */
  push(value: number | bigint): void {
    if (value !== 0 && value !== 0n) this.pushBytes(bigIntToBytes(BigInt(value)));
    else if (this.#hasPush0) this.op(Op.PUSH0);
    else this.op(Op.PUSH1, 0);
  }

  /** Pushes 1 to 32 bytes. */
  pushBytes(bytes: Bytes): void {
    this.op(Op.PUSH0 + bytes.length);
    this.raw(bytes);
  }

  /** Pushes a place, in two bytes. */
  pushLabel(label: Label): void {
    this.op(Op.PUSH1 + 1);
    this.#uses.push({ at: this.#bytes.length, label });
    this.op(0, 0);
  }

  /** Writes a JUMPDEST that a label names. */
  place(label: Label): void {
    label.place = this.#bytes.length;
    this.op(Op.JUMPDEST);
  }

  /** Copies bytes from behind the code to memory. */
  store(bytes: Bytes, offset: number): void {
    const label: Label = { place: undefined };
    this.#data.push({ label, bytes });
    this.push(bytes.length);
    this.pushLabel(label);
    this.push(offset);
    this.op(Op.CODECOPY);
  }

  /** The code, with its data. */
  code(): Bytes {
    for (const { label, bytes } of this.#data) {
      label.place = this.#bytes.length;
      this.raw(bytes);
    }
    for (const { at, label } of this.#uses) {
      const place = label.place ?? 0;
      this.#bytes[at] = place >> 8;
      this.#bytes[at + 1] = place & 0xff;
    }
    return Uint8Array.from(this.#bytes);
  }
}
