/** A map whose keys are hashes. */
import type { Bytes } from "./bytes.ts";

/** A hash with its value; those that agree in their first 48 bits are chained. */
interface Entry<Value> {
  readonly hash: Bytes;
  value: Value;
  next: Entry<Value> | undefined;
}

/**
 * The first 48 bits of a hash: a number is a far cheaper map key than a string of the whole (19 against 80 to 240 ns a
 * look-up). Whoever looks up by it compares the whole afterwards.
 */
export function hashPrefix(bytes: Bytes, offset = 0): number {
  const high =
    (((bytes[offset] as number) << 24) |
      ((bytes[offset + 1] as number) << 16) |
      ((bytes[offset + 2] as number) << 8) |
      (bytes[offset + 3] as number)) >>>
    0;
  return high * 65_536 + (((bytes[offset + 4] as number) << 8) | (bytes[offset + 5] as number));
}

/** Values by hashes: 32 bytes that nobody can choose freely, or keys that end in them. */
export class HashMap<Value> {
  readonly #offset: number;
  readonly #entries = new Map<number, Entry<Value>>();

  /** @param offset - where the hash begins in the keys; all keys are as long */
  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** True while nothing is in it. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  get(key: Bytes): Value | undefined {
    let entry = this.#entries.get(hashPrefix(key, this.#offset));
    while (entry !== undefined && !isSame(entry.hash, key)) entry = entry.next;
    return entry?.value;
  }

  /** Keeps the key: nobody may write to it afterwards. */
  set(key: Bytes, value: Value): void {
    const prefix = hashPrefix(key, this.#offset);
    const first = this.#entries.get(prefix);
    let entry = first;
    while (entry !== undefined && !isSame(entry.hash, key)) entry = entry.next;
    if (entry === undefined) this.#entries.set(prefix, { hash: key, value, next: first });
    else entry.value = value;
  }

  delete(key: Bytes): void {
    const prefix = hashPrefix(key, this.#offset);
    const first = this.#entries.get(prefix);
    if (first === undefined) return;
    if (!isSame(first.hash, key)) unlink(first, key);
    else if (first.next === undefined) this.#entries.delete(prefix);
    else this.#entries.set(prefix, first.next);
  }

  clear(): void {
    this.#entries.clear();
  }
}

function unlink<Value>(first: Entry<Value>, key: Bytes): void {
  let before = first;
  while (before.next !== undefined && !isSame(before.next.hash, key)) before = before.next;
  before.next = before.next?.next;
}

/** A loop from the end: the beginnings are the same. */
function isSame(left: Bytes, right: Bytes): boolean {
  if (left === right) return true;
  for (let index = left.length - 1; index >= 0; index--) if (left[index] !== right[index]) return false;
  return true;
}
