/**
 * The memory of one frame as text: `"0x…64 digits…",` for each word. A step that writes memory changes the text in
 * place.
 */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { TextWriter } from "../stream/text-writer.ts";

const WORD_BYTES = 32;
/** `"0x`, 64 digits, `",`. */
const ITEM_BYTES = 69;
const DIGITS_AT = 3;
const ZERO_WORD = `"0x${"0".repeat(2 * WORD_BYTES)}",`;

/** The memory of an open frame as text. */
export class MemoryText {
  readonly #text = new TextWriter(ITEM_BYTES);
  #words = 0;

  clear(): void {
    this.#words = 0;
    this.#text.at = 0;
  }

  write(offset: number, bytes: Bytes): void {
    this.#growTo(Math.ceil((offset + bytes.length) / WORD_BYTES));
    const end = this.#text.at;
    for (let done = 0; done < bytes.length; ) {
      const inWord = (offset + done) % WORD_BYTES;
      const count = Math.min(WORD_BYTES - inWord, bytes.length - done);
      this.#text.at = ((offset + done - inWord) / WORD_BYTES) * ITEM_BYTES + DIGITS_AT + 2 * inWord;
      this.#text.hex(bytes, done, done + count);
      done += count;
    }
    this.#text.at = end;
  }

  /** Writes the first `length` bytes without a comma at the end; `length` is a positive multiple of 32. */
  writeTo(target: TextWriter, length: number): void {
    const words = length / WORD_BYTES;
    this.#growTo(words);
    target.copyFrom(this.#text, 0, words * ITEM_BYTES - 1);
  }

  #growTo(words: number): void {
    for (; this.#words < words; this.#words++) this.#text.text(ZERO_WORD);
  }
}
