/**
 * The member `storage` of struct logs as text. Each entry of an SLOAD or SSTORE has all slots that its account accessed so
 * far, which is quadratic in their number. So the text is not made anew for each: a slot is added, or its value replaced.
 */
import { TextWriter } from "../stream/text-writer.ts";

/** Characters of a word: `0x` and 64 digits. */
const WORD_LENGTH = 66;

/** The slots of an account. */
export class StorageText {
  readonly #text = new TextWriter();
  /** The place at which the value of each slot begins. */
  readonly #places = new Map<string, number>();

  /** Sets a slot. Both words have all of their digits. */
  set(slot: string, value: string): void {
    const text = this.#text;
    const place = this.#places.get(slot);
    if (place === undefined) {
      text.text(`${this.#places.size === 0 ? "{" : ","}"${slot}":"${value}"`);
      this.#places.set(slot, text.at - WORD_LENGTH - 1);
    } else for (let index = 0; index < WORD_LENGTH; index++) text.bytes[place + index] = value.charCodeAt(index);
  }

  /** Writes the object. */
  writeTo(writer: TextWriter): void {
    if (this.#places.size === 0) writer.text("{");
    else writer.copyFrom(this.#text, 0, this.#text.at);
    writer.text("}");
  }
}
