/** DATA that stands in many items of a list one after the other, such as an address: its text is copied from the last one. */
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import type { TextWriter } from "./text-writer.ts";

/** Longer ones change more often than they stay. */
const MAX_BYTES = 32;

export class RepeatedData {
  #source: Bytes = EMPTY_BYTES;
  /** Where its text stands: in these bytes of the writer, as long as it writes there. */
  #bytes: Bytes | undefined;
  #start = 0;
  #length = 0;

  /** Writes DATA in its quotation marks. There must be room for it where it is short, as after any long text. */
  write(writer: TextWriter, source: Bytes): void {
    if (this.#bytes === writer.bytes && equalBytes(this.#source, source)) this.#repeat(writer);
    else if (source.length > MAX_BYTES) writer.data(source);
    else {
      this.#start = writer.at;
      writer.data(source);
      this.#length = writer.at - this.#start;
      this.#source = source;
      this.#bytes = writer.bytes;
    }
  }

  /** As integers: what stands behind the text may be anything, even a NaN, which a copy as a number could change. */
  #repeat(writer: TextWriter): void {
    const { view, at } = writer;
    const start = this.#start;
    for (let offset = 0; offset < this.#length; offset += 4) {
      view.setUint32(at + offset, view.getUint32(start + offset, true), true);
    }
    writer.at = at + this.#length;
  }
}
