/** Reorgs, rollbacks and resets. */

import type { ChainBase, ChainWriter } from "../../chain/chain-writer.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../chain/readable-chain.ts";
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { Transaction } from "../../chainspec/transaction/transaction.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { MinerSettings } from "../../miner/block-plan.ts";
import type { Clock } from "../../miner/clock.ts";
import type { Miner } from "../../miner/miner.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";
import { requireBlockCount } from "./check-values.ts";
import type { Snapshots } from "./snapshots.ts";

/** Parts that a reorg changes, and the number of blocks that one request may mine. */
export interface HistoryControlOptions {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly writer: ChainWriter;
  readonly miner: Miner;
  readonly pool: TxPool;
  readonly clock: Clock;
  readonly snapshots: Snapshots;
  readonly limits: { readonly minedBlocks: number };
}

/** A reorg: the number of removed blocks, and the new ones. */
export interface ReorgOptions {
  /** Blocks to remove from the head; at most its number. */
  readonly depth: number;
  /** New blocks; default `depth`. Entry i holds the transactions of the i-th. */
  readonly blocks?: number | readonly (readonly Transaction[])[];
}

/** Items, each with the index of the new block that it goes into. */
type PlacedItems<Item> = readonly (readonly [item: Item, blockIndex: number])[];

/** Turns items into transactions that can follow a block. */
type Prepare<Item> = (parent: Block, items: PlacedItems<Item>) => Promise<readonly Transaction[]>;

/** Keeps the miner's settings and the offset of time, in seconds, from the start of the node: a reset restores them. */
export class HistoryControl {
  readonly #options: HistoryControlOptions;
  readonly #firstSettings: MinerSettings;
  /** seconds */
  #firstOffset: bigint;

  constructor(options: HistoryControlOptions) {
    this.#options = options;
    this.#firstSettings = options.miner.settings;
    this.#firstOffset = options.clock.offset;
  }

  /**
   * Replaces the last `depth` blocks. Removed blocks stay as side blocks, their transactions return to the pool,
   * and their logs are announced as removed. All of it is one atomic batch.
   *
   * @returns the new blocks
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a depth beyond genesis
   * @throws {LimitError} `TOO_MANY_BLOCKS`
   */
  async reorg(options: ReorgOptions): Promise<readonly Block[]> {
    return (await this.#reorgAfter(undefined, options)) as readonly Block[];
  }

  /** @returns undefined, with nothing changed, if the parent of the new blocks would not be `expected` */
  async #reorgAfter(expected: Block | undefined, options: ReorgOptions): Promise<readonly Block[] | undefined> {
    const { chain, writer, miner, limits } = this.#options;
    const contents = Array.isArray(options.blocks) ? options.blocks : undefined;
    const count = contents?.length ?? (options.blocks as number | undefined) ?? options.depth;
    requireBlockCount(count, limits.minedBlocks);
    return writer.exclusively(async () => {
      const parent = this.blockAtDepth(options.depth);
      if (expected !== undefined && !equalBytes(parent.hash, expected.hash)) return undefined;
      chain.requireStateAfter(parent.header.number);
      if (count === 0) {
        await writer.setHeadNow(parent);
        return [];
      }
      const replaced = chain.getStoredBlock(parent.header.number + 1n)?.header.timestamp;
      return miner.mineNow({
        parent,
        blocks: count,
        contents: Array.from({ length: count }, (_, index) => contents?.[index] ?? []),
        // One second later than the replaced block, so that the new block never equals it.
        ...(replaced === undefined ? {} : { timestamp: replaced + 1n }),
      });
    });
  }

  /**
   * As {@link reorg}, with transactions that are prepared for the parent of the new blocks. Each has the index of its
   * block.
   *
   * @param prepare - turns the items of a block into transactions that can follow its parent
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a depth beyond genesis, or an index of at least `depth`
   */
  async reorgWith<Item>(depth: number, pairs: PlacedItems<Item>, prepare: Prepare<Item>): Promise<readonly Block[]> {
    for (;;) {
      const parent = this.blockAtDepth(depth);
      const blocks = await contentsOf(parent, depth, pairs, prepare);
      // If a block was mined during the preparation, the parent is another one: prepare them again.
      const mined = await this.#reorgAfter(parent, { depth, blocks });
      if (mined !== undefined) return mined;
    }
  }

