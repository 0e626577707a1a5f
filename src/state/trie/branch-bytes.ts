/**
 * Updates the RLP of branches in place. Nearly all children are hashes, so a child's position follows from the number
 * of children before it. A changed hash is overwritten; adding or removing a child moves the bytes after it. This is
 * faster than writing all sixteen children.
 *
 * The payload begins at {@link HEAD} of the array, right after the RLP header of one to three bytes.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { headBytes } from "../../primitives/rlp/rlp-head.ts";
import { type BranchNode, type Child, NodeKind } from "./node.ts";

const HEAD = 3;
const EMPTY_STRING = 0x80;
const HASH_PREFIX = 0xa0;
const HASH_BYTES = 32;
/** Members of a branch: sixteen children and a value, which is empty. */
const MEMBERS = 17;
/** Size of the array for a branch with sixteen hashes. */
export const BRANCH_CAPACITY = HEAD + MEMBERS + 16 * HASH_BYTES;

/** Copies the RLP of a branch to the array of {@link updateBranch}; undefined for a new branch. */
export function startBranch(out: Bytes, base: Bytes | undefined): void {
  if (base === undefined) out.fill(EMPTY_STRING, HEAD, HEAD + MEMBERS);
  else out.set(base, HEAD - headBytes(base[0] as number));
}

/**
 * Updates the RLP of a branch. Its children must be hashed already.
 *
 * @returns offset of its first byte, at most {@link HEAD}; undefined if a child is embedded, in which case the array is
 * invalid
 */
export function updateBranch(out: Bytes, branch: BranchNode): number | undefined {
  const { children } = branch;
  for (let rest = branch.changed; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const nibble = 31 - Math.clz32(bit);
    const position = HEAD + nibble + HASH_BYTES * countBits(branch.hashed & (bit - 1));
    const child = children[nibble] as Child | null;
    if (child === null) removeHash(out, position, branch, bit);
    else {
      const isReference = child.kind === NodeKind.reference;
      const hash = isReference ? child.bytes : child.hash;
      if (hash === undefined) return undefined;
      insertHash(out, position, branch, bit);
      writeHash(out, position, hash, isReference ? child.offset : 0);
    }
  }
  branch.changed = 0;
  return writeHead(out, branchPayloadLength(branch));
}

/** The RLP in an array that {@link updateBranch} has updated. */
export function bytesOfBranch(out: Bytes, branch: BranchNode): Bytes {
  return out.subarray(writeHead(out, branchPayloadLength(branch)), branchEnd(branch));
}

/** Offset of the end of the RLP in the array of a branch. */
export function branchEnd(branch: BranchNode): number {
  return HEAD + branchPayloadLength(branch);
}

function branchPayloadLength({ hashed }: BranchNode): number {
  return MEMBERS + HASH_BYTES * countBits(hashed);
}

function removeHash(out: Bytes, position: number, branch: BranchNode, bit: number): void {
  if ((branch.hashed & bit) === 0) return;
  out.copyWithin(position, position + HASH_BYTES, branchEnd(branch));
  branch.hashed &= ~bit;
  out[position] = EMPTY_STRING;
}

function insertHash(out: Bytes, position: number, branch: BranchNode, bit: number): void {
  if ((branch.hashed & bit) !== 0) return;
  out.copyWithin(position + 1 + HASH_BYTES, position + 1, branchEnd(branch));
  branch.hashed |= bit;
}

/** Writes a hash as a child; returns the offset after it. */
export function writeHash(out: Bytes, position: number, bytes: Bytes, offset: number): number {
  out[position] = HASH_PREFIX;
  // For 32 bytes a loop is faster than subarray() and set().
  for (let index = 0; index < HASH_BYTES; index++) out[position + 1 + index] = bytes[offset + index] as number;
  return position + 1 + HASH_BYTES;
}

function writeHead(out: Bytes, length: number): number {
  if (length < 56) {
    out[HEAD - 1] = 0xc0 + length;
    return HEAD - 1;
  }
  out[HEAD - 1] = length & 0xff;
  if (length < 256) {
    out[HEAD - 2] = 0xf8;
    return HEAD - 2;
  }
  out[HEAD - 2] = length >> 8;
  out[HEAD - 3] = 0xf9;
  return HEAD - 3;
}

/** Number of one bits among 16. */
function countBits(bits: number): number {
  let count = bits - ((bits >> 1) & 0x5555);
  count = (count & 0x3333) + ((count >> 2) & 0x3333);
  count = (count + (count >> 4)) & 0x0f0f;
  return (count + (count >> 8)) & 0x1f;
}
