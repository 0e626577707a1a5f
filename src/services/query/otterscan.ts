/**
 * Data that the explorer Otterscan needs beside eth_*: block rewards, pages of transactions, the history of an account,
 * the creator of a contract.
 *
 * Follows Otterscan's docs/custom-jsonrpc.md (API level 8), and Erigon's answers where that leaves a choice.
 */

import type { BlockView, BlockViews } from "../../chain/block-views.ts";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { blockReward, uncleReward } from "../../chainspec/header/fees.ts";
import { effectiveGasPrice } from "../../chainspec/transaction/transaction.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import { type BlockQueries, type FoundReceipt, receiptsOf } from "./block-queries.ts";

/** Finds facts by executing blocks again. The tracing service implements this port. */
export interface TouchFinder {
  /** Indexes of the transactions of a block whose traces contain an address. */
  transactionsTouching(block: Block, address: Bytes, options: SearchOptions): Promise<number[]>;
  creationIn(block: Block, address: Bytes, options: SearchOptions): Promise<CreationInBlock>;
}

/** Lets a caller stop a search before it has read the whole chain. */
export interface SearchOptions {
  readonly signal?: AbortState | undefined;
}

/** The creator of a contract and the creating transaction. */
export interface Creation {
  readonly txHash: Bytes;
  readonly creator: Bytes;
}

/** A contract after the transactions of a block. */
export interface CreationInBlock {
  /** The creation of the contract that is there after them, if one of them is. */
  readonly creation: Creation | undefined;
  /** True if the account has code after them. */
  readonly hasCode: boolean;
}

/** A block with its rewards and fees, in wei. */
export interface BlockDetails {
  readonly view: BlockView;
  /** Reward of the block's miner, including that for uncles. */
  readonly blockReward: bigint;
  /** Rewards of the miners of the uncles. */
  readonly uncleReward: bigint;
  /** Sum over all transactions of gas used times price paid, burnt part included. */
  readonly totalFees: bigint;
}

/** A page of a block's transactions, in order. */
export interface TransactionPage {
  readonly view: BlockView;
  readonly found: readonly FoundReceipt[];
}

/** A page of an account's history, newest first. */
export interface HistoryPage {
  readonly found: readonly FoundReceipt[];
  /** True if there is no newer page. */
  readonly isFirst: boolean;
  /** True if there is no older page. */
  readonly isLast: boolean;
}

/** Parts that the answers are read from. The finder runs blocks again for the addresses in their traces. */
export interface OtterscanParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly blocks: BlockQueries;
  readonly finder: TouchFinder;
}

/**
 * Serves those `ots_*` methods that read blocks; those that need calls are in
 * `services/simulate/trace/otterscan-traces.ts`.
 */
export class OtterscanQueries {
  readonly #chain: ChainBlocks & ChainRules & ChainStates;
  readonly #views: BlockViews;
  readonly #blocks: BlockQueries;
  readonly #finder: TouchFinder;

  constructor({ chain, views, blocks, finder }: OtterscanParts) {
    this.#chain = chain;
    this.#views = views;
    this.#blocks = blocks;
    this.#finder = finder;
  }

