/** debug_traceChain: geth's tracers over the blocks of a range, one after another. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { DebugService } from "./debug.ts";
import type { TraceOptions, TransactionTrace } from "./options.ts";

/** The traces of one block. */
export interface TracedChainBlock {
  readonly block: Block;
  readonly traces: readonly TransactionTrace[];
  /** Why its transactions could not be traced; then it is the last block. */
  readonly failure: string | undefined;
}

/** Traces the blocks of a range while they are read. */
export type ChainTraces = (signal: AbortState) => AsyncGenerator<TracedChainBlock>;

/** Serves the subscription `traceChain` of `debug_subscribe`. */
export class ChainTraceService {
  readonly #views: BlockViews;
  readonly #debug: DebugService;

  constructor(views: BlockViews, debug: DebugService) {
    this.#views = views;
    this.#debug = debug;
  }

  /**
   * Traces of the blocks after `start` up to `end`. As in geth, blocks without transactions are left out, except for
   * the last.
   *
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   * @throws {InvalidParamsError} `INVALID_BLOCK_RANGE` if the end is not after the start
   */
  async open(start: BlockId, end: BlockId, options: TraceOptions = {}): Promise<ChainTraces> {
    const [first, last] = [await this.#number(start), await this.#number(end)];
    if (last > first) return (signal) => this.#trace(first, last, { ...options, signal });
    throw new InvalidParamsError({
      code: "INVALID_BLOCK_RANGE",
      what: `end block (#${last}) needs to come after start block (#${first})`,
      fix: "Tracing begins with the block after the start.",
      rpcCode: -32000,
    });
  }

  async #number(id: BlockId): Promise<bigint> {
    return (await this.#views.require(id)).block.header.number;
  }

  async *#trace(first: bigint, last: bigint, options: TraceOptions): AsyncGenerator<TracedChainBlock> {
    for (let number = first + 1n; number <= last; number++) {
      // After a revert there are fewer blocks.
      const view = await this.#views.resolve({ number });
      if (view === undefined) return;
      const { block } = view;
      if (block.transactions.length === 0 && number < last) continue;
      try {
        yield { block, traces: await this.#debug.traceBlock({ number }, options), failure: undefined };
      } catch (error) {
        yield { block, traces: [], failure: error instanceof Error ? error.message : String(error) };
        return;
      }
    }
  }
}
