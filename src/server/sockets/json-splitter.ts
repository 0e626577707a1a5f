/** Splits a stream of bytes into JSON values, with or without white space between them. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, NEWLINE]);

/**
 * Finds the ends of objects and arrays by their brackets. Other text is cut at the end of its line; the parser refuses
 * it.
 */
export class JsonSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isBare = false;

  /** @param maxBytes - longest value */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Processes the next bytes of the stream. Each byte is scanned once.
   *
   * @returns the values that end in these bytes, as text; and whether the unfinished one is too long, after which
   * nothing more can be read
   */
  push(chunk: Buffer): { readonly values: readonly string[]; readonly tooLong: boolean } {
    const values: string[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (!this.#isInValue() && WHITE_SPACE.has(chunk[index] as number)) {
        start = index + 1;
        continue;
      }
      if (!this.#endsWith(chunk[index] as number)) continue;
      this.#keep(chunk.subarray(start, index + 1));
      if (this.#length > this.#maxBytes) return { values, tooLong: true };
      values.push(this.#take());
      start = index + 1;
    }
    this.#keep(chunk.subarray(start));
    return { values, tooLong: this.#length > this.#maxBytes };
  }

  #isInValue(): boolean {
    return this.#depth > 0 || this.#isBare;
  }

  /** Processes the next byte of a value; true if it is the last one. */
  #endsWith(byte: number): boolean {
    if (this.#isBare) return byte === NEWLINE;
    if (this.#inString) this.#noteInString(byte);
    else if (byte === QUOTE && this.#depth > 0) this.#inString = true;
    else if (OPENING.has(byte)) this.#depth++;
    else if (this.#depth === 0) this.#isBare = true;
    else if (CLOSING.has(byte)) return --this.#depth === 0;
    return false;
  }

  #noteInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  #take(): string {
    const text = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#length = 0;
    this.#isBare = false;
    return text;
  }
}
