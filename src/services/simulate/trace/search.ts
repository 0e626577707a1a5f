/** trace_filter: searches the blocks of a range in order and gives the wanted page of matches. */

import { type BlockViews, describeBlockId, describeHead } from "../../../chain/block-views.ts";
import { type BlockId, LATEST } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { InvalidParamsError, NotFoundError } from "../../../errors/hindcast-error.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { LocalizedTrace } from "../../../tracer/formats/flat.ts";
import type { BlockTraces } from "./block-traces.ts";
import { behaviourOf, type TraceClient } from "./client.ts";
import { candidateBlocks, type TraceFilter, traceMatcher } from "./filter.ts";

/** Block numbers, both inclusive. */
export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** Sources of blocks and traces, and the most blocks of a range. */
export interface TraceSearchParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly blockTraces: BlockTraces;
  readonly client: TraceClient;
  /** Most blocks in a range; default unlimited. */
  readonly maxBlocks: number | undefined;
}

/** Holds nothing between requests. Matches are found as they are read, so that a page ends early. */
export class TraceSearch {
  readonly #parts: TraceSearchParts;

  constructor(parts: TraceSearchParts) {
    this.#parts = parts;
  }

  /**
   * The blocks to search; undefined if the client answers null.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a range that runs backwards or is too long
   * @throws {NotFoundError} `BLOCK_NOT_FOUND`
   */
  async rangeOf(filter: TraceFilter): Promise<BlockRange | undefined> {
    const { chain, client, maxBlocks } = this.#parts;
    const head = chain.head.header.number;
    const from = await this.#number(filter.fromBlock);
    const to = await this.#number(filter.toBlock);
    // A range from beyond the head to "latest" is not an error.
    const { beyondHead, takesBackwardRange } = behaviourOf(client);
    if (from > to && !takesBackwardRange && !(from > head && "tag" in filter.toBlock)) throw backwards(from, to);
    if (to > head && beyondHead === "null") return undefined;
    if (to > head && beyondHead === "error") throw blockNotFound({ number: to }, chain.head);
    if (maxBlocks !== undefined && Number(to - from) > maxBlocks) throw rangeTooLarge(maxBlocks, Number(to - from));
    return { from, to: to < head ? to : head };
  }

  async #number(id: BlockId): Promise<bigint> {
    if ("number" in id) return id.number;
    const settled: BlockId = "tag" in id && id.tag === "pending" ? LATEST : id;
    return (await this.#parts.views.require(settled, "plain")).block.header.number;
  }

  /**
   * Matching traces of a range, each as soon as its block was traced.
   *
   * @param clockOf - called for each block; limits its execution
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
        const turn = limits.check();
        if (turn !== undefined) await turn;
        if (!matches(trace)) continue;
        if (skip-- > 0) continue;
        yield trace;
        if (--left === 0) return;
      }
    }
  }
}

/**
 * The trace at an address; undefined if there is none.
 *
 * @param path - its trace address or, for a client that gets traces by position, one number
 */
export async function traceAt(
  traces: Iterable<LocalizedTrace>,
  path: readonly number[],
  isByPosition: boolean,
  clock: ExecutionClock,
): Promise<LocalizedTrace | undefined> {
  if (isByPosition && path.length !== 1) return undefined;
  let position = 0;
  for (const trace of traces) {
    if (isByPosition ? position++ === path[0] : isSame(trace.traceAddress, path)) return trace;
    const turn = clock.check();
    if (turn !== undefined) await turn;
  }
  return undefined;
}

function isSame(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((number, depth) => number === right[depth]);
}

/** The error of trace methods for an unknown block. */
export function blockNotFound(id: BlockId, head: Block): NotFoundError {
  const what = `block not found: ${describeBlockId(id)}`;
  return new NotFoundError({ code: "BLOCK_NOT_FOUND", what, fix: describeHead(head) });
}

function backwards(from: bigint, to: bigint): InvalidParamsError {
  const what = "invalid parameters: fromBlock cannot be greater than toBlock";
  return new InvalidParamsError({ code: "INVALID_PARAMS", what, where: `fromBlock is ${from}, toBlock is ${to}.` });
}

/** reth's message. */
function rangeTooLarge(limit: number, blocks: number): InvalidParamsError {
  const what = `Block range too large; currently limited to ${limit} blocks`;
  const data = { limit, given: blocks, flag: "--trace-filter-blocks" };
  return new InvalidParamsError({ code: "INVALID_PARAMS", what, data });
}
