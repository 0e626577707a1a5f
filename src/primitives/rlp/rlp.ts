/** RLP (yellow paper appendix B) of whole values: strings of bytes, and lists of values. */
import { type Bytes, EMPTY_BYTES } from "../bytes/bytes.ts";
import { RlpWriter } from "./rlp-writer.ts";

/** A string of bytes, or a list of items. */
export type RlpItem = Bytes | readonly RlpItem[];

const STRING = 0x80;
const LIST = 0xc0;
/** The longest content whose length stands in the head itself, bytes. */
const SHORT = 55;
/** Lists within lists. Nothing of Ethereum has more than a few; each takes a frame of the stack. */
const MAX_DEPTH = 64;

/** The RLP of an item. */
export function encodeRlp(item: RlpItem): Bytes {
  const writer = new RlpWriter(256);
  write(writer, item);
  return writer.take();
}

function write(writer: RlpWriter, item: RlpItem): void {
  if (item instanceof Uint8Array) return void writer.string(item);
  const end = writer.length;
  for (let index = item.length - 1; index >= 0; index--) write(writer, item[index] as RlpItem);
  writer.list(end);
}

/**
 * The item that some RLP stands for. Its strings are copies.
 *
 * @throws {RangeError} where the bytes are anything but the one encoding of one item
 */
export function decodeRlp(bytes: Bytes): RlpItem {
  const decoder = new Decoder(bytes);
  const item = decoder.item(bytes.length);
  if (decoder.at !== bytes.length) throw new RangeError("there are bytes behind the item");
  return item;
}

class Decoder {
  readonly #bytes: Bytes;
  #depth = 0;
  /** Where the next item begins. */
  at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  /** The item that begins here. @param end - where what holds it ends */
  item(end: number): RlpItem {
    const bytes = this.#bytes;
    if (this.at >= end) throw new RangeError("it ends too early");
    const first = bytes[this.at] as number;
    if (first < STRING) return bytes.slice(this.at, ++this.at);
    const contentEnd = this.#enter(first, first < LIST ? STRING : LIST, end);
    return first < LIST ? this.#string(contentEnd) : this.#list(contentEnd);
  }

  /** Goes to an item's content. Returns where that ends. */
  #enter(first: number, base: number, end: number): number {
    const size = first - base;
    const length = size <= SHORT ? size : this.#longLength(size - SHORT, end);
    this.at++;
    if (length > end - this.at) throw new RangeError("an item is longer than what holds it");
    return this.at + length;
  }

  #longLength(count: number, end: number): number {
    if (count > end - this.at - 1) throw new RangeError("it ends too early");
    if (this.#bytes[this.at + 1] === 0) throw new RangeError("a length has leading zeros");
    let length = 0;
    for (let left = count; left > 0; left--) length = length * 256 + (this.#bytes[++this.at] as number);
    if (length <= SHORT) throw new RangeError("a length has a longer form than it needs");
    return length;
  }

  #string(end: number): Bytes {
    const start = this.at;
    this.at = end;
    if (start === end) return EMPTY_BYTES;
    if (end - start === 1 && (this.#bytes[start] as number) < STRING) {
      throw new RangeError("a byte has a longer form than it needs");
    }
    return this.#bytes.slice(start, end);
  }

  #list(end: number): RlpItem[] {
    if (++this.#depth > MAX_DEPTH) throw new RangeError("its lists are nested too deeply");
    const items: RlpItem[] = [];
    while (this.at < end) items.push(this.item(end));
    this.#depth--;
    return items;
  }
}
