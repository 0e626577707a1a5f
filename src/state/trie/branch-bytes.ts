/**
 * RLP of branches as they change. Below nearly all of them stand hashes only, so that the place of a child follows from how
 * many stand before it: another hash is 32 bytes written over, a child more or less moves the bytes behind it. Beside
 * writing sixteen children that takes a tenth of the time.
 *
 * The payload stands at {@link HEAD} of an array, the head, of one to three bytes, right before it.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { type BranchNode, type Child, NodeKind } from "./node.ts";

const HEAD = 3;
const EMPTY_STRING = 0x80;
const HASH_PREFIX = 0xa0;
const HASH_BYTES = 32;
/** Members of a branch: sixteen children, and a value, which stays empty. */
const MEMBERS = 17;
/** Bytes of the array of a branch with sixteen hashes. */
export const BRANCH_CAPACITY = HEAD + MEMBERS + 16 * HASH_BYTES;

/** Writes what a branch has been, for {@link updateBranch} to go on from: its RLP, or nothing where it is new. */
export function startBranch(out: Bytes, base: Bytes | undefined): void {
  if (base === undefined) out.fill(EMPTY_STRING, HEAD, HEAD + MEMBERS);
  else out.set(base, HEAD - headLength(base[0] as number));
}

/**
 * Brings the RLP of a branch up to its children, which are hashed already, and notes that it is.
 *
 * @returns where it begins, at most at {@link HEAD}; undefined where a child stands inside, and the array holds nothing of
 *   use
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

/** The RLP in an array that {@link updateBranch} has brought up to date. */
export function bytesOfBranch(out: Bytes, branch: BranchNode): Bytes {
  return out.subarray(writeHead(out, branchPayloadLength(branch)), branchEnd(branch));
}

/** Where the RLP in the array of a branch ends. */
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

/** Writes a hash as a child; returns the position behind it. */
export function writeHash(out: Bytes, position: number, bytes: Bytes, offset: number): number {
  out[position] = HASH_PREFIX;
  // A loop: for 32 bytes it costs half of subarray() and set().
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

function headLength(first: number): number {
  return first < 0xf8 ? 1 : first - 0xf6;
}

/** Of 16 bits. */
function countBits(bits: number): number {
  let count = bits - ((bits >> 1) & 0x5555);
  count = (count & 0x3333) + ((count >> 2) & 0x3333);
  count = (count + (count >> 4)) & 0x0f0f;
  return (count + (count >> 8)) & 0x1f;
}
