/** A reader's batches, and the numbers of blocks that their operations change. */
import { bytesToBigInt } from "../primitives/bytes/bytes.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { canonicalKey, metaKey } from "../store/codecs/keys.ts";
import { metaSlots, tables } from "../store/schema.ts";
import type { ChainDescription } from "./chain-description.ts";

/** The numbers of blocks whose place in the chain a batch changes, and whether it has a head. */
export interface HeadNumbers {
  /** Ascending. */
  readonly numbers: readonly bigint[];
  readonly movesHead: boolean;
}

/** A batch of the writer. */
export interface FollowedChange extends HeadNumbers {
  /** The chain's new description, if it has another genesis. */
  readonly description: ChainDescription | undefined;
  write(): Promise<void>;
}

/** The chain that follows. */
export interface FollowingChain {
  /** Applies a batch, and tells listeners how the head moved. */
  follow(change: FollowedChange): Promise<void>;
}

const CANONICAL = tables.canonicalHashes.prefix;
const CANONICAL_KEY_BYTES = canonicalKey(0n).length;
const META = metaKey("head")[0];

/** Reads them from the keys of a batch. */
export function headNumbersOf(operations: readonly BatchOperation[]): HeadNumbers {
  const numbers = new Set<bigint>();
  let movesHead = false;
  for (const { key, table } of operations) {
    if (table !== undefined) continue;
    if (key[0] === CANONICAL && key.length === CANONICAL_KEY_BYTES) numbers.add(bytesToBigInt(key.subarray(1)));
    else if (key[0] === META && key[1] === metaSlots.head) movesHead = true;
  }
  const ascending = [...numbers].sort((left, right) => (left < right ? -1 : 1));
  return { numbers: ascending, movesHead };
}
