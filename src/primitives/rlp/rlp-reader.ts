/** Reads RLP in place (yellow paper appendix B): items are views into the bytes, and unread items are skipped. */
import { LimitError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../bytes/bytes.ts";
import { contentBytes, headBytes, itemBytes, LIST } from "./rlp-head.ts";

/** Iterates over the items of one list, or of a sequence of items. */
export class RlpReader {
  readonly #bytes: Bytes;
  readonly #end: number;
  #offset: number;
  /** The content of the item that was read last. */
  #contentStart = 0;
  #contentEnd = 0;

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
    return this.#bytes.subarray(this.#contentStart, this.#contentEnd);
  }

  /**
   * A reader of the next item, a list; this reader moves to the item after it.
   *
   * @throws {RangeError} if it is a byte string, or truncated
   */
  readList(): RlpReader {
    if (!this.#next()) throw new RangeError("RLP: a byte string where a list belongs");
    return new RlpReader(this.#bytes, this.#contentStart, this.#contentEnd);
  }

  /** The next item with its head, as a view. @throws {RangeError} if it is truncated */
  readItem(): Bytes {
    const start = this.#offset;
    this.#next();
    return this.#bytes.subarray(start, this.#offset);
  }

  /** Moves past the next item, or if it is a list to its first member. @throws {RangeError} if it is truncated */
  descend(): void {
    if (this.#next()) this.#offset = this.#contentStart;
  }

  /** @throws {RangeError} if there are further items */
  expectEnd(): void {
    if (this.#offset !== this.#end) throw new RangeError("RLP: items are left over");
  }

  /** Moves past the next item and sets its content; returns true for a list. */
  #next(): boolean {
    if (this.#offset >= this.#end) throw new RangeError("RLP: an item is missing");
    const first = this.#bytes[this.#offset] as number;
    this.#contentStart = this.#offset + headBytes(first);
    this.#contentEnd = this.#contentStart + contentBytes(this.#bytes, this.#offset);
    if (this.#contentEnd > this.#end) throw new RangeError("RLP: an item is cut short");
    this.#offset = this.#contentEnd;
    return first >= LIST;
  }
}

/**
 * The items of a list in order, as RLP, so that a long list can be read item by item.
 *
 * @param list - RLP of one list
 * @throws {RangeError} if it is not a list, or an item extends beyond its end
 */
export function* rlpItems(list: Bytes): Generator<Bytes, void, undefined> {
  const whole = new RlpReader(list);
  const items = whole.readList();
  whole.expectEnd();
  while (!items.atEnd) yield items.readItem();
}

/** The bytes of an item that is a string. @throws {RangeError} if it is a list */
export function rlpString(item: Bytes): Bytes {
  const reader = new RlpReader(item);
  const bytes = reader.readBytes();
  reader.expectEnd();
  return bytes;
}

/** True if the bytes are exactly one RLP item. Reads only the first bytes. */
export function isWholeRlpItem(bytes: Bytes): boolean {
  return itemBytes(bytes, 0) === bytes.length;
}

/** True if the bytes are exactly one RLP list. */
export function isWholeRlpList(bytes: Bytes): boolean {
  return (bytes[0] ?? 0) >= LIST && isWholeRlpItem(bytes);
}

/** Counts items, to limit the memory and the time for decoding. */
export class RlpBudget {
  readonly #most: number;
  readonly #owner: string;
  readonly #fix: string;
  readonly #flag: string | null;
  #left: number;

  /**
   * @param most - most items, including lists
   * @param owner - has the items, for the error: "file", "block"
   * @param fix - for the error: how to send fewer, or raise the limit
   * @param flag - raises the limit; null for none
   */
  constructor(most: number, owner: string, fix: string, flag: string | null = null) {
    this.#most = most;
    this.#owner = owner;
    this.#fix = fix;
    this.#flag = flag;
    this.#left = most;
  }

  /**
   * Counts the items of an RLP, including nested ones.
   *
   * @throws {LimitError} `TOO_MANY_ITEMS`
   * @throws {RangeError} if it is not valid RLP
   */
  take(bytes: Bytes): void {
    for (const reader = new RlpReader(bytes); !reader.atEnd; ) {
      reader.descend();
      if (--this.#left < 0) throw this.#tooMany();
    }
  }

  #tooMany(): LimitError {
    return new LimitError({
      code: "TOO_MANY_ITEMS",
      what: `The ${this.#owner} has more than ${this.#most} items of RLP.`,
      fix: this.#fix,
      data: { limit: this.#most, flag: this.#flag },
    });
  }
}
