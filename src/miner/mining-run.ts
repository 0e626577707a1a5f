/** Mines the blocks of one request, one by one or many empty ones at a time, and writes them as one batch. */

import type { Chain } from "../chain/chain.ts";
import type { ChainWriter } from "../chain/chain-writer.ts";
import type { ExecutedBlock } from "../chain/execute-block.ts";
import type { Block } from "../chainspec/header/block.ts";
import type { Header } from "../chainspec/header/header.ts";
import type { Receipt } from "../chainspec/transaction/receipt.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { type RemoteError, TransactionRejectedError } from "../errors/hindcast-error.ts";
import type { ExecutionClock } from "../executor/clock.ts";
import { bytesKey } from "../primitives/bytes/bytes.ts";
import { ownStateId, type StateId } from "../state/state-id.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import type { BlockRecording } from "../tracer/block-recorder.ts";
import { buildBlock, type LeftOut, type Printed } from "./block-builder.ts";
import type { BlockPlan, BlockTimes } from "./block-plan.ts";
import { buildEmptyBlocks, FEWEST_EMPTY_BLOCKS } from "./empty-blocks.ts";

/** The argument of `node.mine()`. */
export interface MineOptions extends BlockTimes {
  /** Number of blocks; default 1. */
  readonly blocks?: number;
  /** Uncles of the first block (proof of work only). */
  readonly uncles?: readonly Header[];
  /** Transactions of the first block, instead of the pool's. */
  readonly transactions?: readonly Transaction[];
}

/** Options of callers inside the node, in addition to those of the public ones. */
export interface MineRequest extends MineOptions {
  /** Parent of the first block; default the head. Blocks after it leave the chain in the same batch. */
  readonly parent?: Block;
  /** Transactions of each block, instead of the pool's. */
  readonly contents?: readonly (readonly Transaction[])[];
  /** Makes no block if it would have no transaction. */
  readonly skipEmpty?: boolean;
  /** Makes no block unless it includes all of `transactions`, and none of them fails. */
  readonly allOrNone?: boolean;
}

/** Keeps the call frames of mined blocks, for later trace requests. */
export interface TraceKeeper {
  /** Most bytes of frames to record of one block. */
  readonly maxBytesOfBlock: number;
  /** Called with each written block that has transactions; without frames if they took too many bytes. */
  keep(block: Block, recording: BlockRecording | undefined): void;
}

/** Dependencies of a run. */
export interface MiningTools {
  readonly chain: Chain;
  readonly writer: ChainWriter;
  readonly plan: BlockPlan;
  readonly traces: TraceKeeper | undefined;
  /** Called for each block of a request for several, with the blocks so far and the total. */
  readonly onProgress: ((blocks: number, total: number) => void) | undefined;
}

/** Mines the blocks of one request. */
export class MiningRun {
  /** Transactions that were left out of a block, with the reasons. */
  readonly leftOut: LeftOut[] = [];
  /** console.log calls of transactions. */
  readonly printed: Printed[] = [];
  /** The first block that lacks a proof, and the reason: {@link BuiltBlock.unproven}. */
  unproven: { readonly number: bigint; readonly cause: RemoteError } | undefined;
  readonly #tools: MiningTools;
  readonly #request: MineRequest;
  readonly #executed: ExecutedBlock[] = [];
  readonly #recorded = new Map<Block, BlockRecording | undefined>();
  /**
   * Hashes of transactions that are included or cannot be executed, as map keys; they stay in the pool until the batch is
   * written.
   */
  readonly #done = new Set<string>();
  // Yields to the event loop, because a request may mine thousands of blocks.
  readonly #clock: ExecutionClock;
  #parent: Block;
  #startStateId: StateId;
  /** State at {@link #startStateId}; made on demand. */
  #state: WorkingState | undefined;
  #triesEmpty: boolean;
  /** Number of blocks reported so far. */
  #reported = 0;

  constructor(tools: MiningTools, request: MineRequest) {
    const { chain } = tools;
    this.#tools = tools;
    this.#clock = chain.executor.clock();
    this.#request = request;
    this.#parent = request.parent ?? chain.head;
    this.#startStateId = chain.stateIdAfter(this.#parent);
    this.#triesEmpty = request.contents === undefined && chain.states.isWhole;
  }

