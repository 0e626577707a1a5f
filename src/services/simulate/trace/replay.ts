/** Mined transactions run again for the ad-hoc trace types: trace_replayTransaction, trace_replayBlockTransactions. */
import type { EventSink } from "../../../evm/event-sink.ts";
import { type ReplayTarget, replayBlock, runBlockAgain } from "../replay/replay.ts";
import type { SecondRun } from "../replay/second-run.ts";
import type { TraceClient } from "./client.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./results.ts";

/** A block to run again, and for whose eyes. */
export interface TraceReplay extends ReplayTarget {
  readonly client: TraceClient;
  /** Where long traces are not to be kept. */
  readonly secondRun?: SecondRun | undefined;
}

/** What the types ask for of each transaction of a block, or of the one at `only`, with its hash. */
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
    yield { ...results, transactionHash: ran.tx.hash };
  }
}

/** Runs the same transactions once more, for whom `next` names of those that are traced. */
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
