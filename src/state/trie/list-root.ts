/**
 * Root of the trie of an indexed list: transactions, receipts, withdrawals (yellow paper appendix D; keys are the RLP
 * of the index). Computed bottom-up from the list, without building a trie, because nothing is ever looked up in it.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT, keccak256, keccak256OfInput, keccakInput } from "../../primitives/hash/hash.ts";
import { LIST, lengthWithHead, STRING, stringLength, writeHead, writeString } from "../../primitives/rlp/rlp-head.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import { writeHash } from "./branch-bytes.ts";
import { hexPrefix } from "./nibbles.ts";

/** From this index on, its RLP has a header. */
const FIRST_LONG = 128;
const HASH_BYTES = 32;
/** Longest item whose leaf is encoded in the input of the hash function. */
const LONGEST = keccakInput.length - 64;

/** Root of the list's trie, 32 bytes. */
export function listRoot(items: readonly Bytes[]): Bytes {
  return items.length === 0 ? EMPTY_TRIE_ROOT : new ListTrie(items).root();
}

/** Every node is encoded where it is hashed, and only its hash is stored. */
class ListTrie {
  readonly #items: readonly Bytes[];
  /** Nibbles of the keys in ascending order. */
  readonly #paths: readonly Bytes[];

  constructor(items: readonly Bytes[]) {
    this.#items = items;
    this.#paths = items.map((_, position) => pathOf(this.#indexAt(position)));
  }

  /** The root is hashed even if it is short. */
  root(): Bytes {
    return this.#reference(0, this.#items.length, 0, 0);
  }

  /** Index of the item with the key at a position. The key of 0 is 0x80, which comes after the keys of one byte. */
  #indexAt(position: number): number {
    const zero = Math.min(FIRST_LONG, this.#items.length) - 1;
    if (position === zero) return 0;
    return position < zero ? position + 1 : position;
  }

  /**
   * Hash of the node for the keys from `start` to `end`, whose first `depth` nibbles are equal.
   *
   * @param shortest - a shorter node is returned as RLP, to be embedded in its parent
   */
  #reference(start: number, end: number, depth: number, shortest = HASH_BYTES): Bytes {
    const first = this.#paths[start] as Bytes;
    let length: number;
    if (end - start === 1) {
      const item = this.#items[this.#indexAt(start)] as Bytes;
      const path = hexPrefix(first.slice(depth), true);
      if (item.length > LONGEST) return keccak256(longLeaf(path, item));
      const head = writeHead(keccakInput, 0, LIST, stringLength(path) + stringLength(item));
      length = writeString(keccakInput, writeString(keccakInput, head, path), item);
    } else {
      const shared = sharedPrefix(first, this.#paths[end - 1] as Bytes, depth);
      length = shared === 0 ? this.#writeBranch(start, end, depth) : this.#writeExtension(start, end, depth, shared);
    }
    if (length < shortest) return keccakInput.slice(0, length);
    return keccak256OfInput(0, length, new Uint8Array(HASH_BYTES));
  }

  #writeExtension(start: number, end: number, depth: number, shared: number): number {
    const child = this.#reference(start, end, depth + shared);
    const path = hexPrefix((this.#paths[start] as Bytes).slice(depth, depth + shared), false);
    const head = writeHead(keccakInput, 0, LIST, stringLength(path) + childLength(child));
    return writeChild(writeString(keccakInput, head, path), child);
  }

  #writeBranch(start: number, end: number, depth: number): number {
    const children = new Array<Bytes | undefined>(16);
    // No RLP of an index is a prefix of another, so that a branch never has a value.
    let length = 1;
    let absent = 16;
    for (let from = start; from < end; absent--) {
      const nibble = (this.#paths[from] as Bytes)[depth] as number;
      let to = from + 1;
      while (to < end && (this.#paths[to] as Bytes)[depth] === nibble) to++;
      const child = this.#reference(from, to, depth + 1);
      children[nibble] = child;
      length += childLength(child);
      from = to;
    }
    let position = writeHead(keccakInput, 0, LIST, length + absent);
    for (let nibble = 0; nibble < 16; nibble++) position = writeChild(position, children[nibble]);
    return writeChild(position, undefined);
  }
}

/** RLP of a leaf that is too long for the input of the hash function. */
function longLeaf(path: Bytes, item: Bytes): Bytes {
  const writer = new RlpWriter(item.length + 64);
  writer.string(item);
  writer.string(path);
  writer.list(0);
  return writer.take();
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

/** A reference of 32 bytes is a hash; a shorter one is RLP. */
function childLength(child: Bytes): number {
  return child.length === HASH_BYTES ? lengthWithHead(HASH_BYTES) : child.length;
}

/** Writes a child of a branch or an extension; nothing is an empty string. Returns the position after it. */
function writeChild(position: number, child: Bytes | undefined): number {
  if (child === undefined) return writeHead(keccakInput, position, STRING, 0);
  if (child.length === HASH_BYTES) return writeHash(keccakInput, position, child, 0);
  keccakInput.set(child, position);
  return position + child.length;
}

function sharedPrefix(left: Bytes, right: Bytes, from: number): number {
  let length = 0;
  while (from + length < left.length && left[from + length] === right[from + length]) length++;
  return length;
}
