/** Flat traces of mined blocks: transactions re-executed, rewards computed. */

import { blockReward, uncleReward } from "../../chainspec/rewards.ts";
import {
  flatTraces,
  type LocalizedTrace,
  localize,
  type RewardAction,
  rewardTrace,
} from "../../tracer/formats/flat.ts";
import { Recorder } from "../../tracer/recorder.ts";
import { type NextTransaction, replayBlock } from "./replay.ts";
import type { TraceReplay } from "./trace-replay.ts";

/**
 * Traces of a block in order: each transaction's depth first, then the block reward and one reward per uncle.
 *
 * A block of the proof-of-stake era has no rewards; the genesis block has no traces.
 */
export async function* blockTraces(replay: TraceReplay): AsyncGenerator<LocalizedTrace> {
  const { block, client } = replay;
  if (block.transactions.length > 0) {
    for await (const ran of replayBlock({ ...replay, recorderFor: () => new Recorder() })) {
      if (ran.recorder === undefined) continue;
      yield* localize(flatTraces(ran.recorder, client), {
        blockHash: block.hash,
        blockNumber: block.header.number,
        transactionHash: ran.tx.hash,
        transactionPosition: ran.index,
      });
    }
  }
  yield* rewardTraces(replay);
}

/** Traces of one transaction of a block; the ones before it run unrecorded. */
export async function transactionTraces(replay: TraceReplay, index: number): Promise<LocalizedTrace[]> {
  const { block, client } = replay;
  const recorderFor = (next: NextTransaction) => (next.index === index ? new Recorder() : undefined);
  for await (const ran of replayBlock({ ...replay, recorderFor, until: index })) {
    if (ran.recorder === undefined) continue;
    return localize(flatTraces(ran.recorder, client), {
      blockHash: block.hash,
      blockNumber: block.header.number,
      transactionHash: ran.tx.hash,
      transactionPosition: index,
    });
  }
  return [];
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
