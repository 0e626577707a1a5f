/** Iterates over the leaves of stored tries, and over the differences of two. */
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { joinPaths } from "./nibbles.ts";
import { type Child, makeReference, NodeKind, referencedHash, type TrieNode } from "./node.ts";
import type { TrieNodes } from "./trie-nodes.ts";

/** A leaf with its whole key. */
export interface TrieLeaf {
  /** Nibbles. */
  readonly key: Bytes;
  readonly value: Bytes;
}

/** A subtree and its path. */
interface Subtrie {
  readonly path: Bytes;
  readonly child: Child;
}

/**
 * Leaves in ascending order of their keys, loaded lazily.
 *
 * @param start - nibbles of the smallest key to include, in full length
 * @throws {StoreError} `STORE_CORRUPT` if a node is missing
 */
export function* leavesFrom(nodes: TrieNodes, root: Bytes, start: Bytes): Generator<TrieLeaf> {
  if (equalBytes(root, EMPTY_TRIE_ROOT)) return;
  const waiting: Subtrie[] = [{ path: EMPTY_BYTES, child: makeReference(root) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path } = next;
    const node = load(nodes, next.child, root);
    if (node.kind === NodeKind.leaf) {
      const key = joinPaths(path, undefined, node.path);
      if (!endsBefore(key, start)) yield { key, value: node.value };
    } else {
      for (const part of partsOf(path, node).reverse()) if (!endsBefore(part.path, start)) waiting.push(part);
    }
  }
}

/**
 * Leaves of one trie that another does not have with the same value, ascending. Subtrees that both share are skipped.
 *
 * @throws {StoreError} `STORE_CORRUPT` if a node is missing
 */
export function* changedLeaves(nodes: TrieNodes, before: Bytes, after: Bytes): Generator<TrieLeaf> {
  if (equalBytes(after, EMPTY_TRIE_ROOT) || equalBytes(before, after)) return;
  const shared = new SharedParts(nodes, before);
  const waiting: Subtrie[] = [{ path: EMPTY_BYTES, child: makeReference(after) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path } = next;
    if (shared.has(next)) continue;
    const node = load(nodes, next.child, after);
    if (node.kind !== NodeKind.leaf) {
      waiting.push(...partsOf(path, node).reverse());
      continue;
    }
    const key = joinPaths(path, undefined, node.path);
    const old = nodes.lookUp(before, key);
    if (old === undefined || !equalBytes(old, node.value)) yield { key, value: node.value };
  }
}

/** Calls functions with the references and the leaves of a decoded node, those of nodes embedded in it included. */
export function eachPart(
  child: Child | null,
  onReference: (hash: Bytes) => void,
  onLeaf: (value: Bytes) => void,
): void {
  if (child === null) return;
  if (child.kind === NodeKind.reference) onReference(referencedHash(child));
  else if (child.kind === NodeKind.branch) for (const next of child.children) eachPart(next, onReference, onLeaf);
  else if (child.kind === NodeKind.extension) eachPart(child.child, onReference, onLeaf);
  else onLeaf(child.value);
}

/** Detects subtrees that another trie has at the same path. */
class SharedParts {
  readonly #nodes: TrieNodes;
  readonly #root: Bytes;

  constructor(nodes: TrieNodes, root: Bytes) {
    this.#nodes = nodes;
    this.#root = root;
  }

  has({ path, child }: Subtrie): boolean {
    if (child.kind !== NodeKind.reference || equalBytes(this.#root, EMPTY_TRIE_ROOT)) return false;
    const other = this.#at(path);
    return other?.kind === NodeKind.reference && sameReference(child, other);
  }

  /** The subtree at a path, if one begins exactly there. */
  #at(path: Bytes): Child | undefined {
    let child: Child = makeReference(this.#root);
    let depth = 0;
    while (depth < path.length) {
      const node = load(this.#nodes, child, this.#root);
      if (node.kind === NodeKind.leaf) return undefined;
      if (node.kind === NodeKind.branch) {
        const next = node.children[path[depth] as number];
        if (next === null || next === undefined) return undefined;
        child = next;
        depth++;
        continue;
      }
      const end = depth + node.path.length;
      if (end > path.length || !equalBytes(path.subarray(depth, end), node.path)) return undefined;
      child = node.child;
      depth = end;
    }
    return child;
  }
}

function sameReference(left: Child, right: Child): boolean {
  if (left.kind !== NodeKind.reference || right.kind !== NodeKind.reference) return false;
  return equalBytes(
    left.bytes.subarray(left.offset, left.offset + 32),
    right.bytes.subarray(right.offset, right.offset + 32),
  );
}

/** The subtrees below an extension or a branch, ascending. */
function partsOf(path: Bytes, node: Exclude<TrieNode, { kind: typeof NodeKind.leaf }>): Subtrie[] {
  if (node.kind === NodeKind.extension) return [{ path: joinPaths(path, undefined, node.path), child: node.child }];
  return node.children.flatMap((child, nibble) => (child === null ? [] : [{ path: joinPaths(path, nibble), child }]));
}

function load(nodes: TrieNodes, child: Child, root: Bytes): TrieNode {
  return child.kind === NodeKind.reference ? nodes.require(child, root) : child;
}

/** True if every key that begins with a path is smaller than `start`. */
function endsBefore(path: Bytes, start: Bytes): boolean {
  for (let index = 0; index < path.length; index++) {
    const difference = (path[index] as number) - (start[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
