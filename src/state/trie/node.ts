/**
 * Decoded nodes of a Merkle Patricia trie whose keys all have the same length (yellow paper appendix D).
 *
 * A node is *clean* or *fresh*. A clean node is stored under its hash, or embedded in a clean parent; tries share it,
 * so it is never changed. A fresh node belongs to one trie, which changes it in place. Since no key is a prefix of
 * another, a branch never has a value.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** `reference` is a node that is only known by its hash. */
export const NodeKind = { leaf: 0, extension: 1, branch: 2, reference: 3 } as const;

/** Members of every decoded node. */
interface NodeState {
  /** True if the node belongs to one trie only and is not stored. */
  isFresh: boolean;
  /** keccak256 of its RLP; undefined while unknown, and for embedded nodes. */
  hash: Bytes | undefined;
  /**
   * RLP of a fresh node, until it is stored or changed. Present for embedded nodes, and for others if their trie keeps it.
   */
  encoded: Bytes | undefined;
  /** Array for the next hash of a fresh node; no other object refers to it. */
  digest: Bytes | undefined;
}

/** The end of a key: `path` has the nibbles that no node above it took. */
export interface LeafNode extends NodeState {
  readonly kind: typeof NodeKind.leaf;
  path: Bytes;
  value: Bytes;
}

/** Nibbles that all keys below it share; its child is a branch. */
export interface ExtensionNode extends NodeState {
  readonly kind: typeof NodeKind.extension;
  path: Bytes;
  child: Child;
}

/** A choice among 16 nibbles. Keys have one length, so a branch has no value. */
export interface BranchNode extends NodeState {
  readonly kind: typeof NodeKind.branch;
  /** By nibble. */
  readonly children: (Child | null)[];
  /** An earlier RLP of the branch, which other branches may share; undefined for a new one. */
  base: Bytes | undefined;
  /** Array as in `branch-bytes.ts`, which replaces {@link base} in tries that stay open. */
  own: Bytes | undefined;
  /** Bit mask of nibbles at which {@link own}, or else {@link base}, has a hash. */
  hashed: number;
  /** Bit mask of nibbles whose child may differ from that in {@link own} or {@link base}. */
  changed: number;
}

/**
 * A node of which only the hash is known: the 32 bytes at `offset` of `bytes`.
 *
 * The view into the parent's RLP saves 16 arrays per decoded branch.
 */
export interface NodeReference {
  readonly kind: typeof NodeKind.reference;
  readonly bytes: Bytes;
  readonly offset: number;
}

/** A decoded node. */
export type TrieNode = LeafNode | ExtensionNode | BranchNode;

/** A child: a decoded node, or a reference. */
export type Child = TrieNode | NodeReference;

/** A leaf; fresh unless it was read from the store. */
export function makeLeaf(path: Bytes, value: Bytes, isFresh = true): LeafNode {
  return { kind: NodeKind.leaf, isFresh, hash: undefined, encoded: undefined, digest: undefined, path, value };
}

/** An extension; fresh unless it was read from the store. */
export function makeExtension(path: Bytes, child: Child, isFresh = true): ExtensionNode {
  return { kind: NodeKind.extension, isFresh, hash: undefined, encoded: undefined, digest: undefined, path, child };
}

/** Bit mask of all nibbles. */
const ALL_CHILDREN = 0xffff;

/** A branch without known RLP. */
export function makeBranch(children: (Child | null)[], isFresh = true): BranchNode {
  return {
    kind: NodeKind.branch,
    isFresh,
    hash: undefined,
    encoded: undefined,
    digest: undefined,
    children,
    base: undefined,
    own: undefined,
    hashed: 0,
    changed: ALL_CHILDREN,
  };
}

/** A fresh copy of a clean branch. It takes over the array {@link BranchNode.own}, if there is one. */
export function copyBranch({ children, base, own, hashed, changed }: BranchNode): BranchNode {
  const copy = makeBranch(children.slice());
  copy.base = base;
  copy.own = own;
  copy.hashed = hashed;
  copy.changed = changed;
  return copy;
}

/** Sets a child of a fresh branch. */
export function setChild(branch: BranchNode, nibble: number, child: Child | null): void {
  branch.children[nibble] = child;
  branch.changed |= 1 << nibble;
}

/** Drops the known RLP of a branch, so that it is written in full next time. */
export function forgetBranchBytes(branch: BranchNode): void {
  branch.base = undefined;
  branch.own = undefined;
  branch.hashed = 0;
  branch.changed = ALL_CHILDREN;
}

/** A branch without children. */
export function makeEmptyBranch(): BranchNode {
  return makeBranch(new Array<Child | null>(16).fill(null));
}

/** A reference to the node whose hash is at `offset` of `bytes`. */
export function makeReference(bytes: Bytes, offset = 0): NodeReference {
  return { kind: NodeKind.reference, bytes, offset };
}

/** A copy of a reference's 32-byte hash. */
export function referencedHash(reference: NodeReference): Bytes {
  return reference.bytes.slice(reference.offset, reference.offset + 32);
}
