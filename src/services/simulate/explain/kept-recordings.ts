/**
 * Caches recordings of mined transactions. The explorer requests a transaction in several parts, and would otherwise
 * wait for the transaction to run again for each of them.
 */
import { LRUCache } from "lru-cache";
import type { Chain } from "../../../chain/chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { LimitError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { type TracedWrite, traceWrites } from "../../../tracer/inspect/storage-writes.ts";
import { Recorder, type RecorderRequest } from "../../../tracer/recorder.ts";
import { transactionNotFound } from "../debug/errors.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock } from "../replay/replay.ts";

/** A write to storage with the value that it replaced. */
export interface StorageChange extends Omit<TracedWrite, "before"> {
  readonly before: bigint;
}

/** The recording of a mined transaction. It has no steps if they were too many. */
export interface KeptRecording {
  readonly txHash: Bytes;
  readonly block: Block;
  readonly index: number;
  readonly recording: Recorder;
  /** Undefined if there were too many steps to record. */
  readonly storage: readonly StorageChange[] | undefined;
  /** Inputs of the KECCAK256 operations of the calls that wrote to storage, by hash. */
  readonly preimages: ReadonlyMap<bigint, Bytes>;
}

/** Time after the last request, in milliseconds, at which a recording is dropped. */
const KEPT_MS = 300_000;
const WITHOUT_STEPS = { logs: true } as const;

/** One for each node; recordings leave when unused for a while, or for newer ones. */
export class KeptRecordings {
  readonly #chain: Chain;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #kept: LRUCache<string, KeptRecording>;

  /**
   * @param timeoutMs - time limit of each run, unless a request has its own
   * @param maxBytes - memory for all recordings. A single one that is larger is made again without steps.
   */
  constructor(chain: Chain, timeoutMs: number, maxBytes: number) {
    this.#chain = chain;
    this.#timeoutMs = timeoutMs;
    this.#maxBytes = maxBytes;
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      ttl: KEPT_MS,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      sizeCalculation: ({ recording }) => Math.min(Math.max(1, recording.size), maxBytes),
    });
  }

  /**
   * Returns the recording of a mined transaction. It is made on the first request.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async get(txHash: Bytes, bounds: TraceBounds = {}): Promise<KeptRecording> {
    const location = await this.#chain.findTransaction(txHash);
    if (location === undefined) throw transactionNotFound(txHash);
    const { block, index } = location;
    const key = bytesKey(block.hash) + index;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const made = await this.#record(block, index, bounds);
    this.#kept.set(key, made);
    return made;
  }

  async #record(block: Block, index: number, bounds: TraceBounds): Promise<KeptRecording> {
    try {
      return await this.#run(block, index, {
        ...bounds,
        request: { logs: true, steps: true, memory: true, maxBytes: this.#maxBytes },
      });
    } catch (error) {
      if (!(error instanceof LimitError) || error.code !== "RESULT_LIMIT") throw error;
      return this.#run(block, index, { ...bounds, request: WITHOUT_STEPS });
    }
  }

  async #run(
    block: Block,
    index: number,
    { request, ...bounds }: TraceBounds & { readonly request: RecorderRequest },
  ): Promise<KeptRecording> {
    const { timeoutMs = this.#timeoutMs, signal } = bounds;
    const limits = this.#chain.executor.clock({ timeoutMs, signal });
    const recorder = new Recorder(request);
    const recorderFor = (next: { readonly index: number }): Recorder | undefined =>
      next.index === index ? recorder : undefined;
    for await (const ran of replayBlock({ chain: this.#chain, block, until: index, limits, recorderFor })) {
      if (ran.index !== index) continue;
      const preimages = new Map<bigint, Bytes>();
      const storage = await storageOf(recorder, ran.state, preimages);
      return { txHash: ran.tx.hash, block, index, recording: recorder, storage, preimages };
    }
    throw new TypeError("KeptRecordings: the block ended before the transaction");
  }
}

/**
 * Adds the values before the transaction. A slot that the transaction left unchanged is read from the state after it.
 */
async function storageOf(
  { frames, steps }: Recorder,
  state: WorkingState,
  preimages: Map<bigint, Bytes>,
): Promise<readonly StorageChange[] | undefined> {
  if (steps === undefined) return undefined;
  const changed = new Map(
    state
      .transactionChanges()
      .flatMap(({ address, slots, lost = [] }) =>
        [...slots, ...lost].map(({ slot, before }) => [bytesKey(address) + bytesKey(slot), before] as const),
      ),
  );
  const changes: StorageChange[] = [];
  for (const write of traceWrites({ frames, steps }, preimages)) {
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
