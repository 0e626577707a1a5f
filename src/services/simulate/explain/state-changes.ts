/** Says what mined transactions changed: variables in storage, and what accounts have. */
import type { Chain } from "../../../chain/chain.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { type AssetChange, type AssetMove, assetChanges, assetMoves } from "../../../explain/assets/asset-moves.ts";
import type { SolidityStack } from "../../../explain/stack/stack-frame.ts";
import { readWrites } from "../../../explain/storage/storage-writes.ts";
import { type ReadSlot, type VariableChange, variableChanges } from "../../../explain/storage/variable-changes.ts";
import { type Bytes, bigIntToFixedBytes, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { EXPLAINED_RECORDING, type FailureExplainer } from "../call/failure-explainer.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { DebugService } from "../debug/debug.ts";
import type { TraceBounds } from "../debug/options.ts";
import { stateBeforeTransaction } from "../replay/replay.ts";

export interface StateChanges {
  /** Where in the source it failed, and why; undefined for a transaction that succeeded. */
  readonly stack: SolidityStack | undefined;
  /** Variables and slots that were written to, in the order of the first writes. */
  readonly storage: readonly VariableChange[];
  /** Ether and tokens, in order; without the price of the gas. */
  readonly moves: readonly AssetMove[];
  /** The same, summed up for each account. */
  readonly assets: readonly AssetChange[];
  /** That {@link VariableWrite.callFrame} and {@link AssetMove.callFrame} are indexes of. */
  readonly frames: readonly CallFrame[];
  /** What the builds cannot tell, in a sentence each. */
  readonly gaps: readonly string[];
}

export interface StateChangeParts {
  readonly chain: Chain;
  readonly debug: DebugService;
  readonly abi: AbiRegistry;
  readonly explainer: FailureExplainer;
  readonly limits: SimulationLimits;
}

const SLOT_BYTES = 32;

export class StateChangeService {
  readonly #parts: StateChangeParts;

  constructor(parts: StateChangeParts) {
    this.#parts = parts;
  }

  /**
   * Runs a mined transaction again and names what it changed.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async transaction(hash: Bytes, bounds: TraceBounds = {}): Promise<StateChanges> {
    const { abi, debug, explainer } = this.#parts;
    const request = { ...EXPLAINED_RECORDING, memory: true, logs: true };
    const { recording } = await debug.recordTransaction(hash, request, bounds);
    const { frames } = recording;
    const writes = readWrites(recording, await abi.builds.contracts());
    const readSlot: ReadSlot = writes.writes.length === 0 ? noSlot : await this.#slotsBefore(hash, bounds);
    const moves = assetMoves(frames);
    return {
      stack: (await explainer.explain(recording)).stack,
      storage: await variableChanges(writes, readSlot),
      moves,
      assets: assetChanges(moves),
      frames,
      gaps: abi.builds.gaps,
    };
  }

  /** Storage as the transaction found it. */
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
