/** Tenderly's simulations: calls in sequence, or a mined transaction, with decoded calls, logs and changes. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import { CallSequence } from "../call/call-sequence.ts";
import type { Overrides } from "../call/overridden-view.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import { requireTransaction } from "../debug/errors.ts";
import { replayBlock } from "../replay/replay.ts";
import { type DecodedExecution, decodeExecution } from "./decoded-execution.ts";

/** The parameters of `tenderly_simulateTransaction` and `tenderly_simulateBundle`. */
export interface TenderlyRequest {
  readonly calls: readonly CallRequest[];
  /** The block whose state the first call starts from. */
  readonly id: BlockId;
  readonly overrides?: Overrides | undefined;
  readonly signal?: AbortState | undefined;
}

/** Sources of blocks, states and names, and the time limit. */
export interface TenderlyParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
  readonly abi: AbiRegistry;
}

const RECORDED = { logs: true } as const;
/** Most bytes of what is recorded of all calls of a bundle together: the calls that 50 million gas pay for, and a few more. */
export const MAX_BUNDLE_BYTES = 300_000_000;

/** Serves `tenderly_*`. A call that reverts is a result, not an error. */
export class TenderlyService {
  readonly #parts: TenderlyParts;

  constructor(parts: TenderlyParts) {
    this.#parts = parts;
  }

  /**
   * Runs calls one on top of the other in a block that is not mined.
   *
   * @throws {TransactionRejectedError} if a call cannot start
   * @throws {NotFoundError} `HEADER_NOT_FOUND`
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async simulate({ calls, id, overrides, signal }: TenderlyRequest): Promise<readonly DecodedExecution[]> {
    const { chain, views, limits: bounds, abi } = this.#parts;
    const { executor } = chain;
    const limits = executor.clock({ timeoutMs: bounds.callTimeoutMs, signal }, "--call-timeout");
    const sequence = await CallSequence.open({ executor, view: await views.require(id), overrides, bounds, limits });
    const executions: DecodedExecution[] = [];
    let cumulativeGasUsed = 0n;
    let maxBytes = MAX_BUNDLE_BYTES;
    const ended = sequence.fetchReadsAhead(calls);
    try {
      for (const call of calls) {
        const prepared = await sequence.prepare(call);
        const recorder = new Recorder({ ...RECORDED, maxBytes });
        const outcome = await sequence.run(call, { recorder, prepared });
        cumulativeGasUsed += outcome.gasUsed;
        const common = {
          blockNumber: sequence.view.context.number,
          type: prepared.tx.type,
          outcome,
          cumulativeGasUsed,
        };
        const changes = sequence.state.transactionChanges();
        await abi.refreshFor(recorder.frames);
        executions.push(await inTurns(decodeExecution({ ...common, frames: recorder.frames, changes }, abi)));
        maxBytes -= recorder.size;
      }
    } finally {
      ended?.();
    }
    return executions;
  }

  /**
   * Runs a mined transaction again.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async trace(hash: Bytes, signal?: AbortState): Promise<DecodedExecution> {
    const { chain, limits: bounds, abi } = this.#parts;
    const { block, index: only } = await requireTransaction(chain, hash);
    const limits = chain.executor.clock({ timeoutMs: bounds.traceTimeoutMs, signal });
    const recorderFor = (): Recorder => new Recorder(RECORDED);
    for await (const ran of replayBlock({ chain, block, limits, recorderFor, only })) {
      const { tx, outcome, receipt, recorder, state } = ran;
      const { cumulativeGasUsed } = receipt;
      const common = { blockNumber: block.header.number, type: tx.type, outcome, cumulativeGasUsed };
      const frames = recorder?.frames ?? [];
      await abi.refreshFor(frames);
      return inTurns(decodeExecution({ ...common, frames, changes: state.transactionChanges() }, abi));
    }
    throw new TypeError("TenderlyService: the block ended before the transaction");
  }
}
