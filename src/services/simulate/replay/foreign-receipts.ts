/**
 * Checks that a block of the forked chain, run again here, has the results it had there, because otherwise a trace
 * would be wrong without notice.
 */
import type { ChainBlocks } from "../../../chain/readable-chain.ts";
import { foreignHistory } from "../../../chainspec/genesis/foreign-history.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { Receipt } from "../../../chainspec/transaction/receipt.ts";
import { TransactionRejectedError, UnsupportedError } from "../../../errors/hindcast-error.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";

/**
 * Refuses blocks of forked chains that are known to follow other rules.
 *
 * @throws {UnsupportedError} `FOREIGN_RULES`
 */
export function refuseForeignBlock(chain: ChainBlocks, block: Block): void {
  const chainId = chain.history?.remote.chainId;
  const foreign = chainId === undefined || !chain.isBelowFork(block) ? undefined : foreignHistory(chainId);
  if (foreign === undefined) return;
  throw new UnsupportedError({
    code: "FOREIGN_RULES",
    what: `Blocks of ${foreign.name} cannot be run here, because ${foreign.reason}.`,
    where: `Block ${block.header.number} of chain ${chainId}.`,
    fix: "Its own node has to trace them: the fork passes traces of blocks and transactions on if that node serves the method.",
  });
}

/**
 * The error of a block of the forked chain in which a transaction is not even allowed here, by other rules or since the
 * upstream node gave a false state; others stay as they are.
 */
export function refusedHere(chain: ChainBlocks, block: Block, index: number, cause: unknown): unknown {
  if (!(cause instanceof TransactionRejectedError) || !chain.isBelowFork(block)) return cause;
  return differsThere(block, index, `it is in the block there, and refused here: ${cause.what}`, cause);
}

/** Compares the receipt of an executed transaction with the upstream node's. */
export type ReceiptCheck = (index: number, receipt: Receipt) => void;

/** The check for a block; undefined for this node's own blocks, which need none. */
export async function receiptCheckOf(chain: ChainBlocks, block: Block): Promise<ReceiptCheck | undefined> {
  if (!chain.isBelowFork(block)) return undefined;
  const receipts = await chain.getReceipts(block);
  return (index, ours) => {
    const theirs = receipts[index];
    const differs = theirs === undefined ? "it has no receipt there" : difference(ours, theirs);
    if (differs !== undefined) throw differsThere(block, index, differs);
  };
}

/**
 * Describes the difference of two receipts; undefined if there is none. State roots are not compared, because a fork
 * cannot compute them.
 */
function difference(ours: Receipt, theirs: Receipt): string | undefined {
  if (ours.cumulativeGasUsed !== theirs.cumulativeGasUsed) {
    return `gas used in the block up to it is ${ours.cumulativeGasUsed} here and ${theirs.cumulativeGasUsed} there`;
  }
  if (theirs.status !== undefined && ours.status !== undefined && ours.status !== theirs.status) {
    return `it ${ours.status ? "succeeds" : "fails"} here and ${theirs.status ? "succeeded" : "failed"} there`;
  }
  if (ours.logs.length === theirs.logs.length) return undefined;
  return `it emits ${ours.logs.length} logs here and emitted ${theirs.logs.length} there`;
}

function differsThere(block: Block, index: number, difference: string, cause?: unknown): UnsupportedError {
  return new UnsupportedError({
    code: "FOREIGN_RULES",
    what: `Block ${block.header.number} of the other chain does something else when it is run here, so it has no trace.`,
    where: `Transaction ${index}, ${encodeData(block.transactions[index]?.hash ?? block.hash)}: ${difference}${difference.endsWith(".") ? "" : "."}`,
    fix: "Give the chain's hardforks by `genesis`. Chains with rules of their own are traced by their own nodes.",
    cause,
  });
}
