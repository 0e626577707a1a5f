/** Reports a node's executions: mined transactions and blocks, `console.log` lines, and optionally call trees. */
import type { HeadChange } from "../../chain/write/head-change.ts";
import type { Block } from "../../chainspec/header/block.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import type { ConsoleLog } from "../../explain/console/console-logs.ts";
import { renderTrace } from "../../explain/render/render-trace.ts";
import type { SolidityStack } from "../../explain/stack/stack-frame.ts";
import { stackText } from "../../explain/stack/stack-text.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { CallTrace } from "../../services/simulate/call/call.ts";
import type { RecordedTransaction } from "../../services/simulate/replay/replay.ts";
import type { Recording } from "../../tracer/recording.ts";
import { describeMined, type MinedTransaction } from "./mined-transaction.ts";

/** Parts of the log beyond a line for each transaction and block. */
export interface ExecutionLogOptions {
  /** Report blocks and their transactions. */
  readonly blocks: boolean;
  readonly consoleLog: boolean;
  /** The transactions and calls whose call tree is reported. */
  readonly trees: "none" | "failed" | "all";
  /** Report the source lines of failures. */
  readonly explainFailures: boolean;
  /** For call trees. */
  readonly colors: boolean;
  /** Called if a report cannot be made. */
  readonly onError: (error: unknown) => void;
}

/** Blocks that left and joined the chain in one change. */
export interface MinedBlocks extends HeadChange {
  /** True if the node mines by interval: then blocks are mined without a request. */
  readonly isByInterval: boolean;
}

/** A simulated call with its call tree. */
export interface ExplainedCall {
  readonly failed: boolean;
  readonly gasUsed: bigint;
  /** The part of it that is for state, before refunds; undefined before Amsterdam. */
  readonly stateGasUsed?: bigint | undefined;
  readonly tree: string;
}

/** Receives the reports. */
export interface ExecutionOutput {
  printed(log: ConsoleLog): void;
  /** Called before the transactions of the blocks are reported. */
  blocks(blocks: MinedBlocks): void;
  mined(transaction: MinedTransaction): void;
  explainedCall(call: ExplainedCall): void;
}

/**
 * Reports from its creation until {@link stop}. Details of failed transactions are found by running their block again,
 * after it is written and one block at a time. Mining does not wait for it.
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
      ...(options.blocks ? [node.onHeadChange((change) => this.#tell(change))] : []),
      ...(options.consoleLog ? [node.onConsoleLog((log) => node.isLogging && output.printed(log))] : []),
      ...(options.trees === "none" ? [] : [node.onCallTrace((trace) => this.#tellCall(trace))]),
    ];
  }

  /** Aborts the current report and drops queued ones. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stopping.abort();
    await this.#queue;
  }

  #tellCall({ recording, failed, gasUsed, stateGasUsed }: CallTrace): void {
    if (!this.#node.isLogging || !this.#wantsTree(failed)) return;
    this.#output.explainedCall({ failed, gasUsed, stateGasUsed, tree: this.#render(recording) });
  }

  #wantsTree(failed: boolean): boolean {
    return this.#options.trees === "all" || (failed && this.#options.trees === "failed");
  }

  #render(recording: Recording, solidityStack?: SolidityStack): string {
    return renderTrace(recording, { abi: this.#node.abi, colors: this.#options.colors, solidityStack });
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
    let recorded: AsyncGenerator<RecordedTransaction> | undefined;
    try {
      const receipts = this.#node.getReceipts(block);
      // Before Byzantium a receipt does not show whether its transaction failed.
      const hasSurprise = receipts.some(({ status }) => status !== true);
      recorded = hasSurprise || this.#options.trees === "all" ? this.#record(block) : undefined;
      let gasBefore = 0n;
      for (const [index, tx] of block.transactions.entries()) {
        const receipt = receipts[index];
        if (receipt === undefined) return;
        const ran = (await recorded?.next())?.value;
        const { contractAddress, cumulativeGasUsed, dimensions } = receipt;
        const failed = ran === undefined ? receipt.status === false : ran.outcome.error !== undefined;
        const recording = ran?.recording;
        const tree = recording === undefined ? undefined : await this.#explain(tx.hash, recording, failed);
        const gasUsed = cumulativeGasUsed - gasBefore;
        const gas = { gasUsed, stateGasUsed: dimensions?.stateGasUsed };
        const outcome = { blockNumber: block.header.number, ...gas, failed, contractAddress, recording };
        this.#output.mined(await describeMined(this.#node, tx, outcome, tree));
        gasBefore = cumulativeGasUsed;
      }
    } catch (error) {
      if (!isGone(error) && !signal.aborted) this.#options.onError(error);
    } finally {
      // It has an execution of the engine until then, also after the last transaction.
      await recorded?.return(undefined);
    }
  }

  /** The call tree if it is wanted, and the source lines of a failure. */
  async #explain(hash: Bytes, recording: Recording, failed: boolean): Promise<string | undefined> {
    const stack = failed && this.#options.explainFailures ? await this.#node.solidityStack(hash) : undefined;
    if (this.#wantsTree(failed)) return this.#render(recording, stack);
    return stack === undefined ? undefined : stackText(stack);
  }

  #record(block: Block): AsyncGenerator<RecordedTransaction> {
    return this.#node.debug.recordBlock(block, { logs: true }, { signal: this.#stopping.signal });
  }
}

/** True if the block left the chain, by a reorg or a revert, before it was reported. */
function isGone(error: unknown): boolean {
  return error instanceof HindcastError && (error.code === "STATE_NOT_AVAILABLE" || error.code === "BLOCK_NOT_FOUND");
}
