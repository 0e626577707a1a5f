/** Tells what a node executes: the lines that contracts print, and if wanted call trees of transactions and calls. */
import type { Block } from "../../chainspec/header/block.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import type { ConsoleLog } from "../../explain/console/console-logs.ts";
import { renderTrace } from "../../explain/render/render-trace.ts";
import type { SolidityStack } from "../../explain/stack/stack-frame.ts";
import { stackText } from "../../explain/stack/stack-text.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import type { CallTrace } from "../../services/simulate/call/call.ts";
import type { Recording } from "../../tracer/recording.ts";

export interface ExecutionLogOptions {
  readonly consoleLog: boolean;
  readonly printTraces: boolean;
  /** Where in the source transactions fail. */
  readonly explainFailures: boolean;
  /** Of the call trees. */
  readonly colors: boolean;
  /** Hears why a tree could not be made. */
  readonly onError: (error: unknown) => void;
}

/** A mined transaction with its call tree. */
export interface ExplainedTransaction extends ExplainedCall {
  readonly hash: Hex;
  readonly blockNumber: bigint;
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
  explained(transaction: ExplainedTransaction): void;
  explainedCall(call: ExplainedCall): void;
}

/**
 * From its making until {@link stop}. Trees are made by running a block again once it is mined, one block after the
 * other, so that mining waits for nobody who reads.
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
      ...(options.consoleLog ? [node.onConsoleLog((log) => node.isLogging && output.printed(log))] : []),
      ...(options.printTraces
        ? [node.onHeadChange(({ added }) => this.#enqueue(added)), node.onCallTrace((trace) => this.#tellCall(trace))]
        : []),
      ...(options.explainFailures && !options.printTraces
        ? [node.onHeadChange(({ added }) => this.#enqueue(added.filter((block) => node.failuresOf(block).length > 0)))]
        : []),
    ];
  }

  /** Ends what runs and leaves out what waits. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stopping.abort();
    await this.#queue;
  }

  #tellCall({ recording, failed, gasUsed }: CallTrace): void {
    if (this.#node.isLogging) this.#output.explainedCall({ failed, gasUsed, tree: this.#render(recording) });
  }

  #render(recording: Recording, solidityStack?: SolidityStack): string {
    return renderTrace(recording, { abi: this.#node.abi, colors: this.#options.colors, solidityStack });
  }

  #enqueue(blocks: readonly Block[]): void {
    if (!this.#node.isLogging) return;
    for (const block of blocks) {
      if (block.transactions.length > 0) this.#queue = this.#queue.then(() => this.#explain(block));
    }
  }

  async #explain(block: Block): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      for await (const { tx, outcome, recording } of this.#node.debug.recordBlock(block, { logs: true }, { signal })) {
        const failed = outcome.error !== undefined;
        const stack = failed && this.#options.explainFailures ? await this.#node.solidityStack(tx.hash) : undefined;
        const told = { hash: encodeData(tx.hash), blockNumber: block.header.number, failed, gasUsed: outcome.gasUsed };
        if (this.#options.printTraces) this.#output.explained({ ...told, tree: this.#render(recording, stack) });
        else if (stack !== undefined) this.#output.explained({ ...told, tree: stackText(stack) });
      }
    } catch (error) {
      if (!isGone(error) && !signal.aborted) this.#options.onError(error);
    }
  }
}

/** The block left with a reorg or a revert before its turn came. */
function isGone(error: unknown): boolean {
  return error instanceof HindcastError && (error.code === "STATE_NOT_AVAILABLE" || error.code === "BLOCK_NOT_FOUND");
}

/** Columns of the clock in front of a line. */
const INDENT = " ".repeat(13);

/** A printed line for people, with a clock. It may have several rows, but nothing that controls the terminal. */
export function printedText({ text }: ConsoleLog, now: Date): string {
  const rows = text.replace(/[^\P{Cc}\n]+/gu, " ").split("\n");
  return `${clockText(now)} console.log: ${rows.join(`\n${INDENT}`)}\n`;
}

/** A transaction for people, with a clock. */
export function explainedText(transaction: ExplainedTransaction, now: Date): string {
  const { hash, blockNumber, failed, gasUsed, tree } = transaction;
  const outcome = failed ? "failed" : "succeeded";
  return `${clockText(now)} ${hash} in block ${blockNumber} ${outcome} with ${gasUsed} gas\n${tree}\n`;
}

/** A call for people, with a clock. */
export function explainedCallText({ failed, gasUsed, tree }: ExplainedCall, now: Date): string {
  return `${clockText(now)} call ${failed ? "failed" : "succeeded"} with ${gasUsed} gas\n${tree}\n`;
}

/** The clock of the request log. */
function clockText(now: Date): string {
  return now.toISOString().slice(11, 23);
}
