/** Lists the variables and the balances that a mined transaction changed. */
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { type AssetChange, type AssetMove, assetChanges, assetMoves } from "../../../explain/asset-moves.ts";
import type { SolidityStack } from "../../../explain/stack/stack-frame.ts";
import { readWrites } from "../../../explain/storage/storage-writes.ts";
import { type ReadSlot, type VariableChange, variableChanges } from "../../../explain/storage/variable-changes.ts";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { EXPLAINED_RECORDING, type FailureExplainer } from "../call/failure-explainer.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { DebugService } from "../debug/debug.ts";
import type { TraceBounds } from "../debug/options.ts";
import { stateBeforeTransaction } from "../replay/replay.ts";

/** Changes of one mined transaction. Amounts are in wei, or in the smallest unit of a token. */
export interface StateChanges {
  /** The source lines and the reason of a failure; undefined for a transaction that succeeded. */
  readonly stack: SolidityStack | undefined;
  /** Variables and slots that were written to, in the order of the first write. */
  readonly storage: readonly VariableChange[];
  /** Transfers of ether and tokens, in order; without the gas fee. */
  readonly moves: readonly AssetMove[];
  /** Sums of the transfers by account. */
  readonly assets: readonly AssetChange[];
  /** The frames that {@link VariableWrite.callFrame} and {@link AssetMove.callFrame} refer to by index. */
  readonly frames: readonly CallFrame[];
  /** Facts that are missing because the builds do not have them, one sentence each. */
  readonly gaps: readonly string[];
}

/** Services that run the transaction again, and what names and explains its changes. */
export interface StateChangeParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly debug: DebugService;
  readonly abi: AbiRegistry;
  readonly explainer: FailureExplainer;
  readonly limits: SimulationLimits;
}

const SLOT_BYTES = 32;

/** Serves `hindcast_stateChanges` and `node.explain()`. */
export class StateChangeService {
  readonly #parts: StateChangeParts;

  constructor(parts: StateChangeParts) {
    this.#parts = parts;
  }

  /**
   * Runs a mined transaction again and lists its changes.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async transaction(hash: Bytes, bounds: TraceBounds = {}): Promise<StateChanges> {
    const { abi, debug, explainer } = this.#parts;
    const request = { ...EXPLAINED_RECORDING, memory: true, logs: true };
    const { recording } = await debug.recordTransaction(hash, request, bounds);
    const { frames } = recording;
    const writes = await inTurns(readWrites(recording, await abi.builds.contractsIn(frames)));
    const readSlot: ReadSlot = writes.writes.length === 0 ? noSlot : await this.#slotsBefore(hash, bounds);
    const moves = await inTurns(assetMoves(frames));
    return {
      stack: (await explainer.explain(recording)).stack,
      storage: await variableChanges(writes, readSlot),
      moves,
      assets: assetChanges(moves),
      frames,
      gaps: abi.builds.gaps,
    };
  }

  /** Reads storage as it was before the transaction. */
  async #slotsBefore(hash: Bytes, { timeoutMs, signal }: TraceBounds): Promise<ReadSlot> {
    const { chain, limits } = this.#parts;
    const location = await chain.findTransaction(hash);
    if (location === undefined) return noSlot;
    const clock = chain.executor.clock({ timeoutMs: timeoutMs ?? limits.traceTimeoutMs, signal });
    const state = await stateBeforeTransaction(chain, location.block, location.index, clock);
    return async (account, slot) =>
      bytesToBigInt(await state.getStorage(account, bigIntToFixedBytes(slot, SLOT_BYTES)));
  }
}

async function noSlot(): Promise<bigint> {
  return 0n;
}
