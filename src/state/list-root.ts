/**
 * Root of the trie over an indexed list: transactions, receipts, withdrawals (yellow paper appendix D; keys are the RLP
 * of the index). Built bottom-up from the sorted list, since nothing of these tries is ever looked up.
 */
import { RLP } from "@ethereumjs/rlp";
import type { Bytes } from "../primitives/bytes.ts";
import { EMPTY_TRIE_ROOT, keccak256 } from "../primitives/hash.ts";
import { hexPrefix, toNibbles } from "./trie/nibbles.ts";

interface Entry {
  /** The key's nibbles, one per byte. */
  readonly path: Bytes;
  readonly value: Bytes;
}

type Node = Bytes | (Bytes | Node)[];

/** Root of the list's trie, 32 bytes. */
export function listRoot(items: readonly Bytes[]): Bytes {
  if (items.length === 0) return EMPTY_TRIE_ROOT;
  const entries = items
    .map((value, index): Entry => ({ path: toNibbles(RLP.encode(index)), value }))
    .sort((left, right) => comparePaths(left.path, right.path));
  return keccak256(RLP.encode(buildNode(entries, 0)));
}

function buildNode(entries: readonly Entry[], depth: number): Node[] {
  const first = entries[0] as Entry;
  if (entries.length === 1) return [hexPrefix(first.path.subarray(depth), true), first.value];
  const shared = sharedPrefix(first.path, (entries.at(-1) as Entry).path, depth);
  if (shared > 0) {
    const child = reference(buildNode(entries, depth + shared));
    return [hexPrefix(first.path.subarray(depth, depth + shared), false), child];
  }
  const branch: Node[] = Array.from({ length: 17 }, () => new Uint8Array(0));
  let start = 0;
  while (start < entries.length) {
    const nibble = (entries[start] as Entry).path[depth];
    let end = start + 1;
    while (end < entries.length && (entries[end] as Entry).path[depth] === nibble) end++;
    // No RLP of an index is a prefix of another, so a branch never holds a value itself.
    branch[nibble as number] = reference(buildNode(entries.slice(start, end), depth + 1));
    start = end;
  }
  return branch;
}

/** A node shorter than 32 bytes stands in its parent, any other is named by its hash. */
function reference(node: Node[]): Node {
  const encoded = RLP.encode(node);
  return encoded.length < 32 ? node : keccak256(encoded);
}

function sharedPrefix(left: Bytes, right: Bytes, from: number): number {
  let length = 0;
  while (from + length < left.length && left[from + length] === right[from + length]) length++;
  return length;
}

function comparePaths(left: Bytes, right: Bytes): number {
  return Buffer.compare(left, right);
}
