/** Says where in the source a transaction or a call failed, and why. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { CallOptions, CallService } from "../call/call.ts";
import { EXPLAINED_RECORDING, type Explanation, type FailureExplainer } from "../call/failure-explainer.ts";
import type { DebugService } from "../debug/debug.ts";
import type { TraceBounds } from "../debug/options.ts";

export interface ExplainParts {
  readonly calls: CallService;
  readonly debug: DebugService;
  readonly explainer: FailureExplainer;
}

export class ExplainService {
  readonly #parts: ExplainParts;

  constructor(parts: ExplainParts) {
    this.#parts = parts;
  }

  /**
   * Runs a mined transaction again and explains its failure.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async transaction(hash: Bytes, bounds: TraceBounds = {}): Promise<Explanation> {
    const { recording } = await this.#parts.debug.recordTransaction(hash, EXPLAINED_RECORDING, bounds);
    return this.#parts.explainer.explain(recording);
  }

  /**
   * Runs a call and explains its failure.
   *
   * @throws {TransactionRejectedError} when it cannot even start
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async call(options: CallOptions): Promise<Explanation> {
    const { recording } = await this.#parts.calls.record(options);
    return this.#parts.explainer.explain(recording);
  }
}
