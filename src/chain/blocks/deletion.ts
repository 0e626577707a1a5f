/** Blocks, and values stored by hash, that are deleted from the store together. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { type HashedTable, noHashes } from "./joined-hashes.ts";

/** Number of blocks that are deleted in one step, which takes about a millisecond. */
export const BLOCKS_A_STEP = 200;

/** A block in the ledger. */
export interface NotedBlock {
  readonly hash: Bytes;
  readonly number: bigint;
}

/** Blocks and values to delete. */
export interface Deletions {
  readonly blocks: readonly NotedBlock[];
  readonly hashed: Readonly<Record<HashedTable, readonly Bytes[]>>;
}

/** Everything that is deleted together. */
export interface Deletion {
  /** True for a block that is in a part not taken yet. */
  readonly isLeaving: (blockHash: Bytes) => boolean;
  /** The blocks come first. All must be taken before another write. */
  readonly parts: Iterable<Deletions>;
}

/** Deletions of nothing so far. */
export function emptyDeletions(): { readonly blocks: NotedBlock[]; readonly hashed: Record<HashedTable, Bytes[]> } {
  return { blocks: [], hashed: noHashes() };
}
