/** Tells what a node executes: mined transactions and blocks, the lines that contracts print, and if wanted call trees. */
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import type { ConsoleLog } from "../../explain/console/console-logs.ts";
import { renderTrace } from "../../explain/render/render-trace.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import type { CallTrace } from "../../services/simulate/call/call.ts";
import type { Recording } from "../../tracer/recording.ts";
import { describeMined, type MinedTransaction } from "./mined-transaction.ts";

export interface ExecutionLogOptions {
  readonly consoleLog: boolean;
  /** Of which transactions and calls the call tree is told. */
  readonly trees: "none" | "failed" | "all";
  /** Of the call trees. */
  readonly colors: boolean;
  /** Hears why something could not be told. */
  readonly onError: (error: unknown) => void;
}

/** Blocks that left and joined the chain at once. */
export interface MinedBlocks extends HeadChange {
  /** The node mines by interval, so that blocks come that nobody asked for. */
  readonly isByInterval: boolean;
}

/** A call that nobody keeps, with its call tree. */
export interface ExplainedCall {
  readonly failed: boolean;
  readonly gasUsed: bigint;
  readonly tree: string;
}

/** Where it is told. */
export interface ExecutionOutput {
  printed(log: ConsoleLog): void;
  /** Before the transactions of the blocks. */
  blocks(blocks: MinedBlocks): void;
  mined(transaction: MinedTransaction): void;
  explainedCall(call: ExplainedCall): void;
}

/**
 * From its making until {@link stop}. What mined transactions are told by is read, and of failed ones found by running
 * their block again, once the block is written and one block after the other: mining waits for nobody who reads.
 */
export class ExecutionLog {
  readonly #node: HindcastNode;
  readonly #output: ExecutionOutput;
  readonly #options: ExecutionLogOptions;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: readonly (() => void)[];
  #queue: Promise<void> = Promise.resolve();

  constructor(node: HindcastNode, output: ExecutionOutput, options: ExecutionLogOptions) {
    this.#node = node;
    this.#output = output;
    this.#options = options;
    this.#unsubscribe = [
      node.onHeadChange((change) => this.#tell(change)),
      ...(options.consoleLog ? [node.onConsoleLog((log) => node.isLogging && output.printed(log))] : []),
      ...(options.trees === "none" ? [] : [node.onCallTrace((trace) => this.#tellCall(trace))]),
    ];
  }

  /** Ends what runs and leaves out what waits. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stopping.abort();
    await this.#queue;
  }

  #tellCall({ recording, failed, gasUsed }: CallTrace): void {
    if (!this.#node.isLogging || !this.#wantsTree(failed)) return;
    this.#output.explainedCall({ failed, gasUsed, tree: this.#render(recording) });
  }

  #wantsTree(failed: boolean): boolean {
    return this.#options.trees === "all" || (failed && this.#options.trees === "failed");
  }

  #render(recording: Recording): string {
    return renderTrace(recording, { abi: this.#node.abi, colors: this.#options.colors });
  }

  #tell(change: HeadChange): void {
    if (!this.#node.isLogging) return;
    this.#output.blocks({ ...change, isByInterval: typeof this.#node.miningMode === "object" });
    for (const block of change.added) {
      if (block.transactions.length > 0) this.#queue = this.#queue.then(() => this.#tellTransactions(block));
    }
  }

  async #tellTransactions(block: Block): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      const receipts = this.#node.getReceipts(block);
      // Before Byzantium a receipt does not say how its transaction ended.
      const hasSurprise = receipts.some(({ status }) => status !== true);
      const recorded = hasSurprise || this.#options.trees === "all" ? this.#record(block) : undefined;
      let gasBefore = 0n;
      for (const [index, tx] of block.transactions.entries()) {
        const receipt = receipts[index];
        if (receipt === undefined) return;
        const ran = (await recorded?.next())?.value;
        const { contractAddress, cumulativeGasUsed } = receipt;
        const failed = ran === undefined ? receipt.status === false : ran.outcome.error !== undefined;
        const recording = ran?.recording;
        const tree = recording !== undefined && this.#wantsTree(failed) ? this.#render(recording) : undefined;
        const gasUsed = cumulativeGasUsed - gasBefore;
        const outcome = { blockNumber: block.header.number, gasUsed, failed, contractAddress, recording };
        this.#output.mined(await describeMined(this.#node, tx, outcome, tree));
        gasBefore = cumulativeGasUsed;
      }
    } catch (error) {
      if (!isGone(error) && !signal.aborted) this.#options.onError(error);
    }
  }

  #record(block: Block) {
    return this.#node.debug.recordBlock(block, { logs: true }, { signal: this.#stopping.signal });
  }
}

/** The block left with a reorg or a revert before its turn came. */
function isGone(error: unknown): boolean {
  return error instanceof HindcastError && (error.code === "STATE_NOT_AVAILABLE" || error.code === "BLOCK_NOT_FOUND");
}