  /** True if an account has code after a block. @throws {NotFoundError} `HEADER_NOT_FOUND` */
  async hasCode(address: Bytes, id: BlockId): Promise<boolean> {
    const account = await (await this.#views.require(id)).state().getAccount(address);
    return account !== undefined && !equalBytes(account.codeHash, EMPTY_CODE_HASH);
  }

  /** Hash of the mined transaction of a sender with a nonce, or undefined; see {@link BlockQueries}. */
  async transactionBySenderAndNonce(sender: Bytes, nonce: bigint): Promise<Bytes | undefined> {
    const found = await this.#blocks.transactionBySenderAndNonce(sender, nonce);
    return found?.view === undefined ? undefined : found.tx.hash;
  }

  /** A block with its rewards and fees, or undefined. */
  async blockDetails(id: BlockId): Promise<BlockDetails | undefined> {
    const view = await this.#views.resolve(id);
    if (view === undefined) return undefined;
    const { header, uncles } = view.block;
    const isRewarded = !view.rules.has(3675) && header.number > this.#chain.spec.firstNumber;
    const receipts = await receiptsOf(view);
    const fees = receipts.map(({ tx, gasUsed }) => gasUsed * effectiveGasPrice(tx, header.baseFeePerGas));
    return {
      view,
      blockReward: isRewarded ? blockReward(view.rules, uncles.length) : 0n,
      uncleReward: isRewarded ? sum(uncles.map((uncle) => uncleReward(view.rules, header.number, uncle))) : 0n,
      totalFees: sum(fees),
    };
  }

  /** A page of a block's transactions, counted from the block's end; undefined for an unknown block. */
  async blockTransactions(id: BlockId, page: number, pageSize: number): Promise<TransactionPage | undefined> {
    const view = await this.#views.resolve(id);
    if (view === undefined) return undefined;
    const end = Math.max(view.block.transactions.length - page * pageSize, 0);
    const receipts = await receiptsOf(view);
    return { view, found: receipts.slice(Math.max(end - pageSize, 0), end) };
  }

  /**
   * Transactions before a block whose traces contain an address. A page ends with a whole block, so it may be longer
   * than asked for.
   *
   * @param block - first block that is not searched; 0 to search all
   */
  async transactionsBefore(
    address: Bytes,
    { block, pageSize }: HistoryRequest,
    options: SearchOptions = {},
  ): Promise<HistoryPage> {
    const toBlock = block === 0n ? this.#chain.head.header.number : block - 1n;
    const range = { address, fromBlock: 0n, toBlock, order: "descending" } as const;
    const { blocks, hasMore } = await this.#search(range, pageSize, options);
    return { found: blocks.flatMap((found) => found.toReversed()), isFirst: block === 0n, isLast: !hasMore };
  }

  /** The same for blocks after one; 0 to search all. The page holds the oldest matches, but newest first. */
  async transactionsAfter(
    address: Bytes,
    { block, pageSize }: HistoryRequest,
    options: SearchOptions = {},
  ): Promise<HistoryPage> {
    const fromBlock = block === 0n ? 0n : block + 1n;
    const range = { address, fromBlock, toBlock: this.#chain.head.header.number, order: "ascending" } as const;
    const { blocks, hasMore } = await this.#search(range, pageSize, options);
    return { found: blocks.flat().toReversed(), isFirst: !hasMore, isLast: block === 0n };
  }

  /** Collects matches block by block, until the page is full and one further block with a match is known. */
  async #search(
    range: Parameters<ChainBlocks["archive"]["eachBlockTracing"]>[0],
    pageSize: number,
    options: SearchOptions,
  ): Promise<{ readonly blocks: FoundReceipt[][]; readonly hasMore: boolean }> {
    const blocks: FoundReceipt[][] = [];
    let count = 0;
    for await (const number of this.#chain.archive.eachBlockTracing(range)) {
      const block = await this.#chain.getBlockByNumber(number);
      // Blocks that only reward the account have no transaction to show.
      if (block === undefined || block.transactions.length === 0) continue;
      const indexes = await this.#finder.transactionsTouching(block, range.address, options);
      if (indexes.length === 0) continue;
      if (blocks.length > 0 && count >= pageSize) return { blocks, hasMore: true };
      const receipts = await receiptsOf(this.#views.of(block));
      blocks.push(indexes.map((index) => receipts[index] as FoundReceipt));
      count += indexes.length;
    }
    return { blocks, hasMore: false };
  }

  /**
   * The creator of a contract; undefined for accounts without code now, and for code that no transaction created.
   *
   * Blocks whose traces contain the address are searched from the newest back, because a contract can be destroyed and
   * created again, even in one block. From Cancun on no block destroys a contract that was there before (EIP-6780), so
   * that a block before which it had code need not run again.
   */
  async contractCreator(address: Bytes, options: SearchOptions = {}): Promise<Creation | undefined> {
    const { oldestState, head, archive } = this.#chain;
    const toBlock = head.header.number;
    if (!(await this.hasCode(address, { number: toBlock }))) return undefined;
    const range = { address, fromBlock: oldestState + 1n, toBlock, order: "descending" } as const;
    for await (const number of archive.eachBlockTracing(range)) {
      const block = await this.#chain.getBlockByNumber(number);
      if (block === undefined || block.transactions.length === 0) continue;
      const rules = this.#chain.rulesOf(block.header);
      if (rules.has(6780) && (await this.hasCode(address, { number: number - 1n }))) continue;
      const { creation, hasCode } = await this.#finder.creationIn(block, address, options);
      // Code that was put there after a destroyed contract has no creator.
      if (creation !== undefined || !hasCode) return creation;
    }
    return undefined;
  }
}

/** Start and size of a page of history. */
export interface HistoryRequest {
  readonly block: bigint;
  readonly pageSize: number;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
