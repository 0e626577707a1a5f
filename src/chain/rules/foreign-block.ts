/** Imported blocks that are decoded but not validated. */

import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { type RawBody, splitBlock } from "../../chainspec/header/block.ts";
import { type Header, hashHeader } from "../../chainspec/header/header.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** A decoded block: header and body. */
export interface ForeignBlock {
  readonly hash: Bytes;
  readonly header: Header;
  readonly body: RawBody;
  /** RLP of the whole block. */
  readonly bytes: Bytes;
  /** Its transactions, if they were decoded in advance. */
  readonly ahead?: DecodedAhead | undefined;
}

/** Transactions of a block whose parent may not be known yet. */
export interface DecodedAhead {
  /** Hardfork by whose rules they were decoded. */
  readonly hardfork: Hardfork;
  readonly transactions: readonly Transaction[];
  /** Resolves when the signers of all valid signatures are recovered. Never rejects. */
  readonly signed: Promise<void>;
}

/**
 * Decodes a block's RLP, but not its transactions.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` if it is not a block
 */
export function readBlock(bytes: Bytes): ForeignBlock {
  const { header, body } = splitBlock(bytes);
  return { hash: hashHeader(header), header, body, bytes };
}
