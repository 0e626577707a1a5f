/** Blocks from outside, as they are before anybody has held them against a chain. */

import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { type RawBody, splitBlock } from "../../chainspec/header/block.ts";
import { type Header, hashHeader } from "../../chainspec/header/header.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** A block as it came, in its two parts. */
export interface ForeignBlock {
  readonly hash: Bytes;
  readonly header: Header;
  readonly body: RawBody;
  /** RLP of the whole. */
  readonly bytes: Bytes;
  /** Its transactions, where they were decoded before its turn. */
  readonly ahead?: DecodedAhead | undefined;
}

/** Transactions of a block whose parent may not be there yet. */
export interface DecodedAhead {
  /** The one they were decoded for. */
  readonly hardfork: Hardfork;
  readonly transactions: readonly Transaction[];
  /** Fulfilled when their signers are known, as far as they can be. Never rejects. */
  readonly signed: Promise<void>;
}

/**
 * Reads a block's RLP; its transactions stay as they are.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` when it is no block
 */
export function readBlock(bytes: Bytes): ForeignBlock {
  const { header, body } = splitBlock(bytes);
  return { hash: hashHeader(header), header, body, bytes };
}
