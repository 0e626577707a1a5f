/**
 * Recordings of mined transactions, kept for a while: whoever looks at a transaction asks for its parts one by one, and
 * running it again for each of them would take most of the time.
 */
import { LRUCache } from "lru-cache";
import type { Chain } from "../../../chain/chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { LimitError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, bytesToBigInt } from "../../../primitives/bytes/bytes.ts";
import type { WorkingState } from "../../../state/working/working-state.ts";
import { type TracedWrite, traceWrites } from "../../../tracer/inspect/storage-writes.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import { transactionNotFound } from "../debug/errors.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock } from "../replay/replay.ts";

/** A write to storage with the value that it replaced. */
export interface StorageChange extends Omit<TracedWrite, "before"> {
  readonly before: bigint;
}

/** A mined transaction as it was recorded, with its steps where they are not too many. */
export interface KeptRecording {
  readonly txHash: Bytes;
  readonly block: Block;
  readonly index: number;
  readonly recording: Recorder;
  /** Undefined where steps were too many to be kept. */
  readonly storage: readonly StorageChange[] | undefined;
}

/** Bytes of all recordings that are kept. */
const KEPT_BYTES = 256 * 1024 * 1024;
/** Bytes of one recording; beyond, it is made without steps. */
const MOST_BYTES = 512 * 1024 * 1024;
const WHOLE = { logs: true, steps: true, memory: true, maxBytes: MOST_BYTES } as const;
const WITHOUT_STEPS = { logs: true } as const;

export class KeptRecordings {
  readonly #chain: Chain;
  readonly #timeoutMs: number;
  readonly #kept = new LRUCache<string, KeptRecording>({
    maxSize: KEPT_BYTES,
    maxEntrySize: MOST_BYTES,
    sizeCalculation: ({ recording }) => Math.min(Math.max(1, recording.size), KEPT_BYTES),
  });

  /** @param timeoutMs - of each run, where a request names no other */
  constructor(chain: Chain, timeoutMs: number) {
    this.#chain = chain;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The recording of a mined transaction, made now where it is not kept.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
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
      return await this.#run(block, index, { ...bounds, request: WHOLE });
    } catch (error) {
      if (!(error instanceof LimitError) || error.code !== "RESULT_LIMIT") throw error;
      return this.#run(block, index, { ...bounds, request: WITHOUT_STEPS });
    }
  }

  async #run(
    block: Block,
    index: number,
    { request, ...bounds }: TraceBounds & { readonly request: typeof WHOLE | typeof WITHOUT_STEPS },
  ): Promise<KeptRecording> {
    const { timeoutMs = this.#timeoutMs, signal } = bounds;
    const limits = this.#chain.executor.clock({ timeoutMs, signal });
    const recorder = new Recorder(request);
    const recorderFor = (next: { readonly index: number }): Recorder | undefined =>
      next.index === index ? recorder : undefined;
    for await (const ran of replayBlock({ chain: this.#chain, block, until: index, limits, recorderFor })) {
      if (ran.index !== index) continue;
      const storage = await storageOf(recorder, ran.state);
      return { txHash: ran.tx.hash, block, index, recording: recorder, storage };
    }
    throw new TypeError("KeptRecordings: the block ended before the transaction");
  }
}

/** Fills in what slots held before the transaction. What it did not change in the end is as it was. */
async function storageOf(
  { frames, steps }: Recorder,
  state: WorkingState,
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
  for (const write of traceWrites({ frames, steps })) {
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
