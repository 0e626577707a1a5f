/** Profiles the gas of mined transactions and calls. */

import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { GasProfile } from "../../../explain/profile/gas-profile.ts";
import { ProfileBuilder } from "../../../explain/profile/profile-builder.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import type { Recording } from "../../../tracer/recording.ts";
import type { CallOptions, CallService } from "../call/call.ts";
import { EXPLAINED_RECORDING } from "../call/failure-explainer.ts";
import type { DebugService } from "../debug/debug.ts";
import type { TraceBounds } from "../debug/options.ts";

/** Services that run the code again, and the registry of its sources. */
export interface GasProfileParts {
  readonly calls: CallService;
  readonly debug: DebugService;
  readonly abi: AbiRegistry;
}

/** Serves `hindcast_gasProfile` and `node.gasProfile()`. */
export class GasProfileService {
  readonly #parts: GasProfileParts;

  constructor(parts: GasProfileParts) {
    this.#parts = parts;
  }

  /**
   * Runs a mined transaction again and profiles it.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async transaction(hash: Bytes, bounds: TraceBounds = {}): Promise<GasProfile> {
    const { recording, outcome } = await this.#parts.debug.recordTransaction(hash, EXPLAINED_RECORDING, bounds);
    return this.#profile(recording, outcome);
  }

  /**
   * Runs a call and profiles it.
   *
   * @throws {TransactionRejectedError} if it cannot start
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async call(options: CallOptions): Promise<GasProfile> {
    const { recording, outcome } = await this.#parts.calls.record(options);
    return this.#profile(recording, outcome);
  }

  async #profile(recording: Recording, outcome: TransactionOutcome): Promise<GasProfile> {
    const { abi } = this.#parts;
    const sources = { abi, contracts: await abi.builds.contractsIn(recording.frames) };
    const builder = new ProfileBuilder(recording, sources, outcome.stateGasUsed > 0n);
    await inTurns(builder.build());
    return new GasProfile(builder, outcome);
  }
}
