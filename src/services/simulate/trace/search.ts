/** trace_filter: the blocks of a range in order, those that may hold a match, and the page of matches that is wanted. */
import { type BlockId, LATEST } from "../../../chain/archive/block-id.ts";
import type { Chain } from "../../../chain/chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { InvalidParamsError, NotFoundError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import { type BlockViews, describeBlockId, describeHead } from "../../../miner/block-views.ts";
import type { LocalizedTrace } from "../../../tracer/formats/flat.ts";
import type { BlockTraces } from "./block-traces.ts";
import { behaviourOf, type TraceClient } from "./client.ts";
import { candidateBlocks, type TraceFilter, traceMatcher } from "./filter.ts";

/** Blocks by their numbers, both included. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

export interface TraceSearchParts {
  readonly chain: Chain;
  readonly views: BlockViews;
  readonly blockTraces: BlockTraces;
  readonly client: TraceClient;
  /** Most blocks between the bounds of a range; default any. */
  readonly maxBlocks: number | undefined;
}

export class TraceSearch {
  readonly #parts: TraceSearchParts;

  constructor(parts: TraceSearchParts) {
    this.#parts = parts;
  }

  /**
   * The blocks to look through; undefined where the client answers null.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a range that runs backwards or is too long
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async rangeOf(filter: TraceFilter): Promise<BlockRange | undefined> {
    const { chain, client, maxBlocks } = this.#parts;
    const head = chain.head.header.number;
    const from = await this.#number(filter.fromBlock);
    const to = await this.#number(filter.toBlock);
    // "latest" is before what is beyond the head, and yet no mistake of the caller's.
    if (from > to && !(from > head && "tag" in filter.toBlock)) throw backwards(from, to);
    const { beyondHead } = behaviourOf(client);
    if (to > head && beyondHead === "null") return undefined;
    if (to > head && beyondHead === "error") throw blockNotFound({ number: to }, chain.head);
    if (maxBlocks !== undefined && to - from > BigInt(maxBlocks)) throw rangeTooLarge(maxBlocks);
    return { from, to: to < head ? to : head };
  }

  async #number(id: BlockId): Promise<bigint> {
    if ("number" in id) return id.number;
    const settled: BlockId = "tag" in id && id.tag === "pending" ? LATEST : id;
    return (await this.#parts.views.require(settled, "plain")).block.header.number;
  }

  /**
   * The traces of a range that match, each when its block has been traced.
   *
   * @param clockOf - asked for each block for what bounds it
   */
  async *matches(
    filter: TraceFilter,
    range: BlockRange,
    clockOf: () => ExecutionClock,
  ): AsyncGenerator<LocalizedTrace> {
    const { chain, client, blockTraces } = this.#parts;
    const matches = traceMatcher(filter);
    let skip = filter.after;
    let left = filter.count ?? Number.POSITIVE_INFINITY;
    if (left === 0) return;
    for await (const number of candidateBlocks(chain, filter, range.from, range.to)) {
      const block = await chain.getBlockByNumber(number);
      if (block === undefined) return;
      const limits = clockOf();
      await limits.check();
      for (const trace of await blockTraces.of({ chain, block, limits, client })) {
        if (!matches(trace)) continue;
        if (skip-- > 0) continue;
        yield trace;
        if (--left === 0) return;
      }
    }
  }
}

/** The error for a block that is not there, of trace methods. */
export function blockNotFound(id: BlockId, head: Block): NotFoundError {
  const what = `block not found: ${describeBlockId(id)}`;
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what, fix: describeHead(head) });
}

function backwards(from: bigint, to: bigint): InvalidParamsError {
  const what = "invalid parameters: fromBlock cannot be greater than toBlock";
  return new InvalidParamsError({ code: "INVALID_PARAMS", what, where: `fromBlock is ${from}, toBlock is ${to}.` });
}

/** reth's words. */
function rangeTooLarge(limit: number): InvalidParamsError {
  const what = `Block range too large; currently limited to ${limit} blocks`;
  return new InvalidParamsError({ code: "INVALID_PARAMS", what });
}
