/**
 * Flat traces of mined blocks: transactions re-executed, rewards computed.
 *
 * What was traced lately is kept, bounded by bytes. A block's hash names its traces for good, so nothing kept ever goes
 * stale, whatever the chain does.
 */
import { LRUCache } from "lru-cache";
import { blockReward, uncleReward } from "../../chainspec/rewards.ts";
import { bytesKey } from "../../primitives/bytes.ts";
import {
  type FlatTrace,
  flatTraces,
  type LocalizedTrace,
  localize,
  type RewardAction,
  rewardTrace,
} from "../../tracer/formats/flat.ts";
import { Recorder } from "../../tracer/recorder.ts";
import { replayBlock } from "./replay.ts";
import type { TraceReplay } from "./trace-replay.ts";

/** Bytes of traces that are kept: those of some 40,000 calls. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What a trace takes beside its input and output, roughly. */
const BYTES_PER_TRACE = 700;

/** The traces of a block's first transactions. */
interface KnownTraces {
  readonly byTransaction: readonly (readonly LocalizedTrace[])[];
  readonly bytes: number;
}

export class BlockTraces {
  readonly #known = new LRUCache<string, KnownTraces>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  /**
   * Traces of a block in order: each transaction's depth first, then the block reward and one reward per uncle.
   *
   * A block of the proof-of-stake era has no rewards; the genesis block has no traces.
   */
  async of(replay: TraceReplay): Promise<LocalizedTrace[]> {
    const { block } = replay;
    const count = block.transactions.length;
    const traces = count === 0 ? [] : await this.#upTo(replay, count - 1);
    return [...traces.flat(), ...rewardTraces(replay)];
  }

  /** Traces of one transaction of a block. */
  async ofTransaction(replay: TraceReplay, index: number): Promise<LocalizedTrace[]> {
    return [...((await this.#upTo(replay, index))[index] ?? [])];
  }

  /**
   * Traces of a block's transactions up to one of them, from one pass over what is not known. Whoever asks a block for a
   * second transaction that is not known will ask for more: the block is traced to its end then.
   */
  async #upTo(replay: TraceReplay, index: number): Promise<KnownTraces["byTransaction"]> {
    const key = bytesKey(replay.block.hash);
    const known = this.#known.get(key);
    if (known !== undefined && known.byTransaction.length > index) return known.byTransaction;
    const until = known === undefined ? index : replay.block.transactions.length - 1;
    const traced = await traceUntil(replay, until);
    this.#known.set(key, traced);
    return traced.byTransaction;
  }
}

async function traceUntil(replay: TraceReplay, until: number): Promise<KnownTraces> {
  const { block, client } = replay;
  const byTransaction: LocalizedTrace[][] = [];
  let bytes = BYTES_PER_TRACE;
  for await (const ran of replayBlock({ ...replay, recorderFor: () => new Recorder(), until })) {
    const traces = ran.recorder === undefined ? [] : flatTraces(ran.recorder, client);
    for (const trace of traces) bytes += BYTES_PER_TRACE + sizeOf(trace);
    byTransaction.push(
      localize(traces, {
        blockHash: block.hash,
        blockNumber: block.header.number,
        transactionHash: ran.tx.hash,
        transactionPosition: ran.index,
      }),
    );
  }
  return { byTransaction, bytes };
}

function sizeOf(trace: FlatTrace): number {
  const depth = 8 * trace.traceAddress.length;
  if (trace.type === "call") return depth + trace.action.input.length + (trace.result?.output.length ?? 0);
  return trace.type === "create" ? depth + trace.action.init.length + (trace.result?.code.length ?? 0) : depth;
}

function rewardTraces({ chain, block, client }: TraceReplay): LocalizedTrace[] {
  const { header, uncles } = block;
  const rules = chain.rulesOf(header);
  if (rules.isMerged || header.number === 0n) return [];
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
  return localize(actions.map(rewardTrace), { ...place, ...noTransaction });
}
