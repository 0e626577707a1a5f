/**
 * Recorded steps in the binary format that all engines write and all trace formats read.
 *
 * A step is a record of 96 bytes, little-endian:
 *
 *     0  u32 pc            16  u64 gas before the operation     48  u32 offset in memory that it wrote to
 *     4  u8  opcode        24  u64 cost                         52  u32 bytes that it wrote
 *     5  u8  outcome       32  u64 gas handed to a child frame  56  u32 offset of these bytes in `writes`
 *     6  u8  flags         40  u64 refund counter               60  two u16: the stack items that SWAPN and EXCHANGE
 *     8  u32 frame                                                  swap, counted from 1 at the top
 *    12  u32 memory bytes                                       64  32 bytes: the item it left on top, least
 *                                                                   significant byte first
 *
 * The outcome is a {@link StepOutcome}. The cost is the frame's charge without the gas given to a child; if it could not be
 * paid, the required cost. Memory bytes are the active memory before the operation. Gas fits a JS number, exact below 2^53.
 *
 * A record is complete before a child frame runs. So results of a call or creation (stack, memory, gas) are not in its
 * record; they are derived from the child's frame.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { readWord } from "../primitives/bytes/words.ts";
import type { StepOutcome } from "./frames.ts";

/** Bytes of a record. */
export const STEP_BYTES = 96;
/** The same in 32-bit words, as an index into {@link StepBuffer.words}. */
export const STEP_WORDS = STEP_BYTES / 4;

/** Members of a record: offset in bytes, and type. The class `Step` of the WebAssembly core is generated from them. */
export const STEP_MEMBERS = {
  pc: [0, "u32"],
  opcode: [4, "u8"],
  outcome: [5, "u8"],
  flags: [6, "u8"],
  frame: [8, "u32"],
  memoryBytes: [12, "u32"],
  gas: [16, "i64"],
  cost: [24, "i64"],
  forwarded: [32, "i64"],
  refund: [40, "i64"],
  writeOffset: [48, "u32"],
  writeLength: [52, "u32"],
  writeStart: [56, "u32"],
  items: [60, "u32"],
  word: [64, "word"],
} as const;

const inWords = ([offset]: readonly [offset: number, type: string]): number => offset / 4;

/** Offsets of a record's single bytes. */
export const StepByte = {
  opcode: STEP_MEMBERS.opcode[0],
  outcome: STEP_MEMBERS.outcome[0],
  flags: STEP_MEMBERS.flags[0],
  word: STEP_MEMBERS.word[0],
} as const;

/** Offsets of a record's numbers in 32-bit words; 64-bit numbers take two, the low half first. */
export const StepWord = {
  pc: inWords(STEP_MEMBERS.pc),
  frame: inWords(STEP_MEMBERS.frame),
  memoryBytes: inWords(STEP_MEMBERS.memoryBytes),
  gas: inWords(STEP_MEMBERS.gas),
  cost: inWords(STEP_MEMBERS.cost),
  forwarded: inWords(STEP_MEMBERS.forwarded),
  refund: inWords(STEP_MEMBERS.refund),
  writeOffset: inWords(STEP_MEMBERS.writeOffset),
  writeLength: inWords(STEP_MEMBERS.writeLength),
  writeStart: inWords(STEP_MEMBERS.writeStart),
  items: inWords(STEP_MEMBERS.items),
} as const;

/** Flag of records that have the item on top of the stack. */
export const FLAG_WORD = 1;

const TWO_32 = 2 ** 32;

/** Consecutive steps of one transaction. */
export class StepBuffer {
  /** Index of the first step within the transaction. */
  readonly first: number;
  readonly length: number;
  /** The records. */
  readonly bytes: Uint8Array;
  /** The same as 32-bit words. */
  readonly words: Uint32Array;
  /** Memory writes of the steps, concatenated. */
  readonly writes: Uint8Array;
  /** The records as 64-bit words. */
  readonly #quads: BigUint64Array;

  /**
   * @param bytes - the records, in an array that begins at a multiple of 8 of its buffer
   * @internal
   */
  constructor(first: number, bytes: Uint8Array, writes: Uint8Array) {
    this.first = first;
    this.length = bytes.length / STEP_BYTES;
    this.bytes = bytes;
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    this.#quads = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    this.writes = writes;
  }

  // Rows are counted from 0 in this buffer.

  pc(row: number): number {
    return this.words[row * STEP_WORDS + StepWord.pc] as number;
  }

  opcode(row: number): number {
    return this.bytes[row * STEP_BYTES + StepByte.opcode] as number;
  }

  outcome(row: number): StepOutcome {
    return this.bytes[row * STEP_BYTES + StepByte.outcome] as StepOutcome;
  }

  /** Index of the frame in order of entry, counting those that never started; 0 is the outermost. */
  frame(row: number): number {
    return this.words[row * STEP_WORDS + StepWord.frame] as number;
  }

  memoryBytes(row: number): number {
    return this.words[row * STEP_WORDS + StepWord.memoryBytes] as number;
  }

  gas(row: number): number {
    return this.#number(row, StepWord.gas);
  }

  cost(row: number): number {
    return this.#number(row, StepWord.cost);
  }

  forwarded(row: number): number {
    return this.#number(row, StepWord.forwarded);
  }

  refund(row: number): number {
    return this.#number(row, StepWord.refund);
  }

  #number(row: number, place: number): number {
    const at = row * STEP_WORDS + place;
    return (this.words[at] as number) + (this.words[at + 1] as number) * TWO_32;
  }

  hasWord(row: number): boolean {
    return ((this.bytes[row * STEP_BYTES + StepByte.flags] as number) & FLAG_WORD) !== 0;
  }

  /** The item that the operation left on top; valid if {@link hasWord}. */
  word(row: number): bigint {
    return readWord(this.#quads, (row * STEP_BYTES + StepByte.word) / 8);
  }

  /** The stack items that SWAPN and EXCHANGE swap, counted from 1 at the top. */
  items(row: number): readonly [upper: number, lower: number] {
    const items = this.words[row * STEP_WORDS + StepWord.items] as number;
    return [items & 0xffff, items >>> 16];
  }

  writeLength(row: number): number {
    return this.words[row * STEP_WORDS + StepWord.writeLength] as number;
  }

  writeOffset(row: number): number {
    return this.words[row * STEP_WORDS + StepWord.writeOffset] as number;
  }

  /** The memory write of the step, as a view. */
  written(row: number): Bytes {
    const start = this.words[row * STEP_WORDS + StepWord.writeStart] as number;
    return this.writes.subarray(start, start + this.writeLength(row));
  }
}
