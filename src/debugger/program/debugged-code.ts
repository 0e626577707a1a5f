/** A code that ran in the transaction: with its source if it is known, and always as a list of instructions. */

import { isCreation } from "../../evm/frames.ts";
import { instructionOf, isKnownOpcode } from "../../evm/instructions.ts";
import type { ContractFinder, FoundContract } from "../../explain/source/contract-finder.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { toHexDigits } from "../../primitives/platform/encodings.ts";
import type { CallFrame } from "../../tracer/recording.ts";

/** One for each code that ran, however many frames ran it. */
export class DebuggedCode {
  /** Position among the codes of the transaction. */
  readonly index: number;
  readonly bytes: Bytes;
  /** Undefined if no build has this code. */
  readonly found: FoundContract | undefined;
  /** The name of the contract, or the address of the first account that ran this code. */
  readonly name: string;
  #pcs: readonly number[] | undefined;
  #rows: Int32Array | undefined;

  constructor(index: number, bytes: Bytes, found: FoundContract | undefined, name: string) {
    this.index = index;
    this.bytes = bytes;
    this.found = found;
    this.name = name;
  }

  /** Positions of the instructions. */
  get pcs(): readonly number[] {
    if (this.#pcs !== undefined) return this.#pcs;
    const pcs: number[] = [];
    for (let pc = 0; pc < this.bytes.length; pc += 1 + instructionOf(this.bytes[pc] ?? 0).immediate) pcs.push(pc);
    this.#pcs = pcs;
    return pcs;
  }

  /** The line of the disassembly, from 1, that has an instruction. */
  lineOf(pc: number): number {
    if (this.#rows === undefined) {
      this.#rows = new Int32Array(this.bytes.length + 1);
      for (const [row, at] of this.pcs.entries()) this.#rows[at] = row + 1;
    }
    // Past its end, code is an implicit STOP.
    return this.#rows[pc] || this.pcs.length + 1;
  }

  /** An instruction as text, such as `PUSH1 0x40`; `STOP` past the end. */
  textOf(pc: number): string {
    const opcode = this.bytes[pc] ?? 0;
    if (!isKnownOpcode(opcode)) return `INVALID 0x${opcode.toString(16).padStart(2, "0")}`;
    const { name, immediate } = instructionOf(opcode);
    return immediate === 0 ? name : `${name} 0x${toHexDigits(this.bytes.subarray(pc + 1, pc + 1 + immediate))}`;
  }

  /** The whole disassembly, one instruction a line. */
  get text(): string {
    const width = Math.max(4, this.bytes.length.toString(16).length);
    return this.pcs.map((pc) => `${pc.toString(16).padStart(width, "0")}  ${this.textOf(pc)}`).join("\n");
  }
}

/** Finds the code of frames, the same object for equal codes. */
export class CodeTable {
  readonly #finder: ContractFinder;
  readonly #codes = new Map<string, DebuggedCode>();
  readonly #byBytes = new Map<Bytes, DebuggedCode>();

  constructor(finder: ContractFinder) {
    this.#finder = finder;
  }

  get all(): readonly DebuggedCode[] {
    return [...this.#codes.values()];
  }

  of({ kind, code, to }: CallFrame): DebuggedCode {
    const known = this.#byBytes.get(code);
    if (known !== undefined) return known;
    const isInit = isCreation(kind);
    const key = `${isInit}${bytesKey(code)}`;
    let debugged = this.#codes.get(key);
    if (debugged === undefined) {
      const found = isInit ? this.#finder.findCreation(code) : this.#finder.findRuntime(code);
      const place = to === undefined ? "unknown contract" : checksumAddress(to);
      const name = found?.contract.name ?? (isInit ? `creation of ${place}` : place);
      debugged = new DebuggedCode(this.#codes.size, code, found, name);
      this.#codes.set(key, debugged);
    }
    this.#byBytes.set(code, debugged);
    return debugged;
  }
}
