/** Finds the blocks that leave and join the canonical chain when the head moves. */
import type { Block } from "../../chainspec/header/block.ts";
import { InternalError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";

/** Blocks between two heads and their newest common ancestor, both ascending by number. */
export interface HeadPath {
  readonly removed: readonly Block[];
  readonly added: readonly Block[];
}

/**
 * Walks both branches back to their common ancestor, a block in each step. The cost grows with the branches, not with the
 * chain.
 *
 * @throws {InternalError} if a parent is missing: both heads must be on chains from the same genesis
 */
export function* pathBetween(from: Block, to: Block, getBlock: (hash: Bytes) => Block | undefined): Steps<HeadPath> {
  const removed: Block[] = [];
  const added: Block[] = [];
  let left = from;
  let right = to;
  while (!equalBytes(left.hash, right.hash)) {
    if (left.header.number >= right.header.number) {
      removed.push(left);
      left = parentOf(left, getBlock);
    } else {
      added.push(right);
      right = parentOf(right, getBlock);
    }
    yield;
  }
  return { removed: removed.reverse(), added: added.reverse() };
}

function parentOf(block: Block, getBlock: (hash: Bytes) => Block | undefined): Block {
  const parent = getBlock(block.header.parentHash);
  if (parent !== undefined) return parent;
  throw new InternalError({
    code: "INTERNAL_ERROR",
    what: `No way between two heads: the parent of block ${block.header.number} is missing.`,
  });
}
