/**
 * A writable Merkle Patricia trie over keys of one length (yellow paper appendix D), synchronous.
 *
 * Used instead of `@ethereumjs/mpt`, which is asynchronous throughout and hashes every node on the path at every put.
 * This trie changes nodes in memory and hashes each changed node once, when a root is requested.
 *
 * Paths are nibbles, values bytes. {@link Trie.commit} gives the nodes that the store lacks. Nodes are loaded when a
 * path first reaches them. The trie does not know accounts and does not hash keys.
 *
 * It has over 300 lines, because putting, deleting and hashing change the same nodes.
 */

import type { ByteArena } from "../../primitives/bytes/byte-arena.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import type { HashedBytes } from "../view.ts";
import { joinPaths, sharedNibbles } from "./nibbles.ts";
import {
  type BranchNode,
  type Child,
  copyBranch,
  type ExtensionNode,
  type LeafNode,
  makeEmptyBranch,
  makeExtension,
  makeLeaf,
  makeReference,
  NodeKind,
  setChild,
  type TrieNode,
} from "./node.ts";
import { NodeSealer } from "./node-sealer.ts";
import type { TrieNodes } from "./trie-nodes.ts";

/** For tries that do not live for one commit only. */
export interface TrieOptions {
  /**
   * Arena for a trie with many small changes and a root after each. Such a trie keeps its nodes when they are stored,
   * because it continues from them and does not share them, and does not keep RLP that soon changes.
   */
  readonly run?: ByteArena | undefined;
  /**
   * On a fork: asked before a deletion reads the only node left beside a deleted one, at this path. If it is false, the
   * deletion throws {@link UnknownSibling}.
   */
  readonly maySee?: ((path: Bytes) => boolean) | undefined;
}

/** A deletion needs the node at a path, which the trie must not read. The trie can no longer be used. */
export class UnknownSibling extends Error {
  /** Nibbles. */
  readonly path: Bytes;

  constructor(path: Bytes) {
    super("the node beside a deleted one is not known");
    this.path = path;
  }
}

/** One trie of accounts or of an account's slots. Not stored until the nodes of {@link commit} are. */
export class Trie {
  readonly #nodes: TrieNodes;
  /** Root at which the trie was opened, for error texts. */
  readonly #openedAt: Bytes;
  readonly #staysOpen: boolean;
  readonly #maySee: TrieOptions["maySee"];
  readonly #sealer: NodeSealer;
  #top: Child | null;
  /** Set when a put or delete changes a node, so that its parents are updated too. */
  #hasChanged = false;

  constructor(nodes: TrieNodes, root: Bytes, { run, maySee }: TrieOptions = {}) {
    this.#nodes = nodes;
    this.#staysOpen = run !== undefined;
    this.#maySee = maySee;
    this.#sealer = new NodeSealer(run);
    this.#openedAt = root;
    this.#top = equalBytes(root, EMPTY_TRIE_ROOT) ? null : makeReference(root);
  }

  /**
   * Sets the value of a key.
   *
   * @param key - nibbles; all keys of a trie have the same length
   * @param value - not empty; at most 32 KiB
   * @throws {StoreError} `STORE_CORRUPT` if a node on the path is missing
   */
  put(key: Bytes, value: Bytes): void {
    this.#hasChanged = false;
    this.#top = this.#insert(this.#top, key, 0, value);
  }

  /**
   * The value of a key, which must not be changed; undefined if there is none.
   *
   * @throws {StoreError} `STORE_CORRUPT` if a node on the path is missing
   */
  get(key: Bytes): Bytes | undefined {
    let child = this.#top;
    for (let depth = 0; child !== null; ) {
      const node = this.#resolve(child);
      if (node.kind === NodeKind.branch) {
        child = node.children[key[depth++] as number] as Child | null;
        continue;
      }
      if (sharedNibbles(node.path, key, depth) < node.path.length) return undefined;
      if (node.kind === NodeKind.leaf) return node.value;
      depth += node.path.length;
      child = node.child;
    }
    return undefined;
  }

