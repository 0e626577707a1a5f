/** Reads values and proofs from a stored trie. */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { sharedNibbles } from "./nibbles.ts";
import { type Child, makeReference, NodeKind, type TrieNode } from "./node.ts";
import { encodeNode } from "./node-codec.ts";
import type { TrieNodes } from "./trie-nodes.ts";

/**
 * Value of a key; undefined if there is none.
 *
 * @param key - nibbles
 * @throws {StoreError} `STORE_CORRUPT` if a node on the path is missing
 */
export function lookUp(nodes: TrieNodes, root: Bytes, key: Bytes): Bytes | undefined {
  return walk(nodes, root, key, undefined);
}

/**
 * RLP of the nodes from the root towards a key: a proof of its value, or of its absence if the path ends elsewhere.
 * Embedded nodes are not listed. An empty trie has no nodes.
 *
 * @param key - nibbles
 * @throws {StoreError} `STORE_CORRUPT` if a node on the path is missing
 * @see EIP-1186
 */
export function prove(nodes: TrieNodes, root: Bytes, key: Bytes): readonly Bytes[] {
  const proof: Bytes[] = [];
  walk(nodes, root, key, proof);
  return proof;
}

function walk(nodes: TrieNodes, root: Bytes, key: Bytes, proof: Bytes[] | undefined): Bytes | undefined {
  if (equalBytes(root, EMPTY_TRIE_ROOT)) return undefined;
  let child: Child = makeReference(root);
  let depth = 0;
  for (;;) {
    let node: TrieNode;
    if (child.kind === NodeKind.reference) {
      node = nodes.require(child, root);
      proof?.push(encodeNode(node));
    } else {
      node = child;
    }
    if (node.kind === NodeKind.branch) {
      const next = node.children[key[depth] as number] as Child | null;
      if (next === null) return undefined;
      depth++;
      child = next;
      continue;
    }
    if (sharedNibbles(node.path, key, depth) < node.path.length) return undefined;
    if (node.kind === NodeKind.leaf) return node.value;
    depth += node.path.length;
    child = node.child;
  }
}
