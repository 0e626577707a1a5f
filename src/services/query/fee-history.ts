/** eth_feeHistory by geth's rules: base fees of blocks and tips of their transactions. */

import type { BlockView, BlockViews } from "../../chain/block-views.ts";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules } from "../../chain/readable-chain.ts";
import { BLOB_GAS_PER_BLOB, blobBaseFee, nextBaseFeePerGas, nextExcessBlobGas } from "../../chainspec/header/fees.ts";
import { effectiveGasPrice, type Transaction } from "../../chainspec/transaction/transaction.ts";
import { type ErrorValues, InvalidParamsError, LimitError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";

/** geth's limits for the number of blocks and of percentiles. */
export const MAX_FEE_HISTORY_BLOCKS = 1_024n;
/** Most percentiles in one request, as in geth. */
export const MAX_PERCENTILES = 100;

/** One entry per block, oldest first; the two base fee lists have one more, for the block after the newest. */
export interface FeeHistory {
  readonly oldestBlock: bigint;
  /** wei per gas; 0 before London */
  readonly baseFeePerGas: readonly bigint[];
  /** 0 to 1 */
  readonly gasUsedRatio: readonly number[];
  /** wei per blob gas; 0 before Cancun */
  readonly baseFeePerBlobGas: readonly bigint[];
  /** 0 to 1 */
  readonly blobGasUsedRatio: readonly number[];
  /** For each block, one effective tip in wei per gas for each percentile; undefined if no percentile was given. */
  readonly reward: readonly (readonly bigint[])[] | undefined;
}

/** The parameters of `eth_feeHistory` (execution-apis). */
export interface FeeHistoryRequest {
  /** Number of blocks, newest included; reduced to 1,024 and to the blocks that exist. */
  readonly blockCount: bigint;
  readonly newest: BlockId;
  /** 0 to 100, strictly ascending */
  readonly percentiles: readonly number[];
  readonly signal?: AbortState | undefined;
}

interface BlockFees {
  readonly baseFee: bigint;
  readonly nextBaseFee: bigint;
  readonly gasUsedRatio: number;
  readonly blobBaseFee: bigint;
  readonly nextBlobBaseFee: bigint;
  readonly blobGasUsedRatio: number;
  readonly reward: readonly bigint[];
}

/** A request for no block or for more than 1,024. */
export type FeeHistoryLength = "clamped" | "refused";

/** Serves `eth_feeHistory`. The base fee after the newest block is the last of the list, in wei per gas. */
export class FeeHistoryQueries {
  readonly #chain: ChainBlocks & ChainRules;
  readonly #views: BlockViews;
  readonly #nextBaseFee: () => bigint | undefined;
  readonly #length: FeeHistoryLength;

  /** @param nextBaseFee - base fee of the next block, in wei per gas; undefined before London */
  constructor(
    chain: ChainBlocks & ChainRules,
    views: BlockViews,
    nextBaseFee: () => bigint | undefined,
    length: FeeHistoryLength,
  ) {
    this.#chain = chain;
    this.#views = views;
    this.#nextBaseFee = nextBaseFee;
    this.#length = length;
  }

  /**
   * Fee history of the blocks up to `newest`.
   *
   * @throws {InvalidParamsError} `INVALID_REWARD_PERCENTILE`, or `FEE_HISTORY_BEYOND_HEAD` for a number after the head
   */
  async find({ blockCount, newest, percentiles, signal }: FeeHistoryRequest): Promise<FeeHistory> {
    if (this.#length === "refused") checkLength(blockCount);
    // geth answers null lists here, which execution-apis does not allow; empty ones mean the same.
    if (blockCount < 1n) return combine(0n, [], percentiles);
    checkPercentiles(percentiles);
    const head = this.#chain.head.header.number;
    if ("number" in newest && newest.number > head) {
      const what = `request beyond head block: requested ${newest.number}, head ${head}`;
      const values = { block: newest.number, head };
      throw new InvalidParamsError({ code: "FEE_HISTORY_BEYOND_HEAD", what, values });
    }
    const last = await this.#views.require(newest);
    const wanted = blockCount < MAX_FEE_HISTORY_BLOCKS ? blockCount : MAX_FEE_HISTORY_BLOCKS;
    const { number } = last.block.header;
    const available = number + 1n - this.#chain.spec.firstNumber;
    const count = wanted < available ? wanted : available;
    const blocks: BlockFees[] = [await this.#feesOf(last, percentiles)];
    for (let parent = last; BigInt(blocks.length) < count; ) {
      if (signal?.aborted === true)
        throw new LimitError({ code: "EXECUTION_ABORTED", what: "eth_feeHistory was aborted." });
      // By parent hash, not by number, so that a reorg meanwhile cannot mix two chains in one answer.
      parent = await this.#views.require({ hash: parent.block.header.parentHash, requireCanonical: false });
      blocks.push(await this.#feesOf(parent, percentiles));
    }
    return combine(number + 1n - count, blocks.reverse(), percentiles);
  }

  async #feesOf(view: BlockView, percentiles: readonly number[]): Promise<BlockFees> {
    const { header } = view.block;
    const schedule = this.#chain.spec.blobSchedule(view.rules.hardfork);
    const blobGasLimit = schedule.max * BLOB_GAS_PER_BLOB;
    const hasBlobs = header.excessBlobGas !== undefined;
    return {
      baseFee: header.baseFeePerGas ?? 0n,
      nextBaseFee: this.#baseFeeAfter(view),
      // The gas limit may be zero on a development chain.
      gasUsedRatio: header.gasLimit === 0n ? 0 : Number(header.gasUsed) / Number(header.gasLimit),
      blobBaseFee: hasBlobs ? blobBaseFee(header.excessBlobGas ?? 0n, schedule) : 0n,
      nextBlobBaseFee: hasBlobs ? blobBaseFee(nextExcessBlobGas(header, view.rules, schedule), schedule) : 0n,
      blobGasUsedRatio: blobGasLimit === 0n ? 0 : Number(header.blobGasUsed ?? 0n) / Number(blobGasLimit),
      reward: await rewards(view, percentiles),
    };
  }

  /** After the head: the base fee that the next block will have, even if it was set by an edit. */
  #baseFeeAfter(view: BlockView): bigint {
    if (!view.isPending && equalBytes(view.block.hash, this.#chain.head.hash)) return this.#nextBaseFee() ?? 0n;
    const { header } = view.block;
    const { timestamp } = header;
    const next = { number: header.number + 1n, timestamp, parentTotalDifficulty: view.totalDifficulty };
    return this.#chain.spec.rulesAt(next).has(1559) ? nextBaseFeePerGas(header) : 0n;
  }
}

function checkLength(blockCount: bigint): void {
  if (blockCount >= 1n && blockCount <= MAX_FEE_HISTORY_BLOCKS) return;
  const bound = blockCount < 1n ? "least 1" : `most ${MAX_FEE_HISTORY_BLOCKS}`;
  throw new InvalidParamsError({
    code: "INVALID_PARAMS",
    what: `blockCount should be at ${bound}`,
    values: { blockCount },
  });
}

function checkPercentiles(percentiles: readonly number[]): void {
  const reject = (reason: string, values: ErrorValues = {}): InvalidParamsError =>
    new InvalidParamsError({ code: "INVALID_REWARD_PERCENTILE", what: `invalid reward percentile: ${reason}`, values });
  if (percentiles.length > MAX_PERCENTILES) throw reject(`over the query limit ${MAX_PERCENTILES}`);
  for (const [index, percentile] of percentiles.entries()) {
    if (percentile < 0 || percentile > 100) throw reject(percentile.toFixed(6), { position: index + 1, percentile });
    const before = percentiles[index - 1];
    if (before !== undefined && percentile <= before) {
      const text = `#${index - 1}:${before.toFixed(6)} >= #${index}:${percentile.toFixed(6)}`;
      throw reject(text, { position: index });
    }
  }
}

/** The tip at each percentile of the block's gas, over transactions ordered by tip; zeros for an empty block. */
async function rewards(view: BlockView, percentiles: readonly number[]): Promise<bigint[]> {
  const { transactions, header } = view.block;
  if (percentiles.length === 0) return [];
  if (transactions.length === 0) return percentiles.map(() => 0n);
  let gasBefore = 0n;
  const receipts = await view.receipts();
  const paid = receipts.map(({ cumulativeGasUsed }, index) => {
    const tx = transactions[index] as Transaction;
    const gasUsed = cumulativeGasUsed - gasBefore;
    gasBefore = cumulativeGasUsed;
    return { gasUsed, tip: effectiveGasPrice(tx, header.baseFeePerGas) - (header.baseFeePerGas ?? 0n) };
  });
  paid.sort((left, right) => (left.tip < right.tip ? -1 : left.tip > right.tip ? 1 : 0));
  let index = 0;
  let gasUsed = paid[0]?.gasUsed ?? 0n;
  return percentiles.map((percentile) => {
    const threshold = BigInt(Math.floor((Number(header.gasUsed) * percentile) / 100));
    while (gasUsed < threshold && index < paid.length - 1) gasUsed += paid[++index]?.gasUsed ?? 0n;
    return paid[index]?.tip ?? 0n;
  });
}

function combine(oldestBlock: bigint, blocks: readonly BlockFees[], percentiles: readonly number[]): FeeHistory {
  const newest = blocks.at(-1);
  return {
    oldestBlock,
    baseFeePerGas: [...blocks.map(({ baseFee }) => baseFee), ...(newest === undefined ? [] : [newest.nextBaseFee])],
    gasUsedRatio: blocks.map(({ gasUsedRatio }) => gasUsedRatio),
    baseFeePerBlobGas: [
      ...blocks.map((block) => block.blobBaseFee),
      ...(newest === undefined ? [] : [newest.nextBlobBaseFee]),
    ],
    blobGasUsedRatio: blocks.map(({ blobGasUsedRatio }) => blobGasUsedRatio),
    reward: percentiles.length === 0 ? undefined : blocks.map(({ reward }) => reward),
  };
}