  /**
   * True if a key begins with these nibbles.
   *
   * @throws {StoreError} `STORE_CORRUPT` if a node on the path is missing
   */
  hasKeyBelow(prefix: Bytes): boolean {
    let child = this.#top;
    for (let depth = 0; child !== null; ) {
      if (depth >= prefix.length) return true;
      const node = this.#resolve(child);
      if (node.kind === NodeKind.branch) {
        child = node.children[prefix[depth++] as number] as Child | null;
        continue;
      }
      const shared = sharedNibbles(node.path, prefix, depth);
      if (shared < node.path.length || node.kind === NodeKind.leaf) return depth + shared >= prefix.length;
      depth += shared;
      child = node.child;
    }
    return false;
  }

  /**
   * Removes a key, if it is present.
   *
   * @throws {StoreError} `STORE_CORRUPT` if a node on the path is missing
   */
  delete(key: Bytes): void {
    this.#hasChanged = false;
    this.#top = this.#remove(this.#top, key, 0);
  }

  /** The present root hash. Hashes only nodes that changed since the last call. */
  root(): Bytes {
    const top = this.#top;
    if (top === null) return EMPTY_TRIE_ROOT;
    if (top.kind === NodeKind.reference) return top.bytes;
    if (!top.isFresh) return top.hash as Bytes;
    const root = this.#sealer.rootOf(top);
    // The caller keeps the array.
    top.digest = undefined;
    return root;
  }

