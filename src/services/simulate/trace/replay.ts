/** Runs mined transactions again for the ad-hoc trace types: trace_replayTransaction, trace_replayBlockTransactions. */
import type { EventSink } from "../../../evm/event-sink.ts";
import { type ReplayTarget, replayBlock, runBlockAgain } from "../replay/replay.ts";
import type { SecondRun } from "../replay/second-run.ts";
import type { TraceClient } from "./client.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./results.ts";

/** A block to run again, and the client whose format is wanted. */
export interface TraceReplay extends ReplayTarget {
  readonly client: TraceClient;
  /** Given if long traces are not to be kept in memory. */
  readonly secondRun?: SecondRun | undefined;
}

/** Results for each transaction of a block, or for the one at `only`, with its hash. */
export async function* replayTraces(
  replay: TraceReplay,
  types: ReadonlySet<TraceType>,
  only?: number,
): AsyncGenerator<TraceResults> {
  const { client, secondRun } = replay;
  const isWanted = (index: number): boolean => only === undefined || index === only;
  for await (const ran of replayBlock({
    ...replay,
    recorderFor: ({ index }) => (isWanted(index) ? recorderForTypes(types, client, secondRun) : undefined),
    ...(only === undefined ? {} : { until: only }),
  })) {
    if (!isWanted(ran.index)) continue;
    const results = await traceResults({ types, ...ran, client, idxPrefix: `${ran.index}-`, secondRun });
    yield { transactionHash: ran.tx.hash, ...results };
  }
}

/** Runs the same transactions once more; `next` gives the sink of each traced one. */
export function runReplayAgain(
  replay: ReplayTarget,
  next: () => EventSink | undefined,
  only: number | undefined,
): Promise<void> {
  return runBlockAgain({
    ...replay,
    recorderFor: ({ index }) => (only === undefined || index === only ? next() : undefined),
    ...(only === undefined ? {} : { until: only }),
  });
}
