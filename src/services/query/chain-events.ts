/** What happens on the chain and in the pool as it happens: for subscriptions, which are told at once. */

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

/** A block that left or joined the canonical chain. What it holds is read when it is asked for, and once. */
export class BlockEvent {
  readonly block: Block;
  /** It left. */
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

  /** The logs that a watch means, marked as removed if the block left. */
  logsFor(watch: LogWatch): readonly FoundLog[] {
    if (!mayHoldLogs(this.block, watch)) return [];
    this.#logs ??= allLogs(this.block, this.#chain.getStoredReceipts(this.block), false, this.isRemoved);
    return watchedOf(this.#logs, watch);
  }
}

export interface ChainListener {
  /** One block: all that left, lowest first, then all that joined, lowest first. */
  readonly onBlock: (event: BlockEvent) => void;
  /** A transaction that became executable. */
  readonly onPending: (tx: Transaction) => void;
}

/** How long listeners may hold the event loop, milliseconds. */
const TURN_MS = 25;

export class ChainEvents {
  readonly #chain: Chain;
  readonly #views: BlockViews;
  readonly #pool: TxPool;

  constructor(chain: Chain, views: BlockViews, pool: TxPool) {
    this.#chain = chain;
    this.#views = views;
    this.#pool = pool;
  }

  /** Tells a listener of everything from now on. Returns the function that stops it. */
  listen(listener: ChainListener): () => void {
    const stops = [
      this.#chain.onHeadChange((change) => this.#tell(change, listener)),
      this.#pool.onPending(listener.onPending),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** The chain waits for this before it changes again, so that a pause for others cannot disturb the order. */
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
