/**
 * The stack of one frame as text: `"0x1","0x2",` bottom first, each item with a comma behind it.
 *
 * Follows what operations do, so that an item is encoded once, when it is pushed, and copied from then on.
 */
import { isDup, isPush, isSwap, Op, opcodeShape } from "../../tracer/opcodes.ts";
import type { Fragments } from "./fragments.ts";
import { copyText } from "./kept-text.ts";
import { TextWriter } from "./text-writer.ts";

const POPS = Uint8Array.from({ length: 256 }, (_, opcode) => opcodeShape(opcode).pops);
/** DUP1 to DUP16 are 1 to 16, SWAP1 to SWAP16 -1 to -16. */
const MOVES = Int8Array.from({ length: 256 }, (_, opcode) => {
  if (isDup(opcode)) return opcode - Op.DUP1 + 1;
  return isSwap(opcode) ? Op.SWAP1 - opcode - 1 : 0;
});
const IS_PUSH = Uint8Array.from({ length: 256 }, (_, opcode) => (isPush(opcode) ? 1 : 0));
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

  /** {@link apply} of an operation at a place in its code: what PUSH pushes there is encoded once and kept. */
  applyAt(kept: Fragments, pc: number, opcode: number, word: bigint | undefined): void {
    if (IS_PUSH[opcode] === 0 || word === undefined) {
      this.apply(opcode, word);
      return;
    }
    if (kept.lengths[pc] === 0) kept.set(pc, `"0x${word.toString(16)}",`);
    const { text } = this;
    text.reserve(0);
    text.fragment(kept, pc);
    this.#starts[++this.height] = text.at;
  }

  /** Does to the stack what an operation did that ran to its end and left `word`, if any. */
  apply(opcode: number, word: bigint | undefined): void {
    const move = MOVES[opcode] as number;
    if (move > 0) this.#dup(move - 1);
    else if (move < 0) this.#swap(-move);
    else {
      const pops = POPS[opcode] as number;
      if (pops > 0) this.#pop(pops);
      if (word !== undefined) this.#push(word);
    }
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

  #push(word: bigint): void {
    const { text } = this;
    text.reserve(0);
    text.quantity(word);
    this.#close();
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
