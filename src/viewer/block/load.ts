/** Loads the data that the page of a block shows. */
import { ask } from "../rpc/client.ts";
import type { Block, Hex, Receipt } from "../rpc/types.ts";

type FeeHistory = { readonly blobGasUsedRatio?: readonly number[] };

/** A block with its receipts, and its place in the chain. */
export interface LoadedBlock {
  readonly block: Block;
  /** In the order of the transactions; undefined for one that is not known. */
  readonly receipts: readonly (Receipt | undefined)[];
  /** True for a block that is not mined yet. */
  readonly isPending: boolean;
  /** Hash of the chain's block with this number; undefined for the pending block. */
  readonly canonicalHash: Hex | undefined;
  /** Undefined for the pending block. */
  readonly details: BlockDetails | undefined;
  /** Part of the blob gas that the block could use, from 0 to 1; undefined if there is none. */
  readonly blobShare: number | undefined;
}

/** Ether that a block made, and the fees of its transactions, in wei. */
export interface BlockDetails {
  readonly issuance: { readonly blockReward: Hex; readonly uncleReward: Hex };
  readonly totalFees: Hex;
}

/**
 * @param id - number, hash or tag
 * @throws {Error} if there is no such block
 */
export async function loadBlock(id: string): Promise<LoadedBlock> {
  const isHash = id.length === 66;
  const method = isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  const block = await ask<Block | null>(method, /^\d+$/.test(id) ? `0x${BigInt(id).toString(16)}` : id, true);
  if (block === null) throw new Error("The node has no such block. A revert may have removed it.");
  const isPending = id === "pending";
  const [receipts, own, details] = await Promise.all([
    ask<readonly Receipt[] | null>("eth_getBlockReceipts", isPending ? id : block.hash),
    isPending ? null : ask<{ readonly hash: Hex } | null>("eth_getHeaderByNumber", block.number),
    // Other chains' blocks may have rewards that the node does not know.
    isPending ? undefined : ask<BlockDetails>("ots_getBlockDetailsByHash", block.hash).catch(() => undefined),
  ]);
  const isCanonical = own?.hash === block.hash;
  const blobShare = isCanonical && BigInt(block.blobGasUsed ?? 0) > 0n ? await loadBlobShare(block.number) : undefined;
  // The pending block may have changed between the two answers.
  const byHash = new Map(receipts?.map((receipt) => [receipt.transactionHash, receipt]));
  return {
    block,
    receipts: block.transactions.map(({ hash }) => byHash.get(hash)),
    isPending,
    canonicalHash: own?.hash,
    details,
    blobShare,
  };
}

/** The hardfork of the block decides how much blob gas it may use; the history of fees knows. */
async function loadBlobShare(number: Hex): Promise<number | undefined> {
  const history = await ask<FeeHistory>("eth_feeHistory", "0x1", number, []).catch(() => undefined);
  return history?.blobGasUsedRatio?.[0];
}
