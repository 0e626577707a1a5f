/**
 * The stack of one frame as text: `"0x1","0x2",` bottom first, each item with a comma behind it.
 *
 * Follows what operations do, so that an item is encoded once, when it is pushed, and copied from then on.
 */
import { isCreation } from "../../evm/frames.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { isDup, isSwap, Op } from "../../evm/opcodes.ts";
import { FLAG_WORD, STEP_BYTES, STEP_WORDS, type StepBuffer, StepByte } from "../../evm/step-buffer.ts";
import { EMPTY_BYTES } from "../../primitives/bytes.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import { copyText } from "./kept-text.ts";
import { TextWriter } from "./text-writer.ts";

const POPS = Uint8Array.from({ length: 256 }, (_, opcode) => instructionOf(opcode).pops);
/** DUP1 to DUP16 are 1 to 16, SWAP1 to SWAP16 -1 to -16. */
const MOVES = Int8Array.from({ length: 256 }, (_, opcode) => {
  if (isDup(opcode)) return opcode - Op.DUP1 + 1;
  return isSwap(opcode) ? Op.SWAP1 - opcode - 1 : 0;
});
/** Where a record's word begins, in 32-bit words. */
const WORD_AT = StepByte.word / 4;
const WORD_DIGITS = 64;
const EIGHT_ZEROS = Buffer.from("00000000").readDoubleLE();
const MAX_ITEMS = 1024;
const FIRST_BYTES = 8192;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_A = 0x61;

export class StackText {
  height = 0;
  /** Ends with a comma, unless empty. */
  readonly text = new TextWriter(FIRST_BYTES);
  /** Where each item begins; the last one, where the text ends. */
  readonly #starts = new Int32Array(MAX_ITEMS + 2);

  clear(): void {
    this.height = 0;
    this.text.at = 0;
  }

  /**
   * Does to the stack what an operation did that ran to its end.
   *
   * @param child - the frame that a call or creation started or was refused
   */
  apply({ bytes, words }: StepBuffer, row: number, child: CallFrame | undefined): void {
    const at = row * STEP_BYTES;
    const opcode = bytes[at + StepByte.opcode] as number;
    const move = MOVES[opcode] as number;
    if (move > 0) this.#dup(move - 1);
    else if (move < 0) this.#swap(-move);
    else {
      const pops = POPS[opcode] as number;
      if (pops > 0) this.#pop(pops);
      if (child !== undefined) this.#pushResult(child);
      else if (((bytes[at + StepByte.flags] as number) & FLAG_WORD) !== 0) {
        this.text.reserve(0);
        this.text.word(words, row * STEP_WORDS + WORD_AT);
        this.#close();
      }
    }
  }

  #pushResult({ kind, error, to }: CallFrame): void {
    const { text } = this;
    text.reserve(0);
    if (error === undefined && isCreation(kind)) text.bytesQuantity(to ?? EMPTY_BYTES);
    else text.text(error === undefined ? '"0x1"' : '"0x0"');
    this.#close();
  }

  /** Writes the topmost items, deepest first, without a comma at the end. */
  writeTop(target: TextWriter, count: number): void {
    if (count === 0) return;
    const start = this.#starts[this.height - count] as number;
    target.copyFrom(this.text, start, this.text.at - 1);
  }

  /** Writes the 64 digits of an item, 0 being the top. */
  writeWord(target: TextWriter, index: number): void {
    const at = this.height - 1 - index;
    const start = (this.#starts[at] as number) + 3;
    const length = (this.#starts[at + 1] as number) - 2 - start;
    target.reserve(WORD_DIGITS);
    for (let digit = 0; digit < WORD_DIGITS; digit += 8) target.view.setFloat64(target.at + digit, EIGHT_ZEROS, true);
    copyText(target.view, target.at + WORD_DIGITS - length, this.text.view, start, length);
    target.at += WORD_DIGITS;
  }

  /** The digits of an item, 0 being the top: a QUANTITY without its prefix. */
  digits(index: number): string {
    const at = this.height - 1 - index;
    if (at < 0) return "0";
    const { bytes } = this.text;
    const start = (this.#starts[at] as number) + 3;
    const end = (this.#starts[at + 1] as number) - 2;
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  }

  /** An item that is an offset or a length, 0 being the top. */
  number(index: number): number {
    const at = this.height - 1 - index;
    const { bytes } = this.text;
    const end = (this.#starts[at + 1] as number) - 2;
    let value = 0;
    for (let digit = (this.#starts[at] as number) + 3; digit < end; digit++) {
      const code = bytes[digit] as number;
      value = value * 16 + (code > NINE ? code - LETTER_A + 10 : code - ZERO);
    }
    return value;
  }

  #pop(count: number): void {
    this.height = count > this.height ? 0 : this.height - count;
    this.text.at = this.#starts[this.height] as number;
  }

  #close(): void {
    const { text } = this;
    text.bytes[text.at++] = COMMA;
    this.#starts[++this.height] = text.at;
  }

  #dup(depth: number): void {
    const { text } = this;
    text.reserve(0);
    const at = this.height - 1 - depth;
    text.copyFrom(text, this.#starts[at] as number, (this.#starts[at + 1] as number) - 1);
    this.#close();
  }

  #swap(depth: number): void {
    const { text } = this;
    const starts = this.#starts;
    const top = this.height - 1;
    const other = top - depth;
    const lower = starts[other] as number;
    const behindLower = starts[other + 1] as number;
    const upper = starts[top] as number;
    const end = text.at;
    // Behind the text: upper, what is between, lower. Then over the old.
    text.reserve(end - lower);
    text.copyFrom(text, upper, end);
    text.copyFrom(text, behindLower, upper);
    text.copyFrom(text, lower, behindLower);
    text.at = lower;
    text.copyFrom(text, end, end + end - lower);
    text.at = end;
    const shift = end - upper - (behindLower - lower);
    if (shift !== 0)
      for (let index = other + 1; index <= top; index++) starts[index] = (starts[index] as number) + shift;
  }
}