  /**
   * Removes the last `depth` blocks; their transactions return to the pool.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a depth beyond genesis
   */
  rollback(depth: number): Promise<HeadChange> {
    return this.#options.writer.exclusively(() => this.#rewind(depth));
  }

  async #rewind(depth: number): Promise<HeadChange> {
    return this.#options.writer.setHeadNow(this.blockAtDepth(depth));
  }

  /**
   * Takes the blocks above a number off the head. As by geth, their transactions do not wait again.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a number above the head's, or below the first block's
   */
  setHead(number: bigint): Promise<void> {
    const { chain, writer } = this.#options;
    return writer.exclusively(async () => {
      const head = chain.head.header.number;
      if (number > head) {
        throw new InvalidParamsError({
          code: "INVALID_PARAMS",
          what: `Cannot set the head to block ${number}: the head is block ${head}.`,
          fix: "Give the number of an earlier block.",
        });
      }
      const target = this.blockAtDepth(Number(head - number));
      await writer.setHeadNow(target, { forgetsTransactions: true });
    });
  }

  /**
   * The block that is the head after the last `depth` blocks are removed.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a depth beyond genesis
   */
  blockAtDepth(depth: number): Block {
    const { chain } = this.#options;
    const { number } = chain.head.header;
    const target =
      Number.isSafeInteger(depth) && depth >= 0 && BigInt(depth) <= number
        ? chain.getStoredBlock(number - BigInt(depth))
        : undefined;
    if (target !== undefined) return target;
    throw new InvalidParamsError({
      code: "INVALID_PARAMS",
      what: `Cannot go back ${depth} blocks: the head is block ${number}.`,
      fix: `Give a depth from 0 to ${number - chain.genesis.header.number}.`,
    });
  }

  /** Resets everything to genesis: blocks, edits, waiting transactions, time, block settings, snapshots. */
  reset(): Promise<void> {
    const { chain, writer, snapshots } = this.#options;
    return writer.exclusively(async () => {
      this.#clear();
      await writer.setHeadNow(chain.genesis, {
        stateId: chain.firstStateId,
        specChanges: chain.spec.unchanged,
        forgetsTransactions: true,
      });
      await writer.pruneAll(snapshots.live());
    });
  }

  #clear(): void {
    const { miner, pool, clock, snapshots } = this.#options;
    pool.clear();
    snapshots.forgetNumbered();
    miner.configure(this.#firstSettings);
    clock.reset(this.#firstOffset);
  }

  /**
   * Resets everything and starts a new chain on another base. Snapshots are deleted.
   *
   * @param clockOffset - seconds from the clock to the new chain's time
   */
  startOver(chainBase: ChainBase, clockOffset: bigint): Promise<void> {
    const { writer, snapshots } = this.#options;
    return writer.exclusively(async () => {
      this.#firstOffset = clockOffset;
      this.#clear();
      snapshots.forgetAll();
      await writer.startOver(chainBase);
    });
  }
}

/** The transactions of each new block. */
async function contentsOf<Item>(
  parent: Block,
  depth: number,
  pairs: PlacedItems<Item>,
  prepare: Prepare<Item>,
): Promise<readonly (readonly Transaction[])[]> {
  const blocks: Transaction[][] = Array.from({ length: depth }, () => []);
  const ordered = [...pairs].sort((left, right) => left[1] - right[1]);
  const transactions = await prepare(parent, ordered);
  for (const [position, [, blockIndex]] of ordered.entries()) {
    const block = blocks[blockIndex];
    if (block === undefined) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `The block index ${blockIndex} is not below the depth ${depth}.`,
        fix: "Count the new blocks from 0.",
      });
    }
    block.push(transactions[position] as Transaction);
  }
  return blocks;
}
