/** Looks up blocks, uncles, transactions and receipts. */

import { type BlockView, type BlockViews, describeBlockId, describeHead } from "../../chain/block-views.ts";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import type { ChainWriter } from "../../chain/chain-writer.ts";
import type { ChainBlocks, ChainStates } from "../../chain/readable-chain.ts";
import { type Block, encodeBlock } from "../../chainspec/header/block.ts";
import { encodeHeader, type Header } from "../../chainspec/header/header.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { NotFoundError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** A transaction with its block and index; `view` is undefined while it waits in the pool. */
export interface FoundTransaction {
  readonly tx: Transaction;
  readonly view: BlockView | undefined;
  readonly index: number;
}

/** A receipt with the values that its JSON derives from the receipts before it. */
export interface FoundReceipt extends FoundTransaction {
  readonly view: BlockView;
  readonly receipt: Receipt;
  /** Gas used by this transaction alone. */
  readonly gasUsed: bigint;
  /** Index in the block of the receipt's first log. */
  readonly firstLogIndex: number;
}

/** An uncle header with the total difficulty of the chain that ends with it. */
export interface FoundUncle {
  readonly header: Header;
  readonly totalDifficulty: bigint;
  /** JSON of the upstream node, if the uncle belongs to the forked chain. */
  readonly given: UpstreamJson | undefined;
}

/**
 * Serves `eth_getBlockByNumber` and similar methods. Unless a method says otherwise, unknown blocks and transactions
 * are undefined.
 */
export class BlockQueries {
  readonly #chain: ChainBlocks & ChainStates;
  readonly #views: BlockViews;
  readonly #pool: TxPool;
  readonly #refused: Pick<ChainWriter, "badBlocks">;

  constructor(
    chain: ChainBlocks & ChainStates,
    views: BlockViews,
    pool: TxPool,
    refused: Pick<ChainWriter, "badBlocks">,
  ) {
    this.#chain = chain;
    this.#views = views;
    this.#pool = pool;
    this.#refused = refused;
  }

  /** A block, or undefined if there is none. */
  async block(id: BlockId): Promise<BlockView | undefined> {
    return this.#views.resolve(id);
  }

  /** Blocks that an import refused, with their RLP, newest first. */
  badBlocks(): readonly { readonly view: BlockView; readonly bytes: Bytes }[] {
    return this.#refused.badBlocks.map(({ block, bytes }) => ({ view: this.#views.of(block), bytes }));
  }

