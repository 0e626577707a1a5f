/**
 * The stack of one frame as text: `"0x1","0x2",`, bottom first, with a comma after each item.
 *
 * It repeats the stack operations on the text: an item is encoded once, when it is pushed, and copied afterwards.
 */
import { instructionOf } from "../../../evm/instructions.ts";
import { isDup, isSwap, Op } from "../../../evm/opcodes.ts";
import { FLAG_WORD, STEP_BYTES, STEP_WORDS, type StepBuffer, StepByte, StepWord } from "../../../evm/step-buffer.ts";
import { WORD_QUADS, writeWord as writeBinaryWord } from "../../../primitives/bytes/words.ts";
import { toLatin1 } from "../../../primitives/platform/encodings.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { resultWord } from "../../../tracer/recording.ts";
import { writeText, writeWord } from "../stream/ascii.ts";
import type { TextWriter } from "../stream/text-writer.ts";

const { DUP1, SWAP1, SWAPN, EXCHANGE } = Op;

const POPS = Uint8Array.from({ length: 256 }, (_, opcode) => instructionOf(opcode).pops);
/** DUP1 to DUP16 are 1 to 16, SWAP1 to SWAP16 are -1 to -16. The items of SWAPN and EXCHANGE are in their records. */
const BY_RECORD = -128;
const MOVES = Int8Array.from({ length: 256 }, (_, opcode) => {
  if (opcode === SWAPN || opcode === EXCHANGE) return BY_RECORD;
  if (isDup(opcode)) return opcode - DUP1 + 1;
  return isSwap(opcode) ? SWAP1 - opcode - 1 : 0;
});
/** Offset of a record's word, in 32-bit words. */
const WORD_AT = StepByte.word / 4;
const MAX_ITEMS = 1024;
const FIRST_BYTES = 8192;
/** Upper bound of the bytes one operation writes: a swap rewrites up to 17 items of 70 bytes. */
const ROOM = 2048;
/** The same for SWAPN, which reaches 236 items deep. */
const DEEP_ROOM = 32_768;
const COMMA = 0x2c;
const NINE = 0x39;

/** The stack of an open frame as text. */
export class StackText {
  height = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  /** The text up to {@link end}, which ends with a comma unless it is empty. Seven bytes beyond it are readable. */
  view = new DataView(this.#bytes.buffer);
  end = 0;
  /** Offset of each item, and of the end of the text. */
  readonly #starts = new Int32Array(MAX_ITEMS + 2);
  /** The result that a call or creation pushes. */
  readonly #result = new BigUint64Array(WORD_QUADS);
  readonly #resultWords = new Uint32Array(this.#result.buffer);

  clear(): void {
    this.height = 0;
    this.end = 0;
  }

  /**
   * Applies a completed operation to the stack.
   *
   * @param child - frame that a call or creation started, or tried to start
   */
  apply({ bytes, words }: StepBuffer, row: number, child: CallFrame | undefined): void {
    const starts = this.#starts;
    const record = row * STEP_BYTES;
    const opcode = bytes[record + StepByte.opcode] as number;
    const move = MOVES[opcode] as number;
    if (this.end + ROOM > this.#bytes.length) this.#grow();
    const { view } = this;
    let at = this.end;
    if (move > 0) {
      const start = starts[this.height - move] as number;
      at = writeText(view, at, view, start, (starts[this.height - move + 1] as number) - 1 - start);
    } else if (move < 0) {
      if (move === BY_RECORD) this.#swapNamed(words[row * STEP_WORDS + StepWord.items] as number);
      else this.#swap(1, 1 - move);
      return;
    } else {
      this.height -= POPS[opcode] as number;
      at = starts[this.height] as number;
      if (child !== undefined) at = writeWord(view, at, this.#resultOf(child), 0);
      else if (((bytes[record + StepByte.flags] as number) & FLAG_WORD) !== 0) {
        at = writeWord(view, at, words, row * STEP_WORDS + WORD_AT);
      } else {
        this.end = at;
        return;
      }
    }
    view.setUint8(at, COMMA);
    this.end = at + 1;
    starts[++this.height] = at + 1;
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  #resultOf(child: CallFrame): Uint32Array {
    writeBinaryWord(this.#result, 0, resultWord(child));
    return this.#resultWords;
  }

  /** Swaps the two items named in a record (`evm/step-buffer.ts`). */
  #swapNamed(items: number): void {
    while (this.end + DEEP_ROOM > this.#bytes.length) this.#grow();
    this.#swap(items & 0xffff, items >>> 16);
  }

  /** Swaps two items, counted from 1 at the top. */
  #swap(first: number, second: number): void {
    const { view, end } = this;
    const starts = this.#starts;
    const top = this.height - first;
    const other = this.height - second;
    const lower = starts[other] as number;
    const behindLower = starts[other + 1] as number;
    const upper = starts[top] as number;
    const behindUpper = first === 1 ? end : (starts[top + 1] as number);
    // Writes the upper item, those between and the lower item after the text, then copies them over the old ones.
    let at = writeText(view, end, view, upper, behindUpper - upper);
    at = writeText(view, at, view, behindLower, upper - behindLower);
    at = writeText(view, at, view, lower, behindLower - lower);
    if (first !== 1) writeText(view, at, view, behindUpper, end - behindUpper);
    writeText(view, lower, view, end, end - lower);
    const shift = behindUpper - upper - (behindLower - lower);
    if (shift !== 0)
      for (let index = other + 1; index <= top; index++) starts[index] = (starts[index] as number) + shift;
  }

  /** Writes all items without a comma at the end. */
  writeTo(target: TextWriter): void {
    if (this.height > 0) target.copy(this.#bytes, this.view, 0, this.end - 1);
  }

  /** Writes the topmost items, deepest first, without a comma at the end. */
  writeTop(target: TextWriter, count: number): void {
    if (count === 0) return;
    const start = this.#starts[this.height - count] as number;
    target.copy(this.#bytes, this.view, start, this.end - 1);
  }

  /** As {@link writeTop}, at an offset; returns the offset after it. The caller must have reserved room. */
  writeTopAt(view: DataView, at: number, count: number): number {
    if (count === 0) return at;
    const start = this.#starts[this.height - count] as number;
    return writeText(view, at, this.view, start, this.end - 1 - start);
  }

  /** Hexadecimal digits of an item without `0x`; item 0 is the top. */
  digits(index: number): string {
    const item = this.height - 1 - index;
    if (item < 0) return "0";
    const start = (this.#starts[item] as number) + 3;
    const end = (this.#starts[item + 1] as number) - 2;
    return toLatin1(new Uint8Array(this.#bytes.buffer, start, end - start));
  }

  /** An item that is an offset or a length, as a number; item 0 is the top. */
  number(index: number): number {
    const item = this.height - 1 - index;
    const end = (this.#starts[item + 1] as number) - 2;
    let value = 0;
    for (let at = (this.#starts[item] as number) + 3; at < end; at++) {
      const digit = this.#bytes[at] as number;
      value = value * 16 + (digit & 15) + (digit > NINE ? 9 : 0);
    }
    return value;
  }
}
