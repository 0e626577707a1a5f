/** Looks up blocks, uncles, transactions and receipts. */

import type { BlockId } from "../../chain/block-id.ts";
import type { Chain } from "../../chain/chain.ts";
import type { Header } from "../../chainspec/header.ts";
import type { Transaction } from "../../chainspec/transaction.ts";
import type { Receipt } from "../../executor/receipt.ts";
import type { BlockView, BlockViews } from "../../miner/block-views.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** A transaction and where it stands; `view` is undefined while it waits in the pool. */
export interface FoundTransaction {
  readonly tx: Transaction;
  readonly view: BlockView | undefined;
  readonly index: number;
}

/** A receipt with what its JSON shows of its neighbours. */
export interface FoundReceipt extends FoundTransaction {
  readonly view: BlockView;
  readonly receipt: Receipt;
  /** Gas used by this transaction alone. */
  readonly gasUsed: bigint;
  /** Index in the block of its first log. */
  readonly firstLogIndex: number;
}

/** An uncle header with the total difficulty of the chain that ends in it. */
export interface FoundUncle {
  readonly header: Header;
  readonly totalDifficulty: bigint;
}

export class BlockQueries {
  readonly #chain: Chain;
  readonly #views: BlockViews;
  readonly #pool: TxPool;

  constructor(chain: Chain, views: BlockViews, pool: TxPool) {
    this.#chain = chain;
    this.#views = views;
    this.#pool = pool;
  }

  get headNumber(): bigint {
    return this.#chain.head.header.number;
  }

  /** A block, or undefined. */
  block(id: BlockId): Promise<BlockView | undefined> {
    return this.#views.resolve(id);
  }

  /** An uncle of a block by its index, or undefined. */
  async uncle(id: BlockId, index: number): Promise<FoundUncle | undefined> {
    const view = await this.#views.resolve(id);
    const header = view?.block.uncles[index];
    if (header === undefined) return undefined;
    const parent = this.#chain.totalDifficultyOf(header.parentHash) ?? 0n;
    return { header, totalDifficulty: parent + header.difficulty };
  }

  /** A transaction of a block by its index, or undefined. */
  async transactionInBlock(id: BlockId, index: number): Promise<FoundTransaction | undefined> {
    const view = await this.#views.resolve(id);
    const tx = view?.block.transactions[index];
    return tx === undefined ? undefined : { tx, view, index };
  }

  /** A mined or waiting transaction, or undefined. */
  async transaction(hash: Bytes): Promise<FoundTransaction | undefined> {
    const location = this.#chain.findTransaction(hash);
    if (location !== undefined) {
      const { block, index } = location;
      return { tx: block.transactions[index] as Transaction, view: this.#views.of(block), index };
    }
    const tx = this.#pool.get(hash);
    return tx === undefined ? undefined : { tx, view: undefined, index: 0 };
  }

  /** The receipt of a mined transaction, or undefined. */
  receipt(hash: Bytes): FoundReceipt | undefined {
    const location = this.#chain.findTransaction(hash);
    if (location === undefined) return undefined;
    return receiptsOf(this.#views.of(location.block))[location.index];
  }

  /** All receipts of a block, or undefined if there is no such block. */
  async receipts(id: BlockId): Promise<readonly FoundReceipt[] | undefined> {
    const view = await this.#views.resolve(id);
    return view === undefined ? undefined : receiptsOf(view);
  }
}

/** A block's receipts with their positions. */
function receiptsOf(view: BlockView): FoundReceipt[] {
  let gasBefore = 0n;
  let firstLogIndex = 0;
  return view.receipts().map((receipt, index) => {
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
