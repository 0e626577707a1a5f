/** RLP (yellow paper appendix B): byte strings and lists. */
import { type Bytes, EMPTY_BYTES } from "../bytes/bytes.ts";
import { Breaks } from "../platform/turns.ts";
import { contentBytes, LIST, lengthWithHead, SHORT, STRING } from "./rlp-head.ts";
import { rlpItems } from "./rlp-reader.ts";
import { RlpWriter } from "./rlp-writer.ts";

/** A byte string, or a list of items. */
export type RlpItem = Bytes | readonly RlpItem[];

/** Deepest nesting of lists. Ethereum uses only a few levels; each takes a stack frame. */
const MAX_DEPTH = 64;
const TOO_DEEP = "its lists are nested too deeply";

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
 * The decoded item. Its byte strings are copies.
 *
 * @throws {RangeError} unless the bytes are the canonical encoding of exactly one item
 */
export function decodeRlp(bytes: Bytes): RlpItem {
  const decoder = new Decoder(bytes);
  const item = decoder.item(bytes.length);
  if (decoder.at !== bytes.length) throw new RangeError("there are bytes behind the item");
  return item;
}

/** Longest RLP in bytes that is decoded without yielding. */
const TURN_BYTES = 8 * 1024;

/**
 * As {@link decodeRlp}, yielding to the event loop.
 *
 * @throws {RangeError} as that
 */
export function decodeRlpInTurns(bytes: Bytes): Promise<RlpItem> {
  return decodeParts(bytes, 0, new Breaks());
}

async function decodeParts(bytes: Bytes, depth: number, breaks: Breaks): Promise<RlpItem> {
  if (bytes.length <= TURN_BYTES || (bytes[0] as number) < LIST) return decodeRlp(bytes);
  if (depth >= MAX_DEPTH) throw new RangeError(TOO_DEEP);
  if (lengthWithHead(contentBytes(bytes, 0)) !== bytes.length)
    throw new RangeError("its head is not the shortest, or not that of all bytes");
  const items: RlpItem[] = [];
  for (const part of rlpItems(bytes)) {
    items.push(part.length <= TURN_BYTES ? decodeRlp(part) : await decodeParts(part, depth + 1, breaks));
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return items;
}

class Decoder {
  readonly #bytes: Bytes;
  #depth = 0;
  /** Position of the next item. */
  at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  /** Decodes the item at the current position. @param end - end of the list that contains it */
  item(end: number): RlpItem {
    const bytes = this.#bytes;
    if (this.at >= end) throw new RangeError("it ends too early");
    const first = bytes[this.at] as number;
    if (first < STRING) return bytes.slice(this.at, ++this.at);
    const contentEnd = this.#enter(first, first < LIST ? STRING : LIST, end);
    return first < LIST ? this.#string(contentEnd) : this.#list(contentEnd);
  }

  /** Moves to an item's content. Returns the end of the content. */
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
    if (++this.#depth > MAX_DEPTH) throw new RangeError(TOO_DEEP);
    const items: RlpItem[] = [];
    while (this.at < end) items.push(this.item(end));
    this.#depth--;
    return items;
  }
}
