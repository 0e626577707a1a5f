/**
 * Hashes the fresh nodes of a trie, children before parents. RLP is written directly to Keccak's input, and stored only
 * by tries that commit soon.
 */
import { ByteArena } from "../../primitives/bytes/byte-arena.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { keccak256Into, keccak256OfInput, keccakInput } from "../../primitives/hash/hash.ts";
import { BRANCH_CAPACITY, branchEnd, bytesOfBranch, startBranch, updateBranch } from "./branch-bytes.ts";
import { type BranchNode, type Child, forgetBranchBytes, NodeKind, type TrieNode } from "./node.ts";
import { MAX_EMBEDDED_LENGTH, writeNode } from "./node-codec.ts";

/** Hashes the fresh nodes of one trie. */
export class NodeSealer {
  readonly #run: ByteArena | undefined;
  /** Arrays for branches of a run. */
  readonly #own = new ByteArena();

  /** @param run - arena for hashes and RLP of a trie with many roots between two commits */
  constructor(run: ByteArena | undefined) {
    this.#run = run;
  }

  /** Hash of the root node, which must be fresh. It is hashed even if it is short. */
  rootOf(top: TrieNode): Bytes {
    this.#seal(top);
    top.hash ??= keccak256Into(top.encoded as Bytes, this.#digestOf(top));
    return top.hash;
  }

  /** RLP of a hashed node, to be stored. */
  encodedOf(node: TrieNode): Bytes {
    if (node.encoded !== undefined) return node.encoded;
    const own = node.kind === NodeKind.branch ? node.own : undefined;
    if (own !== undefined) return this.#stored(bytesOfBranch(own, node as BranchNode));
    return this.#stored(keccakInput.subarray(0, writeNode(keccakInput, node)));
  }

  #stored(bytes: Bytes): Bytes {
    return this.#run === undefined ? bytes.slice() : this.#run.copy(bytes);
  }

  /** Encodes and hashes the fresh nodes of a subtree that changed since they were last hashed. */
  #seal(node: TrieNode): void {
    if (!node.isFresh || node.hash !== undefined || node.encoded !== undefined) return;
    if (node.kind === NodeKind.extension) this.#sealChild(node.child);
    else if (node.kind === NodeKind.branch) {
      this.#sealChildren(node);
      if (this.#sealBranch(node)) return;
    }
    const length = writeNode(keccakInput, node);
    const isEmbedded = length <= MAX_EMBEDDED_LENGTH;
    if (!isEmbedded) node.hash = keccak256OfInput(0, length, this.#digestOf(node));
    if (isEmbedded || this.#run === undefined) node.encoded = keccakInput.slice(0, length);
  }

  #sealChildren({ children, changed }: BranchNode): void {
    for (let rest = changed; rest !== 0; rest &= rest - 1) {
      this.#sealChild(children[31 - Math.clz32(rest & -rest)] as Child | null);
    }
  }

  #sealChild(child: Child | null): void {
    if (child !== null && child.kind !== NodeKind.reference) this.#seal(child);
  }

  /** Hashes a branch whose children are all hashes, from its previous RLP. Returns false for other branches. */
  #sealBranch(branch: BranchNode): boolean {
    if (this.#run !== undefined && branch.own === undefined) {
      branch.own = this.#own.allocate(BRANCH_CAPACITY);
      startBranch(branch.own, branch.base);
    }
    if (branch.own === undefined) startBranch(keccakInput, branch.base);
    const start = updateBranch(branch.own ?? keccakInput, branch);
    if (start === undefined) {
      forgetBranchBytes(branch);
      return false;
    }
    if (branch.own !== undefined) keccakInput.set(branch.own);
    const end = branchEnd(branch);
    branch.hash = keccak256OfInput(start, end, this.#digestOf(branch));
    if (branch.own === undefined) branch.encoded = keccakInput.slice(start, end);
    return true;
  }

  /**
   * The array for the hash of a fresh node. It belongs to the node and is reused for its next hash, unless it was given
   * away.
   */
  #digestOf(node: TrieNode): Bytes {
    node.digest ??= this.#run === undefined ? new Uint8Array(32) : this.#run.allocate(32);
    return node.digest;
  }
}
