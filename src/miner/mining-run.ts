/** Mines the blocks of one request, one by one or many empty ones at a time, and writes them as one batch. */
import type { Chain } from "../chain/chain.ts";
import type { ExecutedBlock } from "../chain/execute/execute-block.ts";
import type { Block } from "../chainspec/header/block.ts";
import type { Header } from "../chainspec/header/header.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import type { ExecutionClock } from "../executor/clock.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";
import type { WorkingState } from "../state/working/working-state.ts";
import type { BlockRecording } from "../tracer/block-recorder.ts";
import { buildBlock, type LeftOut, type Printed } from "./block-builder.ts";
import type { BlockPlan, BlockTimes } from "./block-plan.ts";
import { buildEmptyBlocks, FEWEST_EMPTY_BLOCKS } from "./empty-blocks.ts";

export interface MineOptions extends BlockTimes {
  /** How many blocks; default 1. */
  readonly blocks?: number;
  /** Uncles of the first block (proof of work only). */
  readonly uncles?: readonly Header[];
  /** Transactions of the first block, instead of the pool's. */
  readonly transactions?: readonly Transaction[];
}

export interface MineRequest extends MineOptions {
  /** Block that the first one follows; default the head. The blocks after it leave the chain in the same batch. */
  readonly parent?: Block;
  /** Transactions of each block, instead of the pool's. */
  readonly contents?: readonly (readonly Transaction[])[];
  /** Make no block when no transaction can stand in it. */
  readonly skipEmpty?: boolean;
}

/** Keeps the call frames of mined blocks, for whoever asks for their traces. */
export interface TraceKeeper {
  /** Most bytes of frames to record of one block. */
  readonly maxBytesOfBlock: number;
  /** Hears of each block with transactions once it is written; without the frames where they came to more. */
  keep(block: Block, recording: BlockRecording | undefined): void;
}

/** The parts that a run uses. */
export interface MiningTools {
  readonly chain: Chain;
  readonly plan: BlockPlan;
  readonly traces: TraceKeeper | undefined;
  /** Hears of each block of a request for several: how many are made, and of how many. */
  readonly onProgress: ((blocks: number, total: number) => void) | undefined;
}

export class MiningRun {
  /** Transactions that could not stand in a block, and why. */
  readonly leftOut: LeftOut[] = [];
  /** What transactions printed. */
  readonly printed: Printed[] = [];
  readonly #tools: MiningTools;
  readonly #request: MineRequest;
  readonly #executed: ExecutedBlock[] = [];
  readonly #recorded = new Map<Block, BlockRecording | undefined>();
  /** Keys of hashes: they are in the pool until the batch is written. */
  readonly #included = new Set<string>();
  // One request may mine thousands of blocks: let the event loop run in between.
  readonly #clock: ExecutionClock;
  #parent: Block;
  #startRoot: Bytes;
  /** At {@link #startRoot}; made when it is needed. */
  #state: WorkingState | undefined;
  #triesEmpty: boolean;
  /** Blocks that were told of. */
  #told = 0;

  constructor(tools: MiningTools, request: MineRequest) {
    const { chain } = tools;
    this.#tools = tools;
    this.#clock = chain.executor.clock();
    this.#request = request;
    this.#parent = request.parent ?? chain.head;
    this.#startRoot = chain.stateRootAfter(this.#parent);
    this.#triesEmpty = request.contents === undefined && chain.states.isWhole;
  }

  /** Builds and writes them; all of them or, where one cannot be built, none. */
  async make(): Promise<readonly Block[]> {
    const { chain, traces } = this.#tools;
    const executed = this.#executed;
    try {
      await this.#build();
    } catch (error) {
      for (const { commit } of executed) chain.states.discard(commit);
      chain.archive.unstage(executed);
      throw error;
    }
    try {
      if (executed.length > 0) await chain.append(executed);
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
    this.#told++;
    if (blocks > 1) this.#tools.onProgress?.(this.#told, blocks);
  }

  /** Blocks in which nothing would stand, up to the first in which something does. False where there are none. */
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
        const isEmpty = plan.candidates(before, rules, this.#included).length === 0;
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
      // A block that follows may ask for their hashes.
      if (empty.length < count) chain.archive.stage(executed);
      this.#executed.push(executed);
    }
    this.#goOnFrom(last);
    this.#state = undefined;
    return true;
  }

  /** The next block. False where nothing would stand in it and no empty block is wanted. */
  async #buildNext(): Promise<boolean> {
    const { chain, plan, traces } = this.#tools;
    const request = this.#request;
    const index = this.#executed.length;
    const isFirst = index === 0;
    const parent = this.#parent;
    const timestamp = plan.timestamp(parent, request, isFirst);
    this.#state ??= chain.states.working(this.#startRoot);
    const given = request.contents?.[index] ?? (isFirst ? request.transactions : undefined);
    const { executed, leftOut, printed, recording } = await buildBlock({
      ...plan.template(parent, timestamp),
      chain,
      state: this.#state,
      startRoot: this.#startRoot,
      transactions: given ?? plan.candidates(parent, chain.rulesAfter(parent, timestamp), this.#included),
      uncles: isFirst ? (request.uncles ?? []) : [],
      recordsBytes: traces?.maxBytesOfBlock ?? 0,
    });
    this.leftOut.push(...leftOut);
    this.printed.push(...printed);
    const { block } = executed;
    if (request.skipEmpty === true && block.transactions.length === 0) {
      chain.states.discard(executed.commit);
      return false;
    }
    chain.archive.stage(executed);
    this.#executed.push(executed);
    if (block.transactions.length > 0) this.#recorded.set(block, recording);
    for (const tx of block.transactions) this.#included.add(bytesKey(tx.hash));
    this.#goOnFrom(block);
    plan.used(timestamp);
    this.#tellProgress();
    return true;
  }

  #goOnFrom(block: Block): void {
    this.#parent = block;
    this.#startRoot = block.header.stateRoot;
  }
}
