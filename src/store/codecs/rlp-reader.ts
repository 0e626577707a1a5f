/** Reads RLP in place: items are views into the bytes, and unread items are skipped. For values of the store. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** Iterates over the items of one list, or of a sequence of items. */
export class RlpReader {
  readonly #bytes: Bytes;
  readonly #end: number;
  #offset: number;
  #payloadStart = 0;
  #payloadEnd = 0;

  constructor(bytes: Bytes, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#offset = start;
    this.#end = end;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#end;
  }

  /**
   * The next item, a byte string, as a view.
   *
   * @throws {RangeError} if it is a list, or truncated
   */
  readBytes(): Bytes {
    if (this.#next()) throw new RangeError("RLP: a list where a byte string belongs");
    return this.#bytes.subarray(this.#payloadStart, this.#payloadEnd);
  }

  /**
   * A reader of the next item, a list; this reader moves to the item after it.
   *
   * @throws {RangeError} if it is a byte string, or truncated
   */
  readList(): RlpReader {
    if (!this.#next()) throw new RangeError("RLP: a byte string where a list belongs");
    return new RlpReader(this.#bytes, this.#payloadStart, this.#payloadEnd);
  }

  /** @throws {RangeError} if there are further items */
  expectEnd(): void {
    if (this.#offset !== this.#end) throw new RangeError("RLP: items are left over");
  }

  /** Moves past the next item and sets its payload; returns true for a list. */
  #next(): boolean {
    if (this.#offset >= this.#end) throw new RangeError("RLP: an item is missing");
    const first = this.#bytes[this.#offset] as number;
    const isList = first >= 0xc0;
    if (first < 0x80) {
      this.#payloadStart = this.#offset;
      this.#payloadEnd = this.#offset + 1;
    } else {
      const short = first - (isList ? 0xc0 : 0x80);
      const lengthBytes = short > 55 ? short - 55 : 0;
      this.#payloadStart = this.#offset + 1 + lengthBytes;
      this.#payloadEnd = this.#payloadStart + (lengthBytes === 0 ? short : this.#longLength(lengthBytes));
    }
    if (this.#payloadEnd > this.#end) throw new RangeError("RLP: an item is cut short");
    this.#offset = this.#payloadEnd;
    return isList;
  }

  #longLength(lengthBytes: number): number {
    let length = 0;
    for (let index = 1; index <= lengthBytes; index++) {
      // A missing byte counts as 255, so that the length is too large and the caller refuses it.
      length = length * 256 + (this.#bytes[this.#offset + index] ?? 255);
    }
    return length;
  }
}

/** True if the bytes are exactly one RLP item. Reads only the first bytes. */
export function isWholeRlpItem(bytes: Bytes): boolean {
  const first = bytes[0];
  if (first === undefined) return false;
  if (first < 0x80) return bytes.length === 1;
  const short = first - (first >= 0xc0 ? 0xc0 : 0x80);
  if (short <= 55) return bytes.length === 1 + short;
  const lengthBytes = short - 55;
  let length = 0;
  for (let index = 1; index <= lengthBytes; index++) length = length * 256 + (bytes[index] ?? 255);
  return bytes.length === 1 + lengthBytes + length;
}

/** True if the bytes are exactly one RLP list. */
export function isWholeRlpList(bytes: Bytes): boolean {
  return (bytes[0] ?? 0) >= 0xc0 && isWholeRlpItem(bytes);
}