  /** Views of blocks that are known to be stored. */
  viewsOf(blocks: readonly Block[]): readonly BlockView[] {
    return blocks.map((block) => this.#views.of(block));
  }

  /**
   * A mined block, for its header; undefined if there is none, and for "pending", whose header may still change
   * (execution-apis).
   */
  async minedBlock(id: BlockId): Promise<Block | undefined> {
    if ("tag" in id && id.tag === "pending") return undefined;
    return (await this.#views.resolve(id))?.block;
  }

  /** Number of transactions in a block; undefined if there is no such block. */
  async transactionCount(id: BlockId): Promise<number | undefined> {
    return (await this.#views.resolve(id))?.block.transactions.length;
  }

  /** Number of uncles of a block; undefined if there is no such block. */
  async uncleCount(id: BlockId): Promise<number | undefined> {
    return (await this.#views.resolve(id))?.block.uncles.length;
  }

  /**
   * RLP of a block.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   */
  async rawBlock(id: BlockId): Promise<Bytes> {
    return encodeBlock((await this.#views.require(id)).block);
  }

  /**
   * RLP of a block's header.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   */
  async rawHeader(id: BlockId): Promise<Bytes> {
    return encodeHeader((await this.#views.require(id)).block.header);
  }

  /**
   * All receipts of a block.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   */
  async requireReceipts(id: BlockId): Promise<readonly FoundReceipt[]> {
    return receiptsOf(await this.#views.require(id));
  }

  /**
   * RLP of a block's access list (EIP-7928); undefined if there is no such block, and for the pending one.
   *
   * @throws {NotFoundError} `NO_BLOCK_ACCESS_LIST` for blocks before Amsterdam, and for imported ones without their
   * list
   */
  async accessList(id: BlockId): Promise<Bytes | undefined> {
    const view = await this.#views.resolve(id);
    return view === undefined || view.isPending ? undefined : this.#accessListOf(view.block);
  }

  /**
   * As {@link accessList}, but throws for an unknown block, and for the pending one.
   *
   * @throws {NotFoundError} `NO_BLOCK_ACCESS_LIST`
   */
  async requireAccessList(id: BlockId): Promise<Bytes> {
    const list = await this.accessList(id);
    if (list !== undefined) return list;
    throw noAccessList(`There is no block ${describeBlockId(id)}. ${describeHead(this.#chain.head)}`);
  }

  #accessListOf(block: Block): Bytes {
    const list = this.#chain.getBlockAccessList(block);
    if (list !== undefined) return list;
    const { number, blockAccessListHash } = block.header;
    if (blockAccessListHash === undefined) {
      throw noAccessList(`Block ${number} is older than Amsterdam, and has no block access list.`);
    }
    throw new NotFoundError({
      code: "BLOCK_ACCESS_LIST_PRUNED",
      what: "Pruned history unavailable",
      where: `The access list of block ${number} is not stored.`,
    });
  }

  /** The head of the chain. */
  get head(): Block {
    return this.#chain.head;
  }

  /** An uncle of a block by its index, or undefined. */
  async uncle(id: BlockId, index: number): Promise<FoundUncle | undefined> {
    const view = await this.#views.resolve(id);
    const header = view?.block.uncles[index];
    if (header === undefined) return undefined;
    const parent = this.#chain.totalDifficultyOf(header.parentHash) ?? 0n;
    return { header, totalDifficulty: parent + header.difficulty, given: view?.block.givenUncles?.[index] };
  }

  /** A transaction of a block by its index, or undefined. */
  async transactionInBlock(id: BlockId, index: number): Promise<FoundTransaction | undefined> {
    const view = await this.#views.resolve(id);
    const tx = view?.block.transactions[index];
    return tx === undefined ? undefined : { tx, view, index };
  }

  /**
   * RLP of one of the blocks that an import refused.
   *
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  requireBadBlock(hash: Bytes): Bytes {
    const found = this.#refused.badBlocks.find(({ block }) => equalBytes(block.hash, hash));
    if (found !== undefined) return found.bytes;
    throw new NotFoundError({
      code: "BLOCK_NOT_FOUND",
      what: `bad block ${encodeData(hash)} not found`,
      fix: "debug_getBadBlocks lists the last ten.",
      rpcCode: -32000,
    });
  }

  /** The transactions of a block, in its order; none for an unknown block. */
  async transactionsOf(id: BlockId): Promise<readonly FoundTransaction[]> {
    const view = await this.#views.resolve(id);
    return view?.block.transactions.map((tx, index) => ({ tx, view, index })) ?? [];
  }

  /** A mined or waiting transaction, or undefined. */
  async transaction(hash: Bytes): Promise<FoundTransaction | undefined> {
    const waiting = this.#pool.get(hash);
    // A waiting transaction is not on the forked chain, so no request is sent.
    const location =
      this.#chain.findStoredTransaction(hash) ??
      (waiting === undefined ? await this.#chain.findTransaction(hash) : undefined);
    if (location !== undefined) {
      const { block, index } = location;
      return { tx: block.transactions[index] as Transaction, view: this.#views.of(block), index };
    }
    return waiting === undefined ? undefined : { tx: waiting, view: undefined, index: 0 };
  }

  /**
   * The waiting or mined transaction of a sender with a nonce; undefined if there is none.
   *
   * A mined one is found by binary search over the sender's nonce at block ends. If the nonce was lowered by an edit,
   * an earlier transaction with it may be missed.
   */
  async transactionBySenderAndNonce(sender: Bytes, nonce: bigint): Promise<FoundTransaction | undefined> {
    const { head } = this.#chain;
    const nonceAfter = async (block: Block): Promise<bigint> =>
      (await this.#chain.stateAfter(block).getAccount(sender))?.nonce ?? 0n;
    const waiting = this.#pool.bySenderAndNonce(sender, nonce);
    if (waiting !== undefined) return { tx: waiting, view: undefined, index: 0 };
    if (nonce >= (await nonceAfter(head))) return undefined;
    let low = 0n;
    let high = head.header.number;
    while (low < high) {
      const middle = (low + high) / 2n;
      const block = (await this.#chain.getBlockByNumber(middle)) as Block;
      if ((await nonceAfter(block)) > nonce) high = middle;
      else low = middle + 1n;
    }
    const view = this.#views.of((await this.#chain.getBlockByNumber(low)) as Block);
    const index = view.block.transactions.findIndex((tx) => tx.nonce === nonce && equalBytes(tx.sender, sender));
    return index < 0 ? undefined : { tx: view.block.transactions[index] as Transaction, view, index };
  }

  /** The receipt of a mined transaction, or undefined. */
  async receipt(hash: Bytes): Promise<FoundReceipt | undefined> {
    const found = await this.transaction(hash);
    if (found?.view === undefined) return undefined;
    return (await receiptsOf(found.view))[found.index];
  }

  /**
   * The receipt of a mined transaction.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async requireReceipt(hash: Bytes): Promise<FoundReceipt> {
    const found = await this.receipt(hash);
    if (found !== undefined) return found;
    throw new NotFoundError({
      code: "TRANSACTION_NOT_FOUND",
      what: `No transaction ${encodeData(hash)} is in the chain.`,
      fix: "A reorg may have removed it: look in the pool.",
    });
  }

  /** All receipts of a block, or undefined if there is no such block. */
  async receipts(id: BlockId): Promise<readonly FoundReceipt[] | undefined> {
    const view = await this.#views.resolve(id);
    return view === undefined ? undefined : receiptsOf(view);
  }
}

/** Receipts of a block with their derived values. */
export async function receiptsOf(view: BlockView): Promise<FoundReceipt[]> {
  return receiptsWith(view, await view.receipts());
}

/** As {@link receiptsOf}, for receipts that the caller already has. */
export function receiptsWith(view: BlockView, receipts: readonly Receipt[]): FoundReceipt[] {
  let gasBefore = 0n;
  let firstLogIndex = 0;
  return receipts.map((receipt, index) => {
    const found = {
      tx: view.block.transactions[index] as Transaction,
      view,
      index,
      receipt,
      gasUsed: receipt.cumulativeGasUsed - gasBefore,
      firstLogIndex,
    };
    gasBefore = receipt.cumulativeGasUsed;
    firstLogIndex += receipt.logs.length;
    return found;
  });
}

/** execution-apis' error for block access lists that do not exist. */
function noAccessList(where: string): NotFoundError {
  return new NotFoundError({ code: "NO_BLOCK_ACCESS_LIST", what: "Resource not found", where });
}
