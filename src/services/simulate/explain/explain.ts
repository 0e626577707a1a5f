/** Explains why a transaction or a call failed, and where in the source. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { CallOptions, CallService } from "../call/call.ts";
import { EXPLAINED_RECORDING, type Explanation, type FailureExplainer } from "../call/failure-explainer.ts";
import { boundReached } from "../call/gas-bound.ts";
import type { DebugService } from "../debug/debug.ts";
import type { TraceBounds } from "../debug/options.ts";

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
