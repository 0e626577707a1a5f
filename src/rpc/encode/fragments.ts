/** Pieces of text that are written again and again, as words of eight bytes that a TextWriter copies. */

export class Fragments {
  /** All fragments one after the other, each from a word of its own. ASCII text never makes a NaN. */
  words = new Float64Array(64);
  /** First word by index; meaningless where the length is 0. */
  readonly starts: Int32Array;
  /** Bytes by index; 0 for none. */
  readonly lengths: Int32Array;
  #bytes = new Uint8Array(this.words.buffer);
  #used = 0;

  /** @param size - indexes go from 0 to one less */
  constructor(size: number) {
    this.starts = new Int32Array(size);
    this.lengths = new Int32Array(size);
  }

  /** A table of these texts, in their order. */
  static of(...texts: readonly string[]): Fragments {
    const table = new Fragments(texts.length);
    for (const [index, text] of texts.entries()) table.set(index, text);
    return table;
  }

  /** Sets the text of an index: ASCII, of any length but 0. */
  set(index: number, text: string): void {
    const count = (text.length + 7) >> 3;
    this.#reserve(this.#used + count);
    this.#bytes.set(Buffer.from(text, "latin1"), 8 * this.#used);
    this.starts[index] = this.#used;
    this.lengths[index] = text.length;
    this.#used += count;
  }

  #reserve(count: number): void {
    if (count <= this.words.length) return;
    const grown = new Float64Array(Math.max(count, 2 * this.words.length));
    grown.set(this.words);
    this.words = grown;
    this.#bytes = new Uint8Array(grown.buffer);
  }
}
