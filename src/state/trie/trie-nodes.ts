/**
 * Caches decoded trie nodes by hash, for all tries and readers of one database. Since the key is the hash of the
 * content, entries never become wrong.
 */
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { sharedNibbles } from "./nibbles.ts";
import { type Child, makeReference, NodeKind, type NodeReference, referencedHash, type TrieNode } from "./node.ts";
import { decodeNode, encodeNode } from "./node-codec.ts";

/** Source of the RLP of nodes. */
export interface NodeBytesSource {
  getTrieNode(hash: Bytes): Bytes | undefined;
}

/** Estimated memory of a decoded node in bytes, measured on V8: a branch has its RLP and up to 16 references. */
const BRANCH_BYTES = 1400;
const SHORT_NODE_BYTES = 400;

/** A cache of decoded trie nodes. One for each {@link StateDatabase}. */
export class TrieNodes implements NodeBytesSource {
  readonly #sources: readonly NodeBytesSource[];
  readonly #maxBytes: number;
  /** By hash. A used node moves to the young half; when that is full, the old half is dropped. */
  #young = new HashMap<TrieNode>();
  #old = new HashMap<TrieNode>();
  #youngBytes = 0;

  /**
   * @param sources - asked for a node in this order
   * @param maxBytes - approximate memory for decoded nodes
   */
  constructor(sources: readonly NodeBytesSource[], maxBytes: number) {
    this.#sources = sources;
    this.#maxBytes = maxBytes;
  }

  /** RLP of a node by its hash, from the first source that has it. */
  getTrieNode(hash: Bytes): Bytes | undefined {
    for (const source of this.#sources) {
      const encoded = source.getTrieNode(hash);
      if (encoded !== undefined) return encoded;
    }
    return undefined;
  }

  /**
   * The clean node of a reference.
   *
   * @param root - root of the trie that needs it, for the error
   * @throws {StoreError} `STORE_CORRUPT` if the node is missing or malformed
   */
  require(reference: NodeReference, root: Bytes): TrieNode {
    const { bytes, offset } = reference;
    return (
      this.#young.get(bytes, offset) ?? this.#rejuvenate(bytes, offset) ?? this.#load(referencedHash(reference), root)
    );
  }

  /**
   * Value of a key, or undefined.
   *
   * @param key - nibbles
   * @throws {StoreError} `STORE_CORRUPT` when a node on the path is missing
   */
  lookUp(root: Bytes, key: Bytes): Bytes | undefined {
    return this.#walk(root, key, undefined);
  }

  /**
   * RLP of the nodes from the root towards a key: proof of its value, or of its absence when the path ends elsewhere.
   * Nodes that stand inside their parent are not listed. A trie without entries has no nodes.
   *
   * @param key - nibbles
   * @throws {StoreError} `STORE_CORRUPT` when a node on the path is missing
   * @see EIP-1186
   */
  prove(root: Bytes, key: Bytes): readonly Bytes[] {
    const proof: Bytes[] = [];
    this.#walk(root, key, proof);
    return proof;
  }

  #walk(root: Bytes, key: Bytes, proof: Bytes[] | undefined): Bytes | undefined {
    if (equalBytes(root, EMPTY_TRIE_ROOT)) return undefined;
    let child: Child = makeReference(root);
    let depth = 0;
    for (;;) {
      let node: TrieNode;
      if (child.kind === NodeKind.reference) {
        node = this.require(child, root);
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

  #load(hash: Bytes, root: Bytes): TrieNode {
    const encoded = this.getTrieNode(hash);
    if (encoded === undefined) throw corrupt("missing", hash, root);
    try {
      const node = decodeNode(encoded);
      node.hash = hash;
      this.#keep(hash, node);
      return node;
    } catch (cause) {
      throw corrupt("unreadable", hash, root, cause);
    }
  }

  /** Removes a node that will not be requested again. */
  forget(hash: Bytes): void {
    this.#young.delete(hash);
    this.#old.delete(hash);
  }

  /** Adds a node that has just become clean. Its children must be references or embedded. */
  add(node: TrieNode): void {
    if (node.hash !== undefined) this.#keep(node.hash, node);
  }

  #rejuvenate(bytes: Bytes, offset: number): TrieNode | undefined {
    const node = this.#old.get(bytes, offset);
    if (node !== undefined) this.#keep(node.hash as Bytes, node);
    return node;
  }

  /** Two maps are faster than a list in order of use, and evict almost the same nodes. */
  #keep(hash: Bytes, node: TrieNode): void {
    this.#young.set(hash, node);
    this.#youngBytes += bytesInMemory(node);
    if (this.#youngBytes <= this.#maxBytes / 2) return;
    this.#old = this.#young;
    this.#young = new HashMap();
    this.#youngBytes = 0;
  }
}

function bytesInMemory(node: TrieNode): number {
  return node.kind === NodeKind.branch ? BRANCH_BYTES : SHORT_NODE_BYTES;
}

function corrupt(state: "missing" | "unreadable", hash: Bytes, root: Bytes, cause?: unknown): StoreError {
  return new StoreError({
    code: "STORE_CORRUPT",
    what: `A trie node is ${state}.`,
    where: `Node ${encodeData(hash)} of the trie with root ${encodeData(root)}.`,
    fix: "Restore the folder from a copy, or delete it and import the chain again.",
    cause,
  });
}
