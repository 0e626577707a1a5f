/** Reports changes of the chain and the pool to subscriptions at once. */
import type { Chain } from "../../chain/chain.ts";
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import type { BlockViews } from "../../miner/block-views.ts";
import { nextTurn } from "../../primitives/platform/turns.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { type FoundReceipt, receiptsWith } from "./block-queries.ts";
import { allLogs, type FoundLog } from "./log-queries.ts";
import { type LogWatch, mayHoldLogs, watchedOf } from "./watched-logs.ts";

/** A block that joined or left the canonical chain. Its receipts are read on first use. */
export class BlockEvent {
  readonly block: Block;
  /** True if it left the chain. */
  readonly isRemoved: boolean;
  readonly #chain: Chain;
  readonly #views: BlockViews;
  #logs: readonly FoundLog[] | undefined;
  #receipts: readonly FoundReceipt[] | undefined;

  constructor(block: Block, isRemoved: boolean, source: { readonly chain: Chain; readonly views: BlockViews }) {
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

/** Functions of one subscription. The chain waits for `onBlock` before its next change. */
export interface ChainListener {
  /** Called once for each block: first those that left, then those that joined, each in ascending order. */
  readonly onBlock: (event: BlockEvent) => void;
  /** Called when a transaction becomes executable. */
  readonly onPending: (tx: Transaction) => void;
}

/** Longest time in milliseconds that listeners may block the event loop. */
const TURN_MS = 25;

/** One for each node; holds no state between events. */
export class ChainEvents {
  readonly #chain: Chain;
  readonly #views: BlockViews;
  readonly #pool: TxPool;

  constructor(chain: Chain, views: BlockViews, pool: TxPool) {
    this.#chain = chain;
    this.#views = views;
    this.#pool = pool;
  }

  /** Calls a listener for all changes from now on. Returns a function that stops it. */
  listen(listener: ChainListener): () => void {
    const stops = [
      this.#chain.headListeners.add((change) => this.#tell(change, listener)),
      this.#pool.onPending(listener.onPending),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /**
   * The chain waits for this before its next change, so that the order is kept although this yields to the event loop.
   */
  async #tell({ removed, added }: HeadChange, { onBlock }: ChainListener): Promise<void> {
    const source = { chain: this.#chain, views: this.#views };
    let turnEnds = performance.now() + TURN_MS;
    for (const [blocks, isRemoved] of [[removed, true] as const, [added, false] as const]) {
      for (const block of blocks) {
        onBlock(new BlockEvent(block, isRemoved, source));
        if (performance.now() < turnEnds) continue;
        await nextTurn();
        turnEnds = performance.now() + TURN_MS;
      }
    }
  }
}
