/** Explains why a transaction or a call failed, and where in the source. */

import type { ChainBlocks } from "../../../chain/readable-chain.ts";
import { type ExecutionError, LimitError } from "../../../errors/hindcast-error.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { StepTable } from "../../../tracer/step-table.ts";
import type { CallOptions, CallService } from "../call/call.ts";
import { EXPLAINED_RECORDING, type Explanation, type FailureExplainer } from "../call/failure-explainer.ts";
import { boundReached } from "../call/gas-bound.ts";
import type { DebugService } from "../debug/debug.ts";
import type { TraceBounds } from "../debug/options.ts";
import type { RecordedTransaction } from "../replay/replay.ts";

/** Services that run the failed code again, and what reads its sources. */
export interface ExplainParts {
  readonly calls: CallService;
  readonly debug: DebugService;
  readonly explainer: FailureExplainer;
}

/** Serves `hindcast_explainTransaction` and `hindcast_explainCall`. */
export class ExplainService {
  readonly #parts: ExplainParts;

  constructor(parts: ExplainParts) {
    this.#parts = parts;
  }

  /**
   * Runs a mined transaction again and explains its failure.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async transaction(hash: Bytes, bounds: TraceBounds = {}): Promise<Explanation> {
    const { recording } = await this.#parts.debug.recordTransaction(hash, EXPLAINED_RECORDING, bounds);
    return this.#parts.explainer.explain(recording);
  }

  /**
   * Runs a call and explains its failure.
   *
   * @throws {TransactionRejectedError} if it cannot start
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async call(options: CallOptions): Promise<Explanation> {
    const { recording, outcome } = await this.#parts.calls.record(options);
    const { stack, gaps } = await this.#parts.explainer.explain(recording);
    const bound = boundReached(outcome.error, outcome);
    return { stack, gaps: bound === undefined ? gaps : [bound.where, bound.fix, ...gaps] };
  }
}

/** Services that run the transaction again, and what explains it. */
export interface MinedFailureParts {
  readonly chain: ChainBlocks;
  readonly debug: DebugService;
  readonly explainer: FailureExplainer;
}

/** Runs the transaction again. Undefined if it succeeded or is not mined. */
export async function minedFailure(parts: MinedFailureParts, txHash: Bytes): Promise<ExecutionError | undefined> {
  const location = parts.chain.findStoredTransaction(txHash);
  if (location === undefined) return undefined;
  if (parts.chain.archive.getReceipts(location.block.hash)[location.index]?.status === true) return undefined;
  const { tx, outcome, recording } = await recorded(parts, txHash);
  if (outcome.error === undefined) return undefined;
  const code = recording.frames[0]?.code ?? EMPTY_BYTES;
  const failed = { error: outcome.error, outcome, to: tx.to, code };
  const failure = await parts.explainer.failure(failed, async () => {
    if (recording.steps instanceof StepTable) return recording;
    return (await parts.debug.recordTransaction(txHash, EXPLAINED_RECORDING)).recording;
  });
  return failure.concerning({ transaction: encodeData(txHash) });
}

/** With steps where sources may be known, unless these are too many to explain. */
async function recorded({ debug, explainer }: MinedFailureParts, txHash: Bytes): Promise<RecordedTransaction> {
  try {
    return await debug.recordTransaction(txHash, explainer.knowsSources ? EXPLAINED_RECORDING : {});
  } catch (error) {
    if (!(error instanceof LimitError) || error.code !== "RECORDING_LIMIT") throw error;
    return debug.recordTransaction(txHash);
  }
}
