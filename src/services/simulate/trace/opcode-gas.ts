/** Sums up the gas of each opcode in mined transactions, by running them again. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { type OpcodeGas, OpcodeGasCounter } from "../../../tracer/opcode-gas.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock } from "../replay/replay.ts";

/** The gas of each opcode that a transaction ran. */
export interface TransactionOpcodeGas {
  readonly txHash: Bytes;
  readonly opcodes: readonly OpcodeGas[];
}

/** The gas of each opcode, for all transactions of a block in order. */
export interface BlockOpcodeGas {
  readonly block: Block;
  readonly transactions: readonly TransactionOpcodeGas[];
}

/** Sources of blocks and states, and the time limit. */
export interface OpcodeGasParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
}

/** Serves `trace_blockOpcodeGas` and `trace_transactionOpcodeGas`, which follow reth. */
export class OpcodeGasService {
  readonly #parts: OpcodeGasParts;

  constructor(parts: OpcodeGasParts) {
    this.#parts = parts;
  }

  /**
   * The gas of each opcode in each transaction of a block; undefined if the block is unknown or pending.
   *
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async block(id: BlockId, options: TraceBounds = {}): Promise<BlockOpcodeGas | undefined> {
    if ("tag" in id && id.tag === "pending") return undefined;
    const view = await this.#parts.views.resolve(id);
    return view && { block: view.block, transactions: await this.#replay(view.block, undefined, options) };
  }

  /** The gas of each opcode in one transaction; undefined if it is unknown. */
  async transaction(hash: Bytes, options: TraceBounds = {}): Promise<TransactionOpcodeGas | undefined> {
    const location = await this.#parts.chain.findTransaction(hash);
    return location && (await this.#replay(location.block, location.index, options))[0];
  }

  /** @param only - index of the only transaction that is wanted */
  async #replay(block: Block, only: number | undefined, options: TraceBounds): Promise<TransactionOpcodeGas[]> {
    const { chain, limits } = this.#parts;
    if (block.transactions.length === 0) return [];
    const { timeoutMs = limits.traceTimeoutMs, signal } = options;
    const found: TransactionOpcodeGas[] = [];
    for await (const { tx, recorder } of replayBlock({
      chain,
      block,
      limits: chain.executor.clock({ timeoutMs, signal }),
      recorderFor: () => new OpcodeGasCounter(),
      only,
    })) {
      if (recorder !== undefined) found.push({ txHash: tx.hash, opcodes: recorder.result() });
    }
    return found;
  }
}
