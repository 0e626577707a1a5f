/** The forms in which callers name blocks. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** The tags of execution-apis. `pending` is the block that would be mined now. */
export type BlockTag = "earliest" | "latest" | "pending" | "safe" | "finalized";

/** A block by number, by tag, or by hash (EIP-1898). */
export type BlockId =
  | { readonly number: bigint }
  | { readonly tag: BlockTag }
  | { readonly hash: Bytes; readonly requireCanonical: boolean };

/** The head. */
export const LATEST: BlockId = { tag: "latest" };
/** The block that would be mined now. */
export const PENDING: BlockId = { tag: "pending" };
