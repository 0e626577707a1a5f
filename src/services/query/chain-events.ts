/** Reports changes of the chain and the pool to subscriptions at once, in the order in which they happened. */

import type { BlockViews } from "../../chain/block-views.ts";
import type { ChainBlocks, ChainChanges } from "../../chain/readable-chain.ts";
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { nextTurn } from "../../primitives/platform/event-loop.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { type FoundReceipt, receiptsWith } from "./block-queries.ts";
import { allLogs, type FoundLog } from "./log-queries.ts";
import { type LogWatch, mayHoldLogs, watchedOf } from "./watched-logs.ts";

/** A block that joined or left the canonical chain. Its receipts are read on first use. */
export class BlockEvent {
  readonly block: Block;
  /** True if it left the chain. */
  readonly isRemoved: boolean;
  readonly #chain: ChainBlocks & ChainChanges;
  readonly #views: BlockViews;
  #logs: readonly FoundLog[] | undefined;
  #receipts: readonly FoundReceipt[] | undefined;

  constructor(
    block: Block,
    isRemoved: boolean,
    source: { readonly chain: ChainBlocks & ChainChanges; readonly views: BlockViews },
  ) {
    this.block = block;
    this.isRemoved = isRemoved;
    this.#chain = source.chain;
    this.#views = source.views;
  }

  /** In transaction order. */
  get receipts(): readonly FoundReceipt[] {
    this.#receipts ??= receiptsWith(this.#views.of(this.block), this.#chain.getStoredReceipts(this.block));
    return this.#receipts;
  }

  /** Logs that match a watch, marked as removed if the block left. */
  logsFor(watch: LogWatch): readonly FoundLog[] {
    if (!mayHoldLogs(this.block, watch)) return [];
    this.#logs ??= allLogs(this.block, this.#chain.getStoredReceipts(this.block), false, this.isRemoved);
    return watchedOf(this.#logs, watch);
  }
}

/** Functions of a listener. */
export interface ChainListener {
  /**
   * Called once for each block: first those that left, then those that joined, each in ascending order. The chain waits
   * for it before its next change, and whoever caused the change waits, too.
   */
  readonly onBlock: (event: BlockEvent) => void | Promise<void>;
  /** Called when a transaction becomes executable. */
  readonly onPending: (tx: Transaction) => void;
}

/** Longest time in milliseconds that listeners may block the event loop. */
const TURN_MS = 25;

/**
 * One for each node.
 *
 * It listens to the chain from the beginning, so that it comes before listeners which answer requests.
 */
export class ChainEvents {
  readonly #chain: ChainBlocks & ChainChanges;
  readonly #views: BlockViews;
  readonly #stops: readonly (() => void)[];
  #listener: ChainListener | undefined;
  /** Number of head changes that were reported. */
  #reported = 0;
  /** Transactions that became executable by a head change, such as those of removed blocks, until it is reported. */
  #pending: Transaction[] = [];

  constructor(chain: ChainBlocks & ChainChanges, views: BlockViews, pool: TxPool) {
    this.#chain = chain;
    this.#views = views;
    this.#stops = [
      chain.headListeners.add((change) => this.#headChanged(change)),
      pool.onPending((tx) => this.#becamePending(tx)),
    ];
  }

  /** Calls a listener for all changes from now on, in place of an earlier one; undefined: nobody listens. */
  listen(listener: ChainListener | undefined): void {
    this.#listener = listener;
  }

  /** Stops listening to the chain and the pool. */
  close(): void {
    this.#listener = undefined;
    for (const stop of this.#stops) stop();
  }

  #becamePending(tx: Transaction): void {
    if (this.#listener === undefined) return;
    if (this.#reported < this.#chain.headListeners.changes) this.#pending.push(tx);
    else this.#listener.onPending(tx);
  }

  async #headChanged(change: HeadChange): Promise<void> {
    try {
      if (this.#listener !== undefined) await this.#report(change, this.#listener);
    } finally {
      this.#reported = this.#chain.headListeners.changes;
      const pending = this.#pending;
      this.#pending = [];
      for (const tx of pending) this.#listener?.onPending(tx);
    }
  }

  /**
   * The chain waits for this before its next change, so that the order stays although this yields to the event loop.
   */
  async #report({ removed, added }: HeadChange, { onBlock }: ChainListener): Promise<void> {
    const source = { chain: this.#chain, views: this.#views };
    let turnEnds = performance.now() + TURN_MS;
    for (const [blocks, isRemoved] of [[removed, true] as const, [added, false] as const]) {
      for (const block of blocks) {
        const handled = onBlock(new BlockEvent(block, isRemoved, source));
        if (handled !== undefined) await handled;
        if (performance.now() < turnEnds) continue;
        await nextTurn();
        turnEnds = performance.now() + TURN_MS;
      }
    }
  }
}
