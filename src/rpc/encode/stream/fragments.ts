/** Texts that are written many times, stored as words of eight bytes for {@link writeFragment}. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { fromLatin1 } from "../../../primitives/platform/encodings.ts";

/** The fixed texts of one kind of answer. */
export class Fragments {
  /** All texts one after the other, each beginning at a word of its own. ASCII text never forms a NaN. */
  words = new Float64Array(256);
  /** Index of the first word of each text. */
  starts: Int32Array = new Int32Array(64);
  /** Length of each text in bytes. */
  lengths: Int32Array = new Int32Array(64);
  #bytes = new Uint8Array(this.words.buffer);
  #used = 0;
  #count = 0;

  /** A table of these texts; a text's index is its position in the arguments. */
  static of(...texts: readonly string[]): Fragments {
    const table = new Fragments();
    for (const text of texts) table.add(fromLatin1(text), 0, text.length);
    return table;
  }

  /** Adds the ASCII text from `start` to `end` of `source` and returns its index. */
  add(source: Bytes, start: number, end: number): number {
    const index = this.#count++;
    const length = end - start;
    const count = (length + 7) >> 3;
    if (this.#used + count > this.words.length) {
      this.words = grown(this.words, this.#used + count, Float64Array);
      this.#bytes = new Uint8Array(this.words.buffer);
    }
    if (index === this.starts.length) {
      this.starts = grown(this.starts, index + 1, Int32Array);
      this.lengths = grown(this.lengths, index + 1, Int32Array);
    }
    for (let at = 0; at < length; at++) this.#bytes[8 * this.#used + at] = source[start + at] as number;
    this.starts[index] = this.#used;
    this.lengths[index] = length;
    this.#used += count;
    return index;
  }
}

function grown<Column extends Int32Array | Float64Array>(
  column: Column,
  needed: number,
  make: new (size: number) => Column,
): Column {
  const larger = new make(Math.max(needed, 2 * column.length));
  larger.set(column);
  return larger;
}
