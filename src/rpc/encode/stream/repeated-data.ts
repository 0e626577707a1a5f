/** DATA that consecutive items of a list often share, such as an address. Its text is copied from the item before. */
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import type { TextWriter } from "./text-writer.ts";

/** Longer values rarely repeat. */
const MAX_BYTES = 32;

/** Writes one member of the items of a list. Copies the text if the value is that of the item before. */
export class RepeatedData {
  #source: Bytes = EMPTY_BYTES;
  /** Pieces that were taken before the text was written: the writer's buffer has it until the next one. */
  #taken = -1;
  #start = 0;
  #length = 0;

  /** Writes DATA in quotation marks. For values up to {@link MAX_BYTES} the caller must have reserved room. */
  write(writer: TextWriter, source: Bytes): void {
    if (this.#taken === writer.taken && equalBytes(this.#source, source)) this.#repeat(writer);
    else if (source.length > MAX_BYTES) writer.data(source);
    else {
      this.#start = writer.at;
      writer.data(source);
      this.#length = writer.at - this.#start;
      this.#source = source;
      this.#taken = writer.taken;
    }
  }

  /**
   * Copied as integers: the bytes after the text are arbitrary and could form a NaN, whose bits a float64 copy may
   * change.
   */
  #repeat(writer: TextWriter): void {
    const { view, at } = writer;
    const start = this.#start;
    for (let offset = 0; offset < this.#length; offset += 4) {
      view.setUint32(at + offset, view.getUint32(start + offset, true), true);
    }
    writer.at = at + this.#length;
  }
}
