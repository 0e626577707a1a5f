/**
 * Gives recordings of mined transactions to debuggers, in parts: frames, codes, steps, sources, and earlier storage.
 */
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import { LimitError } from "../../../errors/hindcast-error.ts";
import { isCreation } from "../../../evm/frames.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import type { BuiltContract, CompilerDocuments } from "../../../explain/source/build.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import { type StepSlice, sliceSteps } from "../../../tracer/inspect/step-slice.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import type { StepTable } from "../../../tracer/step-table.ts";
import type { TraceBounds } from "../debug/options.ts";
import { stateBeforeTransaction } from "../replay/replay.ts";
import type { CachedRecording, CachedRecordings } from "./cached-recordings.ts";
import type { Part } from "./inspector.ts";

/** Frames of a transaction from an index on; `steps` counts those of the whole transaction. */
export interface RecordedFrames {
  readonly cached: CachedRecording;
  readonly steps: number;
  readonly frames: readonly CallFrame[];
  /** Codes of these frames that no earlier frame has. Creations are left out: their code is their input. */
  readonly codes: readonly Bytes[];
}

/** Sources of recordings, earlier states and Solidity files. The time limit is in milliseconds. */
export interface RecordingServiceParts {
  readonly chain: ChainBlocks & ChainRules & ChainStates;
  readonly recordings: CachedRecordings;
  readonly abi: AbiRegistry;
  readonly timeoutMs: number;
}

const SLOT_BYTES = 32;

/**
 * Serves `hindcast_getRecording` and similar methods for the command `hindcast debug`, which may run on another
 * machine.
 */
export class RecordingService {
  readonly #parts: RecordingServiceParts;

  constructor(parts: RecordingServiceParts) {
    this.#parts = parts;
  }

  /**
   * Lists the frames of a mined transaction.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async frames(txHash: Bytes, { from, count }: Part, bounds: TraceBounds = {}): Promise<RecordedFrames> {
    const { cached, steps } = await this.#recorded(txHash, bounds);
    const { frames } = cached.recording;
    const part = frames.slice(from, from + count);
    const codes = codesOf(part);
    for (const key of codesOf(frames.slice(0, from)).keys()) codes.delete(key);
    return { cached, steps: steps.length, frames: part, codes: [...codes.values()] };
  }

  /** Some of the steps. Throws as {@link RecordingService.frames}. */
  async steps(txHash: Bytes, { from, count }: Part, bounds: TraceBounds = {}): Promise<StepSlice> {
    const { steps } = await this.#recorded(txHash, bounds);
    return sliceSteps(steps, from, count);
  }

  /**
   * Inputs and outputs of the compiler, for the contracts that ran and that this node knows.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD`; and as {@link RecordingService.frames}
   */
  async builds(txHash: Bytes, bounds: TraceBounds = {}): Promise<readonly CompilerDocuments[]> {
    const { cached } = await this.#recorded(txHash, bounds);
    const finder = await this.#parts.abi.builds.contractsIn(cached.recording.frames);
    const contracts = new Set<BuiltContract>();
    for (const { kind, code, input } of cached.recording.frames) {
      const found = isCreation(kind) ? finder.findCreation(input) : finder.findRuntime(code);
      if (found !== undefined) contracts.add(found.contract);
    }
    return finder.documentsOf(contracts);
  }

  /** Values of slots before the transaction. Throws as {@link RecordingService.frames}. */
  async storageBefore(
    txHash: Bytes,
    { account, slots }: { readonly account: Bytes; readonly slots: readonly bigint[] },
    bounds: TraceBounds = {},
  ): Promise<readonly bigint[]> {
    const { cached } = await this.#recorded(txHash, bounds);
    const { chain, timeoutMs } = this.#parts;
    const clock = chain.executor.clock({ timeoutMs: bounds.timeoutMs ?? timeoutMs, signal: bounds.signal });
    const state = await stateBeforeTransaction(chain, cached.block, cached.index, clock);
    const values: bigint[] = [];
    for (const slot of slots) {
      values.push(bytesToBigInt(await state.getStorage(account, bigIntToFixedBytes(slot, SLOT_BYTES))));
    }
    return values;
  }

  async #recorded(txHash: Bytes, bounds: TraceBounds): Promise<{ cached: CachedRecording; steps: StepTable }> {
    const cached = await this.#parts.recordings.get(txHash, bounds);
    const { steps } = cached.recording;
    if (steps !== undefined) return { cached, steps };
    throw new LimitError({
      code: "RESULT_LIMIT",
      what: "The transaction has more steps than can be recorded.",
      fix: "Read them with debug_traceTransaction, which writes them as they come.",
    });
  }
}

function codesOf(frames: readonly CallFrame[]): Map<string, Bytes> {
  // Most calls of the same code share the array.
  const arrays = new Set(
    frames.filter(({ kind, code }) => !isCreation(kind) && code.length > 0).map(({ code }) => code),
  );
  return new Map(Array.from(arrays, (code) => [bytesKey(code), code]));
}
