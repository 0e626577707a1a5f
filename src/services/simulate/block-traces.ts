/** Flat traces of mined blocks: transactions re-executed, rewards computed. */

import type { Chain } from "../../chain/chain.ts";
import type { Block } from "../../chainspec/block.ts";
import { blockReward, uncleReward } from "../../chainspec/rewards.ts";
import type { ExecutionLimits } from "../../executor/types.ts";
import {
  flatTraces,
  type LocalizedTrace,
  localize,
  type RewardAction,
  rewardTrace,
} from "../../tracer/formats/flat.ts";
import { Recorder } from "../../tracer/recorder.ts";
import { replayBlock } from "./replay.ts";

/**
 * Traces of a block in order: each transaction's depth first, then the block reward and one reward per uncle.
 *
 * A block of the proof-of-stake era has no rewards; the genesis block has no traces.
 */
export async function* blockTraces(
  chain: Chain,
  block: Block,
  limits: ExecutionLimits,
): AsyncGenerator<LocalizedTrace> {
  if (block.transactions.length > 0) {
    for await (const replayed of replayBlock({ chain, block, limits, recorderFor: () => new Recorder() })) {
      if (replayed.recorder === undefined) continue;
      yield* localize(flatTraces(replayed.recorder), {
        blockHash: block.hash,
        blockNumber: block.header.number,
        transactionHash: replayed.tx.hash,
        transactionPosition: replayed.index,
      });
    }
  }
  yield* rewardTraces(chain, block);
}

/** Traces of one transaction of a block; the ones before it run unrecorded. */
export async function transactionTraces(
  chain: Chain,
  block: Block,
  index: number,
  limits: ExecutionLimits,
): Promise<LocalizedTrace[]> {
  const recorderFor = (position: number): Recorder | undefined => (position === index ? new Recorder() : undefined);
  for await (const replayed of replayBlock({ chain, block, limits, recorderFor, until: index })) {
    if (replayed.recorder === undefined) continue;
    return localize(flatTraces(replayed.recorder), {
      blockHash: block.hash,
      blockNumber: block.header.number,
      transactionHash: replayed.tx.hash,
      transactionPosition: index,
    });
  }
  return [];
}

function rewardTraces(chain: Chain, block: Block): LocalizedTrace[] {
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
  return localize(actions.map(rewardTrace), {
    blockHash: block.hash,
    blockNumber: header.number,
    transactionHash: null,
    transactionPosition: null,
  });
}
