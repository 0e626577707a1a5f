/**
 * Flat traces of mined blocks, from recordings made during mining or by running the block again, with computed rewards.
 *
 * Recent ones are cached up to a number of bytes. The cache is keyed by block hash, so that reorgs cannot make its
 * entries wrong.
 */
import { LRUCache } from "lru-cache";
import type { Block } from "../../../chainspec/header/block.ts";
import { blockReward, uncleReward } from "../../../chainspec/header/fees.ts";
import type { TraceKeeper } from "../../../miner/mining-run.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { BlockRecorder, type BlockRecording } from "../../../tracer/block-recorder.ts";
import {
  flatTraces,
  type LocalizedTrace,
  localize,
  type RewardAction,
  rewardTrace,
} from "../../../tracer/formats/flat.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import { type ReplayTarget, replayBlock } from "../replay/replay.ts";
import type { TraceClient } from "./client.ts";

/** Memory for traces by default, in bytes: those of some 110,000 calls. */
const DEFAULT_BYTES = 32 * 1024 * 1024;
/** Estimated bytes of a block without its calls. */
const BYTES_PER_BLOCK = 700;

/** A block to trace, and the client whose format is wanted. */
export interface TraceReplay extends ReplayTarget {
  readonly client: TraceClient;
}

/** One for each node. The miner hands it recordings, the trace service reads them. */
export class BlockTraces implements TraceKeeper {
  /** A larger block would evict too many others; it is run again on each request. */
  readonly maxBytesOfBlock: number;
  readonly #known: LRUCache<string, KnownTraces>;

  /** @param maxBytes - memory for traces */
  constructor(maxBytes = DEFAULT_BYTES) {
    this.maxBytesOfBlock = maxBytes / 8;
    this.#known = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  /** Stores the recording that was made while a block was mined. */
  keep(block: Block, recording: BlockRecording | undefined): void {
    const key = bytesKey(block.hash);
    // After an edit of the state the same block can have different calls. Then the newest traces are stored.
    if (recording === undefined) this.#known.delete(key);
    else this.#known.set(key, new KnownTraces(block, recording));
  }

  /** Removes a block that will hardly be requested again. */
  forget(block: Block): void {
    this.#known.delete(bytesKey(block.hash));
  }

  /**
   * Traces of a block in order: the calls of each transaction depth first, then the block reward and one reward per
   * uncle.
   *
   * A proof-of-stake block has no rewards; the genesis block has no traces.
   *
   * @returns traces that are made when they are read, once
   */
  async of(replay: TraceReplay): Promise<Iterable<LocalizedTrace>> {
    const { length } = replay.block.transactions;
    return allTraces(replay, length === 0 ? undefined : await this.#upTo(replay, length - 1));
  }

  /** Traces of one transaction of a block, to be read once. */
  async ofTransaction(replay: TraceReplay, index: number): Promise<Iterable<LocalizedTrace>> {
    return (await this.#upTo(replay, index)).at(index, replay.client);
  }

  /**
   * Traces up to one transaction, from one run of those not cached. On the second request for an uncached transaction
   * of a block, the whole block is traced, because more requests are likely.
   */
  async #upTo(replay: TraceReplay, index: number): Promise<KnownTraces> {
    const { block } = replay;
    const key = bytesKey(block.hash);
    const known = this.#known.get(key);
    if (known !== undefined && known.length > index) return known;
    const until = known === undefined ? index : block.transactions.length - 1;
    const traced = new KnownTraces(block, await recordUntil(replay, until));
    this.#known.set(key, traced);
    return traced;
  }
}

function* allTraces(replay: TraceReplay, known: KnownTraces | undefined): Generator<LocalizedTrace, void, undefined> {
  for (let index = 0; index < (known?.length ?? 0); index++) {
    yield* (known as KnownTraces).at(index, replay.client);
  }
  yield* rewardTraces(replay);
}

/**
 * The calls of a block's first transactions. It refers to the block only by hashes, so that caching it does not keep the
 * block in memory.
 */
class KnownTraces {
  readonly #blockHash: Bytes;
  readonly #blockNumber: bigint;
  readonly #txHashes: readonly Bytes[];
  readonly #frames: readonly (readonly CallFrame[])[];
  readonly bytes: number;

  constructor({ hash, header, transactions }: Block, { frames, bytes }: BlockRecording) {
    this.#blockHash = hash;
    this.#blockNumber = header.number;
    this.#txHashes = transactions.slice(0, frames.length).map((tx) => tx.hash);
    this.#frames = frames;
    this.bytes = BYTES_PER_BLOCK + bytes;
  }

  /** Number of transactions traced so far. */
  get length(): number {
    return this.#frames.length;
  }

  /** The traces of a transaction, made when they are read. */
  *at(index: number, client: TraceClient): Generator<LocalizedTrace, void, undefined> {
    const location = {
      blockHash: this.#blockHash,
      blockNumber: this.#blockNumber,
      transactionHash: this.#txHashes[index] as Bytes,
      transactionPosition: index,
    };
    const frames = this.#frames[index] ?? [];
    for (const trace of flatTraces({ frames }, client)) yield localize(trace, location);
  }
}

async function recordUntil(replay: TraceReplay, until: number): Promise<BlockRecording> {
  const recorder = new BlockRecorder(Number.POSITIVE_INFINITY);
  for await (const _ran of replayBlock({ ...replay, recorderFor: () => recorder, until })) recorder.endTransaction();
  return recorder.recording ?? { frames: [], bytes: 0 };
}

function rewardTraces({ chain, block, client }: TraceReplay): LocalizedTrace[] {
  const { header, uncles } = block;
  const rules = chain.rulesOf(header);
  if (rules.has(3675) || header.number === chain.spec.firstNumber) return [];
  const actions: RewardAction[] = [
    { author: header.coinbase, rewardType: "block", value: blockReward(rules, uncles.length) },
    ...uncles.map(
      (uncle): RewardAction => ({
        author: uncle.coinbase,
        rewardType: "uncle",
        value: uncleReward(rules, header.number, uncle),
      }),
    ),
  ];
  const place = { blockHash: block.hash, blockNumber: header.number };
  // Erigon leaves the members out.
  const noTransaction = client === "erigon" ? {} : { transactionHash: null, transactionPosition: null };
  return actions.map((action) => localize(rewardTrace(action), { ...place, ...noTransaction }));
}
