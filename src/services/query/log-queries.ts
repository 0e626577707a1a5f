/** Finds logs in one block, in a range through the index, and in the pending block. */

import { type BlockViews, describeHead } from "../../chain/block-views.ts";
import type { BlockId } from "../../chain/blocks/block-id.ts";
import { type LogCriteria, matches } from "../../chain/read/log-filter.ts";
import type { LogBlock, RemoteLogQuery } from "../../chain/read/remote-logs.ts";
import type { ChainBlocks } from "../../chain/readable-chain.ts";
import type { Block } from "../../chainspec/header/block.ts";
import type { Receipt } from "../../chainspec/transaction/receipt.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { InvalidParamsError, LimitError, NotFoundError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { minBigInt } from "../../primitives/bytes/limits.ts";
import type { Log } from "../../primitives/rlp/log-list.ts";

/** The blocks to search: one by hash, or an inclusive range. */
export type LogRange = { readonly blockHash: Bytes } | { readonly fromBlock: BlockId; readonly toBlock: BlockId };

/** A log with its block, transaction and index. */
export interface FoundLog {
  readonly log: Log;
  readonly block: LogBlock;
  readonly isPending: boolean;
  readonly txHash: Bytes;
  readonly txIndex: number;
  readonly logIndex: number;
  /** True if its block is not, or no longer, on the canonical chain. */
  readonly removed: boolean;
  /** JSON of the upstream node, if the log belongs to the forked chain. */
  readonly given?: UpstreamJson | undefined;
}

/** A range that goes beyond the head: an error, or there are no logs. */
export type LogsBeyondHead = "refused" | "empty";

/** Serves `eth_getLogs`; filters read their logs here, too. */
export class LogQueries {
  readonly #chain: ChainBlocks;
  readonly #views: BlockViews;
  readonly #beyondHead: LogsBeyondHead;

  constructor(chain: ChainBlocks, views: BlockViews, beyondHead: LogsBeyondHead) {
    this.#chain = chain;
    this.#views = views;
    this.#beyondHead = beyondHead;
  }

  /**
   * Matching logs in chain order. Logs of a side block, which can be named by hash, are marked as removed.
   *
   * @throws {InvalidParamsError} `INVALID_BLOCK_RANGE` if the range runs backwards, `BLOCK_RANGE_BEYOND_HEAD`
   * @throws {NotFoundError} `BLOCK_NOT_FOUND` for an unknown block hash
   */
  async find(range: LogRange, criteria: LogCriteria, signal?: AbortState): Promise<FoundLog[]> {
    if ("blockHash" in range) {
      const block = await this.#chain.getBlockByHash(range.blockHash);
      if (block === undefined) {
        const fix = describeHead(this.#chain.head);
        throw new NotFoundError({
          code: "HEADER_NOT_FOUND",
          what: "unknown block",
          where: "No block has this hash.",
          fix,
          values: { isUnknownHash: true },
        });
      }
      if (this.#chain.isBelowFork(block)) return this.#remote({ blockHash: block.hash, ...criteria });
      const removed = !this.#chain.isCanonical(block);
      const receipts = await this.#chain.getReceipts(block);
      return allLogs(block, receipts, false, removed).filter(({ log }) => matches(log, criteria));
    }
    const head = this.#chain.head.header.number;
    const wantsPending = "tag" in range.toBlock && range.toBlock.tag === "pending";
    const fromPending = "tag" in range.fromBlock && range.fromBlock.tag === "pending";
    const from = fromPending ? head + 1n : await this.#number(range.fromBlock);
    const last = wantsPending ? head : await this.#number(range.toBlock);
    const to = this.#beyondHead === "empty" ? minBigInt(last, head) : last;
    if (this.#beyondHead === "empty" && !fromPending && from > head) return [];
    if (from > (wantsPending ? head + 1n : to)) {
      throw new InvalidParamsError({
        code: "INVALID_BLOCK_RANGE",
        what: "invalid block range params",
        where: `fromBlock is ${fromPending ? "pending" : from}, toBlock is ${to}.`,
        fix: "fromBlock may not be after toBlock.",
      });
    }
    if (to > head) {
      throw new InvalidParamsError({
        code: "BLOCK_RANGE_BEYOND_HEAD",
        what: "block range extends beyond current head block",
        where: `fromBlock is ${from}, toBlock is ${to}, the head is block ${head}.`,
        fix: 'Use "latest" for the head.',
      });
    }
    const mined = await this.#mined(from, to, criteria, signal);
    if (!wantsPending) return mined;
    const pending = await this.#views.require({ tag: "pending" });
    const receipts = await pending.receipts();
    return [...mined, ...allLogs(pending.block, receipts, true).filter(({ log }) => matches(log, criteria))];
  }

  async #number(id: BlockId): Promise<bigint> {
    if ("number" in id) return id.number;
    return (await this.#views.require(id)).block.header.number;
  }

  /** On a fork, the part of the range up to the fork block is read from the upstream node. */
  async #mined(
    fromBlock: bigint,
    toBlock: bigint,
    criteria: LogCriteria,
    signal: AbortState | undefined,
  ): Promise<FoundLog[]> {
    const { pinnedNumber } = this.#chain;
    if (pinnedNumber === undefined || fromBlock > pinnedNumber) {
      return this.#fromIndex(fromBlock, toBlock, criteria, signal);
    }
    const lastRemote = toBlock < pinnedNumber ? toBlock : pinnedNumber;
    const remote = await this.#remote({ fromBlock, toBlock: lastRemote, ...criteria });
    return [...remote, ...(await this.#fromIndex(lastRemote + 1n, toBlock, criteria, signal))];
  }

  async #remote(query: RemoteLogQuery): Promise<FoundLog[]> {
    const logs = await this.#chain.remoteLogs(query);
    return logs.map((log) => ({ isPending: false, removed: false, ...log }));
  }

  async #fromIndex(
    fromBlock: bigint,
    toBlock: bigint,
    criteria: LogCriteria,
    signal: AbortState | undefined,
  ): Promise<FoundLog[]> {
    const found: FoundLog[] = [];
    let current: { readonly number: bigint; readonly logs: readonly FoundLog[] } | undefined;
    const query = { fromBlock, toBlock, addresses: criteria.addresses, topics: criteria.topics };
    for await (const positions of this.#chain.archive.findLogs(query, signal)) {
      if (signal?.aborted === true) {
        throw new LimitError({ code: "EXECUTION_ABORTED", what: "The log query was aborted by its caller." });
      }
      for (const { blockNumber, logIndex } of positions) {
        if (current?.number !== blockNumber) current = { number: blockNumber, logs: this.#logsOf(blockNumber) };
        const log = current.logs[logIndex];
        // After a reorg since the index was read, another block may be here: logs that do not match are left out.
        if (log !== undefined && matches(log.log, criteria)) found.push(log);
      }
    }
    return found;
  }

  /** All logs of a canonical block; none if there is no such block. */
  #logsOf(number: bigint): readonly FoundLog[] {
    const block = this.#chain.getStoredBlock(number);
    return block === undefined ? [] : allLogs(block, this.#chain.getStoredReceipts(block), false);
  }
}

/** All logs of a block with their indexes. */
export function allLogs(block: Block, receipts: readonly Receipt[], isPending: boolean, removed = false): FoundLog[] {
  const logs: FoundLog[] = [];
  for (const [txIndex, receipt] of receipts.entries()) {
    const txHash = block.transactions[txIndex]?.hash as Bytes;
    for (const log of receipt.logs) {
      logs.push({ log, block, isPending, txHash, txIndex, logIndex: logs.length, removed });
    }
  }
  return logs;
}
