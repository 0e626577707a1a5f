/**
 * Decoded nodes of a Merkle Patricia trie whose keys all have the same length (yellow paper appendix D).
 *
 * A node is *clean* (its bytes are stored under its hash, or inside a clean parent; many tries share it, so nobody
 * changes it) or *fresh* (it belongs to one trie, which changes it in place). Since no key is a prefix of another, a
 * branch never holds a value of its own.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

export const NodeKind = { leaf: 0, extension: 1, branch: 2, reference: 3 } as const;

/** What every decoded node has. */
interface NodeState {
  /** True while the node belongs to one trie only and is not stored. */
  isFresh: boolean;
  /** keccak256 of its RLP; undefined while unknown, and for nodes that stand inside their parent. */
  hash: Bytes | undefined;
  /**
   * RLP of a fresh node until it is stored or changed again: of one that stands inside its parent, and of others where their
   * trie keeps it.
   */
  encoded: Bytes | undefined;
  /** Array that nobody else has: the next hash of a fresh node is written into it. */
  digest: Bytes | undefined;
}

export interface LeafNode extends NodeState {
  readonly kind: typeof NodeKind.leaf;
  path: Bytes;
  value: Bytes;
}

export interface ExtensionNode extends NodeState {
  readonly kind: typeof NodeKind.extension;
  path: Bytes;
  child: Child;
}

export interface BranchNode extends NodeState {
  readonly kind: typeof NodeKind.branch;
  /** By nibble. */
  readonly children: (Child | null)[];
  /** RLP that the branch had once, which others may have too; undefined for a new one. */
  base: Bytes | undefined;
  /** An array as `branch-bytes.ts` writes it, which takes the place of {@link base}: of branches whose trie stays open. */
  own: Bytes | undefined;
  /** A bit for each nibble at which {@link own}, or else {@link base}, has a hash. */
  hashed: number;
  /** A bit for each nibble at which the branch may have another child than they. */
  changed: number;
}

/**
 * A node that is known by its hash only: the 32 bytes at `offset` of `bytes`.
 *
 * Pointing into the parent's RLP spares 16 arrays per decoded branch.
 */
export interface NodeReference {
  readonly kind: typeof NodeKind.reference;
  readonly bytes: Bytes;
  readonly offset: number;
}

export type TrieNode = LeafNode | ExtensionNode | BranchNode;

/** What hangs below a node: another node, or the hash of one. */
export type Child = TrieNode | NodeReference;

export function makeLeaf(path: Bytes, value: Bytes, isFresh = true): LeafNode {
  return { kind: NodeKind.leaf, isFresh, hash: undefined, encoded: undefined, digest: undefined, path, value };
}

export function makeExtension(path: Bytes, child: Child, isFresh = true): ExtensionNode {
  return { kind: NodeKind.extension, isFresh, hash: undefined, encoded: undefined, digest: undefined, path, child };
}

/** A bit for each nibble. */
const ALL_CHILDREN = 0xffff;

/** A branch of which no RLP is known. */
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

/** A fresh copy of a clean branch. It takes the array of its own that the other one may have. */
export function copyBranch({ children, base, own, hashed, changed }: BranchNode): BranchNode {
  const copy = makeBranch(children.slice());
  copy.base = base;
  copy.own = own;
  copy.hashed = hashed;
  copy.changed = changed;
  return copy;
}

/** Hangs another child into a fresh branch. */
export function setChild(branch: BranchNode, nibble: number, child: Child | null): void {
  branch.children[nibble] = child;
  branch.changed |= 1 << nibble;
}

/** From now on the RLP of a branch is written as a whole, or from nothing. */
export function forgetBranchBytes(branch: BranchNode): void {
  branch.base = undefined;
  branch.own = undefined;
  branch.hashed = 0;
  branch.changed = ALL_CHILDREN;
}

/** A branch with nothing below it, to be filled. */
export function makeEmptyBranch(): BranchNode {
  return makeBranch(new Array<Child | null>(16).fill(null));
}

/** A reference to the node whose hash stands at `offset` of `bytes`. */
export function makeReference(bytes: Bytes, offset = 0): NodeReference {
  return { kind: NodeKind.reference, bytes, offset };
}

/** A copy of the 32-byte hash behind a reference. */
export function referencedHash(reference: NodeReference): Bytes {
  return reference.bytes.slice(reference.offset, reference.offset + 32);
}
