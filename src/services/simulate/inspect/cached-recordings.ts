/**
 * Caches recordings of mined transactions. The explorer requests a transaction in several parts, and would otherwise
 * wait for the transaction to run again for each of them.
 */
import { LRUCache } from "lru-cache";
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { StepSurvey } from "../../../tracer/inspect/step-window.ts";
import { followWrites, type TracedWrite, traceWrites } from "../../../tracer/inspect/storage-writes.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import { requireTransaction } from "../debug/errors.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock } from "../replay/replay.ts";
import { type CachedSteps, LongSteps, runTransaction, WholeSteps } from "./cached-steps.ts";

/** A write to storage with the value that it replaced. */
export interface StorageChange extends Omit<TracedWrite, "before"> {
  readonly before: bigint;
}

/** The recording of a mined transaction. */
export interface CachedRecording {
  readonly txHash: Bytes;
  readonly block: Block;
  readonly index: number;
  /** It has no steps if they were too many to keep. */
  readonly recording: Recorder;
  readonly steps: CachedSteps;
  readonly storage: readonly StorageChange[];
  /** Inputs of KECCAK256 by hash: at least those of the calls that wrote to storage. */
  readonly preimages: ReadonlyMap<bigint, Bytes>;
}

/** Time after the last request, in milliseconds, at which a recording is dropped. */
const CACHED_MS = 300_000;
const REQUEST = { logs: true, steps: true, memory: true } as const;
/**
 * Shares of the memory for recordings. The first is for the saved machine states of one long transaction, the second
 * for everything that is stored of it.
 */
const MACHINES_SHARE = 0.2;
const LONG_SHARE = 0.7;
/** A window has one step for each of these bytes of the memory for recordings, of which it then takes a tenth. */
const BYTES_PER_WINDOW_STEP = 1_000;
const LEAST_WINDOW = 1_000;

/** One for each node. Drops a recording when nobody asked for it for a while, or when newer ones need the memory. */
export class CachedRecordings {
  readonly #chain: ChainBlocks & ChainRules & ChainStates;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  /** Recordings that are being made. Requests for the same transaction wait for one, or make their own if it fails. */
  readonly #running = new Map<string, Promise<CachedRecording>>();
  readonly #cached: LRUCache<string, CachedRecording>;

  /**
   * @param timeoutMs - time limit of each run, unless a request has its own
   * @param maxBytes - memory for all recordings. If one alone is larger, only windows of its steps are held.
   */
  constructor(chain: ChainBlocks & ChainRules & ChainStates, timeoutMs: number, maxBytes: number) {
    this.#chain = chain;
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
    this.#cached = new LRUCache({
      maxSize: maxBytes,
      ttl: CACHED_MS,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      sizeCalculation: ({ recording }) => {
        const windows = recording.steps === undefined ? LONG_SHARE * maxBytes : 1;
        return Math.min(Math.ceil(recording.size + windows), maxBytes);
      },
    });
  }

  /**
   * Returns the recording of a mined transaction. It is made on the first request.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async get(txHash: Bytes, bounds: TraceBounds = {}): Promise<CachedRecording> {
    const { block, index } = await requireTransaction(this.#chain, txHash);
    const key = bytesKey(block.hash) + index;
    const cached = this.#cached.get(key) ?? (await this.#running.get(key)?.catch(() => undefined));
    if (cached !== undefined) return cached;
    const running = this.#record(block, index, bounds);
    this.#running.set(key, running);
    try {
      const made = await running;
      this.#cached.set(key, made);
      return made;
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key);
    }
  }

  /** A clock for runs of cached recordings, with the limits of a request. */
  clock({ timeoutMs = this.#timeoutMs, signal }: TraceBounds = {}): ExecutionClock {
    return this.#chain.executor.clock({ timeoutMs, signal });
  }

  async #record(block: Block, index: number, bounds: TraceBounds): Promise<CachedRecording> {
    const { timeoutMs = this.#timeoutMs, signal } = bounds;
    // Half of it for steps, which are dropped beyond, and half for calls.
    const limits = this.#chain.executor.clock({ timeoutMs, signal, recordingMemory: 2 * this.#maxBytes });
    const recorder = new Recorder(REQUEST, this.#maxBytes);
    const recorderFor = (): Recorder => recorder;
    for await (const ran of replayBlock({ chain: this.#chain, block, only: index, limits, recorderFor })) {
      const { steps, writes, preimages } = await this.#stepsOf(recorder, { block, index }, limits);
      const storage = await storageOf(writes, ran.state);
      return { txHash: ran.tx.hash, block, index, recording: recorder, steps, storage, preimages };
    }
    throw new TypeError("CachedRecordings: the block ended before the transaction");
  }

  async #stepsOf(
    { frames, steps, passedSteps }: Recorder,
    place: { readonly block: Block; readonly index: number },
    limits: ExecutionClock,
  ): Promise<{ steps: CachedSteps; writes: readonly TracedWrite[]; preimages: ReadonlyMap<bigint, Bytes> }> {
    if (steps !== undefined) {
      const preimages = new Map<bigint, Bytes>();
      return { steps: new WholeSteps(frames, steps), writes: traceWrites({ frames, steps }, preimages), preimages };
    }
    const window = Math.max(LEAST_WINDOW, Math.floor(this.#maxBytes / BYTES_PER_WINDOW_STEP));
    const survey = new StepSurvey(frames, window, MACHINES_SHARE * this.#maxBytes);
    await runTransaction({ chain: this.#chain, ...place }, survey, limits);
    const { starts, preimages } = survey;
    const long = new LongSteps({ chain: this.#chain, ...place, frames, starts, length: passedSteps ?? 0, window });
    return { steps: long, writes: followWrites(frames, survey.writes), preimages };
  }
}

/**
 * Adds the values before the transaction. A slot that the transaction left unchanged is read from the state after it.
 */
async function storageOf(writes: readonly TracedWrite[], state: WorkingState): Promise<readonly StorageChange[]> {
  const changed = new Map(
    state
      .transactionChanges()
      .flatMap(({ address, slots, lost = [] }) =>
        [...slots, ...lost].map(({ slot, before }) => [bytesKey(address) + bytesKey(slot), before] as const),
      ),
  );
  const changes: StorageChange[] = [];
  for (const write of writes) {
    changes.push({ ...write, before: write.before ?? (await valueBefore(write, changed, state)) });
  }
  return changes;
}

async function valueBefore(
  { account, slot }: TracedWrite,
  changed: ReadonlyMap<string, Bytes>,
  state: WorkingState,
): Promise<bigint> {
  const key = bigIntToFixedBytes(slot, 32);
  return bytesToBigInt(changed.get(bytesKey(account) + bytesKey(key)) ?? (await state.getStorage(account, key)));
}