  /** Adds the nodes of the root that no earlier commit of this trie has added. */
  commit(added: HashedBytes[]): void {
    const root = this.root();
    if (this.#top === null || this.#top.kind === NodeKind.reference) return;
    this.#collect(this.#top, added);
    if (!this.#staysOpen) this.#top = makeReference(root);
  }

  #resolve(child: Child): TrieNode {
    return child.kind === NodeKind.reference ? this.#nodes.require(child, this.#openedAt) : child;
  }

  #insert(child: Child | null, key: Bytes, depth: number, value: Bytes): Child {
    if (child === null) {
      this.#hasChanged = true;
      return makeLeaf(key.slice(depth), value);
    }
    const node = this.#resolve(child);
    if (node.kind === NodeKind.branch) {
      const nibble = key[depth] as number;
      const below = this.#insert(node.children[nibble] as Child | null, key, depth + 1, value);
      if (!this.#hasChanged) return child;
      const branch = ownBranch(node);
      setChild(branch, nibble, below);
      return branch;
    }
    const shared = sharedNibbles(node.path, key, depth);
    if (shared < node.path.length) return this.#split(node, shared, key.slice(depth), value);
    if (node.kind === NodeKind.leaf) {
      if (equalBytes(node.value, value)) return child;
      this.#hasChanged = true;
      const leaf = ownLeaf(node);
      leaf.value = value;
      return leaf;
    }
    const below = this.#insert(node.child, key, depth + shared, value);
    if (!this.#hasChanged) return child;
    const extension = ownExtension(node);
    extension.child = below;
    return extension;
  }

  /** Inserts a branch at the point where a key differs from the path of a leaf or extension. */
  #split(node: LeafNode | ExtensionNode, shared: number, key: Bytes, value: Bytes): TrieNode {
    this.#hasChanged = true;
    const branch = makeEmptyBranch();
    const rest = node.path.slice(shared + 1);
    const nibble = node.path[shared] as number;
    if (node.kind === NodeKind.leaf) branch.children[nibble] = makeLeaf(rest, node.value);
    else branch.children[nibble] = rest.length === 0 ? node.child : makeExtension(rest, node.child);
    branch.children[key[shared] as number] = makeLeaf(key.slice(shared + 1), value);
    return shared === 0 ? branch : makeExtension(key.slice(0, shared), branch);
  }

  #remove(child: Child | null, key: Bytes, depth: number): Child | null {
    if (child === null) return null;
    const node = this.#resolve(child);
    if (node.kind === NodeKind.branch) return this.#removeBelowBranch(child, node, key, depth);
    if (sharedNibbles(node.path, key, depth) < node.path.length) return child;
    if (node.kind === NodeKind.leaf) {
      this.#hasChanged = true;
      return null;
    }
    const below = this.#remove(node.child, key, depth + node.path.length);
    if (!this.#hasChanged) return child;
    // The child of an extension is a branch, which remains when one of its entries is removed.
    return this.#extend(node.path, undefined, below as Child);
  }

  #removeBelowBranch(child: Child, node: BranchNode, key: Bytes, depth: number): Child {
    const nibble = key[depth] as number;
    const below = this.#remove(node.children[nibble] as Child | null, key, depth + 1);
    if (!this.#hasChanged) return child;
    const branch = ownBranch(node);
    setChild(branch, nibble, below);
    if (below !== null) return branch;
    const last = onlyChild(branch);
    if (last === undefined) return branch;
    const sibling = branch.children[last] as Child;
    if (sibling.kind === NodeKind.reference && this.#maySee !== undefined) {
      const path = joinPaths(key.slice(0, depth), last);
      if (!this.#maySee(path)) throw new UnknownSibling(path);
    }
    return this.#extend(EMPTY_PATH, last, sibling);
  }

  /** A node for `path`, `nibble` and `child` in canonical form: a leaf or an extension is merged with them. */
  #extend(path: Bytes, nibble: number | undefined, child: Child): TrieNode {
    const node = this.#resolve(child);
    if (node.kind === NodeKind.leaf) return makeLeaf(joinPaths(path, nibble, node.path), node.value);
    if (node.kind === NodeKind.extension) return makeExtension(joinPaths(path, nibble, node.path), node.child);
    return makeExtension(nibble === undefined ? path : joinPaths(path, nibble), child);
  }

  /**
   * Adds the fresh nodes of a subtree and makes them clean. Children are replaced by references unless the trie stays
   * open.
   */
  #collect(node: TrieNode, added: HashedBytes[]): void {
    if (!node.isFresh) return;
    if (node.kind === NodeKind.extension) node.child = this.#collectChild(node.child, added) as Child;
    else if (node.kind === NodeKind.branch) {
      const { children } = node;
      for (let nibble = 0; nibble < 16; nibble++) {
        children[nibble] = this.#collectChild(children[nibble] as Child | null, added);
      }
    }
    if (node.hash !== undefined) added.push({ hash: node.hash, bytes: this.#sealer.encodedOf(node) });
    if (node.kind === NodeKind.branch) keepAsBase(node);
    node.isFresh = false;
    node.encoded = undefined;
    node.digest = undefined;
    if (!this.#staysOpen) this.#nodes.add(node);
  }

  #collectChild(child: Child | null, added: HashedBytes[]): Child | null {
    if (child === null || child.kind === NodeKind.reference) return child;
    this.#collect(child, added);
    // A cached node that held its children would keep the whole trie in memory.
    return this.#staysOpen || child.hash === undefined ? child : makeReference(child.hash);
  }
}

const EMPTY_PATH: Bytes = new Uint8Array(0);

/** The node itself without its hash if it is fresh, else a fresh copy. */
function ownBranch(node: BranchNode): BranchNode {
  if (!node.isFresh) return copyBranch(node);
  keepAsBase(node);
  return forgetHash(node);
}

/** Keeps the encoding of a branch as the base of its next one. */
function keepAsBase(branch: BranchNode): void {
  // Not stored if a child is embedded, or if the bytes are the branch's own array.
  if (branch.encoded !== undefined && branch.changed === 0) branch.base = branch.encoded;
}

function ownExtension(node: ExtensionNode): ExtensionNode {
  return node.isFresh ? forgetHash(node) : makeExtension(node.path, node.child);
}

function ownLeaf(node: LeafNode): LeafNode {
  return node.isFresh ? forgetHash(node) : makeLeaf(node.path, node.value);
}

function forgetHash<Node extends TrieNode>(node: Node): Node {
  node.hash = undefined;
  node.encoded = undefined;
  return node;
}

/** The nibble of a branch's only child; undefined if it has several. */
function onlyChild(branch: BranchNode): number | undefined {
  let found: number | undefined;
  for (let nibble = 0; nibble < 16; nibble++) {
    if (branch.children[nibble] === null) continue;
    if (found !== undefined) return undefined;
    found = nibble;
  }
  return found;
}
