/** DATA that stands in many items of a list one after the other, such as an address: the text is kept and copied. */
import { type Bytes, equalBytes } from "../../primitives/bytes.ts";
import type { TextWriter } from "./text-writer.ts";

/** Longer ones change more often than they stay, and are not kept. */
const MAX_BYTES = 32;
/** Quotation marks, `0x` and two digits a byte, in whole words. */
const TEXT_BYTES = 72;

export class RepeatedData {
  readonly #text = new Uint8Array(TEXT_BYTES);
  readonly #view = new DataView(this.#text.buffer);
  #source: Bytes | undefined;
  #length = 0;

  /** Writes DATA in its quotation marks. There must be room for it where it is short, as after any long text. */
  write(writer: TextWriter, source: Bytes): void {
    if (this.#source !== undefined && equalBytes(this.#source, source)) this.#copyTo(writer);
    else if (source.length > MAX_BYTES) writer.data(source);
    else {
      const start = writer.at;
      writer.data(source);
      this.#keep(writer, start);
      this.#source = source;
    }
  }

  #copyTo(writer: TextWriter): void {
    const { view, at } = writer;
    for (let offset = 0; offset < this.#length; offset += 8) {
      view.setFloat64(at + offset, this.#view.getFloat64(offset, true), true);
    }
    writer.at = at + this.#length;
  }

  /** Byte by byte: what stands behind the text in the writer may be anything, even a NaN. */
  #keep({ bytes, at }: TextWriter, start: number): void {
    this.#length = at - start;
    for (let index = start; index < at; index++) this.#text[index - start] = bytes[index] as number;
  }
}