  /** Builds and writes all blocks, or none if one cannot be built. */
  async make(): Promise<readonly Block[]> {
    const { chain, writer, traces } = this.#tools;
    const executed = this.#executed;
    try {
      await this.#build();
    } catch (error) {
      for (const { commit } of executed) chain.states.discard(commit);
      chain.archive.unstage(executed);
      throw error;
    }
    try {
      if (executed.length > 0) await writer.append(executed);
    } finally {
      chain.archive.unstage(executed);
    }
    for (const [block, recording] of this.#recorded) traces?.keep(block, recording);
    return executed.map(({ block }) => block);
  }

  async #build(): Promise<void> {
    const count = this.#request.blocks ?? 1;
    while (this.#executed.length < count) {
      await this.#clock.check();
      const left = count - this.#executed.length;
      const wantsMore = (await this.#buildEmptyBlocks(left)) || (await this.#buildNext());
      if (!wantsMore) return;
    }
  }

  #tellProgress(): void {
    const { blocks = 1 } = this.#request;
    this.#reported++;
    if (blocks > 1) this.#tools.onProgress?.(this.#reported, blocks);
  }

  /** Builds empty blocks, up to the first that has transactions. Returns false if there are none. */
  async #buildEmptyBlocks(count: number): Promise<boolean> {
    if (!this.#triesEmpty || this.#executed.length === 0 || count < FEWEST_EMPTY_BLOCKS) return false;
    const { chain, plan } = this.#tools;
    const empty = await buildEmptyBlocks({
      chain,
      parent: this.#parent,
      count,
      clock: this.#clock,
      next: (before, rulesAt) => {
        const timestamp = plan.timestamp(before, this.#request, false);
        const rules = rulesAt(timestamp);
        const isEmpty = plan.candidates(before, rules, this.#done).length === 0;
        return isEmpty ? plan.template(before, timestamp, rules) : undefined;
      },
      built: ({ header }) => {
        plan.used(header.timestamp);
        this.#tellProgress();
      },
    });
    this.#triesEmpty = empty !== undefined;
    const last = empty?.at(-1)?.block;
    if (empty === undefined || last === undefined) return false;
    for (const executed of empty) {
      // A later block may read their hashes.
      if (empty.length < count) chain.archive.stage(executed);
      this.#executed.push(executed);
    }
    this.#goOnFrom(last);
    this.#state = undefined;
    return true;
  }

  /** Builds the next block. Returns false if it is not wanted: because it is empty, or not complete. */
  async #buildNext(): Promise<boolean> {
    const { chain, plan, traces } = this.#tools;
    const request = this.#request;
    const index = this.#executed.length;
    const isFirst = index === 0;
    const parent = this.#parent;
    const timestamp = plan.timestamp(parent, request, isFirst);
    this.#state ??= chain.states.working(this.#startStateId);
    const given = request.contents?.[index] ?? (isFirst ? request.transactions : undefined);
    const { executed, leftOut, printed, recording, unproven } = await buildBlock({
      chain,
      state: this.#state,
      startStateId: this.#startStateId,
      transactions: given ?? plan.candidates(parent, chain.rulesAfter(parent, timestamp), this.#done),
      uncles: isFirst ? (request.uncles ?? []) : [],
      recordsBytes: traces?.maxBytesOfBlock ?? 0,
      ...plan.template(parent, timestamp),
    });
    for (const refused of leftOut) this.leftOut.push(refused);
    if (unproven !== undefined) this.unproven ??= { number: executed.block.header.number, cause: unproven };
    for (const { tx, error } of leftOut) {
      if (!(error instanceof TransactionRejectedError)) this.#done.add(bytesKey(tx.hash));
    }
    for (const line of printed) this.printed.push(line);
    const { block } = executed;
    const isEmpty = request.skipEmpty === true && block.transactions.length === 0;
    const isPartial = request.allOrNone === true && (leftOut.length > 0 || executed.receipts.some(hasFailed));
    if (isEmpty || isPartial) {
      chain.states.discard(executed.commit);
      return false;
    }
    chain.archive.stage(executed);
    this.#executed.push(executed);
    if (block.transactions.length > 0) this.#recorded.set(block, recording);
    for (const tx of block.transactions) this.#done.add(bytesKey(tx.hash));
    this.#goOnFrom(block);
    plan.used(timestamp);
    this.#tellProgress();
    return true;
  }

  #goOnFrom(block: Block): void {
    this.#parent = block;
    this.#startStateId = ownStateId(block.header.stateRoot);
  }
}

function hasFailed({ status }: Receipt): boolean {
  return status === false;
}
