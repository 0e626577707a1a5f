/** Iterates over RLP (yellow paper appendix B) without decoding it, so that a long list can be read item by item. */
import { LimitError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../bytes/bytes.ts";

/** Position of an item's content. */
interface Content {
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * The items of a list in order, as RLP.
 *
 * @param list - RLP of one list
 * @throws {RangeError} if it is not a list, or an item extends beyond its end
 */
export function* rlpItems(list: Bytes): Generator<Bytes, void, undefined> {
  const { isList, start, end } = contentAt(list, 0, list.length);
  if (!isList || end !== list.length) throw new RangeError("it is no RLP list");
  for (let at = start; at < end; ) {
    const next = contentAt(list, at, end).end;
    yield list.subarray(at, next);
    at = next;
  }
}

/** The bytes of an item that is a string. @throws {RangeError} if it is a list */
export function rlpString(item: Bytes): Bytes {
  const { isList, start, end } = contentAt(item, 0, item.length);
  if (isList || end !== item.length) throw new RangeError("it is no RLP string");
  return item.subarray(start, end);
}

/** Counts items, to limit the memory for decoding. */
export class RlpBudget {
  readonly #most: number;
  #left: number;

  /** @param most - most items, including lists */
  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /**
   * Counts the items of an RLP, including nested ones.
   *
   * @throws {LimitError} `TOO_MANY_ITEMS`
   * @throws {RangeError} if it is not valid RLP
   */
  take(bytes: Bytes): void {
    for (let at = 0; at < bytes.length; ) {
      const { isList, start, end } = contentAt(bytes, at, bytes.length);
      at = isList ? start : end;
      if (--this.#left < 0) throw this.#tooMany();
    }
  }

  #tooMany(): LimitError {
    return new LimitError({
      code: "TOO_MANY_ITEMS",
      what: `The file has more than ${this.#most} items of RLP.`,
      fix: "Raise the limit, such as that of state files with --state-file-values or limits.stateFileValues.",
    });
  }
}

function contentAt(bytes: Bytes, at: number, most: number): Content {
  const prefix = bytes[at];
  if (prefix === undefined) throw new RangeError("it ends too early");
  if (prefix < 0x80) return { isList: false, start: at, end: at + 1 };
  const isList = prefix >= 0xc0;
  const size = prefix - (isList ? 0xc0 : 0x80);
  const lengthBytes = Math.max(0, size - 55);
  const start = at + 1 + lengthBytes;
  const end = start + (lengthBytes === 0 ? size : lengthOf(bytes, at + 1, start));
  if (end > most) throw new RangeError("an item is longer than what holds it");
  return { isList, start, end };
}

function lengthOf(bytes: Bytes, from: number, to: number): number {
  let length = 0;
  for (let index = from; index < to; index++) length = length * 256 + (bytes[index] ?? 0);
  return length;
}
