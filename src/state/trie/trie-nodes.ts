/**
 * Trie nodes by hash: decoded once, kept in a bounded cache that all tries and readers of one database share.
 *
 * Nodes are addressed by their content, so nothing here ever becomes stale.
 */
import { LRUCache } from "lru-cache";
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes.ts";
import { encodeData } from "../../primitives/hex.ts";
import { NodeKind, type NodeReference, referencedHash, type TrieNode } from "./node.ts";
import { decodeNode } from "./node-codec.ts";

/** Where the RLP of a node comes from. */
export interface NodeBytesSource {
  getTrieNode(hash: Bytes): Bytes | undefined;
}

/** Memory that a decoded node takes, in bytes, as measured on V8: a branch has its RLP and up to 16 references. */
const BRANCH_BYTES = 1400;
const SHORT_NODE_BYTES = 400;

export class TrieNodes {
  readonly #source: NodeBytesSource;
  readonly #cache: LRUCache<number, TrieNode>;

  /** @param maxBytes - memory for decoded nodes, approximately */
  constructor(source: NodeBytesSource, maxBytes: number) {
    this.#source = source;
    // Bounded by bytes, not by count: with a count, lru-cache sets its arrays aside at once, for every node in a process.
    this.#cache = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesInMemory });
  }

  /**
   * The node behind a reference, clean.
   *
   * @param stateRoot - root of the trie it is needed for, named in the error
   * @throws {StoreError} `STORE_CORRUPT` if the node is missing or unreadable
   */
  require(reference: NodeReference, root: Bytes): TrieNode {
    const { bytes, offset } = reference;
    const key = cacheKey(bytes, offset);
    const cached = this.#cache.get(key);
    if (cached !== undefined && isAt(cached.hash as Bytes, bytes, offset)) return cached;
    return this.#load(referencedHash(reference), key, root);
  }

  #load(hash: Bytes, key: number, root: Bytes): TrieNode {
    const encoded = this.#source.getTrieNode(hash);
    if (encoded === undefined) throw corrupt("missing", hash, root);
    try {
      const node = decodeNode(encoded);
      node.hash = hash;
      this.#cache.set(key, node);
      return node;
    } catch (cause) {
      throw corrupt("unreadable", hash, root, cause);
    }
  }

  /** Lets go of a node that will not be asked for. */
  forget(hash: Bytes): void {
    this.#cache.delete(cacheKey(hash, 0));
  }

  /** Takes in a node that has just become clean. Its children must be references or stand inside it. */
  add(node: TrieNode): void {
    if (node.hash !== undefined) this.#cache.set(cacheKey(node.hash, 0), node);
  }
}

/**
 * The first 48 bits of a hash: a number is a far cheaper map key than a string of the whole (19 against 80 to 240 ns a
 * look-up). Equality of the whole is checked on a hit; a collision only costs a second load.
 */
function cacheKey(bytes: Bytes, offset: number): number {
  const high =
    (((bytes[offset] as number) << 24) |
      ((bytes[offset + 1] as number) << 16) |
      ((bytes[offset + 2] as number) << 8) |
      (bytes[offset + 3] as number)) >>>
    0;
  return high * 65_536 + (((bytes[offset + 4] as number) << 8) | (bytes[offset + 5] as number));
}

function isAt(hash: Bytes, bytes: Bytes, offset: number): boolean {
  if (offset === 0 && bytes.length === 32) return equalBytes(hash, bytes);
  for (let index = 6; index < 32; index++) if (hash[index] !== bytes[offset + index]) return false;
  return true;
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
