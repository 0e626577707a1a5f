/**
 * Root of the trie of an indexed list: transactions, receipts, withdrawals (yellow paper appendix D; keys are the RLP
 * of the index). Computed bottom-up from the list, without building a trie, because nothing is ever looked up in it.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT, keccak256 } from "../../primitives/hash/hash.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import { hexPrefix } from "./nibbles.ts";

/** From this index on, its RLP has a header. */
const FIRST_LONG = 128;
const EMPTY_STRING = Uint8Array.of(0x80);
const HASH_BYTES = 32;

/** Root of the list's trie, 32 bytes. */
export function listRoot(items: readonly Bytes[]): Bytes {
  return items.length === 0 ? EMPTY_TRIE_ROOT : new ListTrie(items).root();
}

class ListTrie {
  readonly #items: readonly Bytes[];
  /** Nibbles of the keys in ascending order. */
  readonly #paths: readonly Bytes[];
  readonly #writer = new RlpWriter();

  constructor(items: readonly Bytes[]) {
    this.#items = items;
    this.#paths = items.map((_, position) => pathOf(this.#indexAt(position)));
  }

  root(): Bytes {
    return keccak256(this.#encode(0, this.#items.length, 0));
  }

  /** Index of the item with the key at a position. The key of 0 is 0x80, which comes after the keys of one byte. */
  #indexAt(position: number): number {
    const zero = Math.min(FIRST_LONG, this.#items.length) - 1;
    if (position === zero) return 0;
    return position < zero ? position + 1 : position;
  }

  /** RLP of the node for the keys from `start` to `end`, whose first `depth` nibbles are equal. */
  #encode(start: number, end: number, depth: number): Bytes {
    const first = this.#paths[start] as Bytes;
    if (end - start === 1) {
      return this.#short(hexPrefix(first.subarray(depth), true), (writer) =>
        writer.string(this.#items[this.#indexAt(start)] as Bytes),
      );
    }
    const shared = sharedPrefix(first, this.#paths[end - 1] as Bytes, depth);
    if (shared === 0) return this.#branch(start, end, depth);
    const child = reference(this.#encode(start, end, depth + shared));
    return this.#short(hexPrefix(first.subarray(depth, depth + shared), false), (writer) => write(writer, child));
  }

  /** A leaf or an extension. */
  #short(path: Bytes, writeSecond: (writer: RlpWriter) => void): Bytes {
    const writer = this.#writer;
    writeSecond(writer);
    writer.string(path);
    writer.list(0);
    return writer.take();
  }

  #branch(start: number, end: number, depth: number): Bytes {
    const children = new Array<Bytes | undefined>(16);
    for (let from = start; from < end; ) {
      const nibble = (this.#paths[from] as Bytes)[depth] as number;
      let to = from + 1;
      while (to < end && (this.#paths[to] as Bytes)[depth] === nibble) to++;
      children[nibble] = reference(this.#encode(from, to, depth + 1));
      from = to;
    }
    const writer = this.#writer;
    // No RLP of an index is a prefix of another, so that a branch never has a value.
    writer.raw(EMPTY_STRING);
    for (let nibble = 15; nibble >= 0; nibble--) write(writer, children[nibble] ?? EMPTY_STRING);
    writer.list(0);
    return writer.take();
  }
}

/** Nibbles of the RLP of an index. */
function pathOf(index: number): Bytes {
  if (index === 0) return Uint8Array.of(8, 0);
  if (index < FIRST_LONG) return Uint8Array.of(index >> 4, index & 15);
  const bytes = (39 - Math.clz32(index)) >> 3;
  const path = new Uint8Array(2 + 2 * bytes);
  path[0] = 8;
  path[1] = bytes;
  for (let at = path.length - 1, rest = index; at >= 2; at--, rest >>>= 4) path[at] = rest & 15;
  return path;
}

/** A node shorter than 32 bytes is embedded in its parent; any other is referenced by its hash. */
function reference(encoded: Bytes): Bytes {
  return encoded.length < HASH_BYTES ? encoded : keccak256(encoded);
}

/** A reference of 32 bytes is a hash. */
function write(writer: RlpWriter, child: Bytes): void {
  if (child.length === HASH_BYTES) writer.string(child);
  else writer.raw(child);
}

function sharedPrefix(left: Bytes, right: Bytes, from: number): number {
  let length = 0;
  while (from + length < left.length && left[from + length] === right[from + length]) length++;
  return length;
}
