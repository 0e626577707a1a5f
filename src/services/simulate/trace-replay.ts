/** Mined transactions run again for the ad-hoc trace types: trace_replayTransaction, trace_replayBlockTransactions. */
import { type ReplayTarget, replayBlock } from "./replay.ts";
import type { TraceClient } from "./trace-client.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./trace-results.ts";

/** A block to run again, and for whose eyes. */
export interface TraceReplay extends ReplayTarget {
  readonly client: TraceClient;
}

/** What the types ask for of each transaction of a block, or of the one at `only`, with its hash. */
export async function* replayTraces(
  replay: TraceReplay,
  types: ReadonlySet<TraceType>,
  only?: number,
): AsyncGenerator<TraceResults> {
  const { client } = replay;
  const isWanted = (index: number): boolean => only === undefined || index === only;
  for await (const ran of replayBlock({
    ...replay,
    recorderFor: ({ index }) => (isWanted(index) ? recorderForTypes(types, client) : undefined),
    ...(only === undefined ? {} : { until: only }),
  })) {
    if (!isWanted(ran.index)) continue;
    const results = await traceResults({ types, ...ran, client, idxPrefix: `${ran.index}-` });
    yield { ...results, transactionHash: ran.tx.hash };
  }
}
