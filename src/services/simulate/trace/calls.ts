/** Ad-hoc traces of calls in sequence, and of signed transactions that are not sent. */
import type { ChainSpec } from "../../../chainspec/chain-spec.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { BLOCK_CHECKS } from "../../../executor/transaction-checks.ts";
import type { CallSequence } from "../call/call-sequence.ts";
import { rejectedAs } from "../call/failure.ts";
import { contextOfNext } from "../call/simulation.ts";
import type { SecondRun } from "../replay/second-run.ts";
import { behaviourOf, type TraceClient } from "./client.ts";
import { recorderForTypes, type StreamedTraceResults, type TraceType, traceResults } from "./results.ts";

/** One call of trace_callMany and its trace types. */
export interface TracedCall {
  readonly call: CallRequest;
  readonly types: Iterable<TraceType>;
}

/** The state of the calls, and the form of their traces. */
export interface CallTracing {
  readonly sequence: CallSequence;
  /** The client that the traces follow. */
  readonly client: TraceClient;
  readonly includePrecompiles: boolean | undefined;
  /** Given if results are read once, in order, while they are written. */
  readonly secondRun: SecondRun | undefined;
  /** True if errors, and Erigon's `idx`, name a call by its index; default false. */
  readonly areNumbered?: boolean | undefined;
}

/**
 * Runs calls, each with the effects of those before it, and traces each.
 *
 * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE` if one cannot start
 */
export async function traceCalls(calls: readonly TracedCall[], request: CallTracing): Promise<StreamedTraceResults[]> {
  const { sequence, client, secondRun, areNumbered = false } = request;
  const { state } = sequence;
  const requests = calls.map(({ call }) => call);
  const results: StreamedTraceResults[] = [];
  const ended = sequence.fetchReadsAhead(requests);
  try {
    for (const [index, { call, types: names }] of calls.entries()) {
      const types = new Set(names);
      const recorder = recorderForTypes(types, client, secondRun);
      const isLast = index === calls.length - 1 && !types.has("stateDiff");
      const ran = sequence.run(call, { recorder, isLast });
      const outcome = await ran.catch(rejectedAs("TRACE_NOT_EXECUTABLE", areNumbered ? `call ${index}: ` : ""));
      const idxPrefix = areNumbered ? `${index}-` : "";
      results.push(await traceResults({ ...request, types, outcome, recorder, state, idxPrefix }));
    }
  } finally {
    ended?.();
  }
  secondRun?.start(async (next, limits) => {
    const again = await sequence.again(limits);
    for (const call of requests) await again.run(call, { recorder: next() });
  });
  return results;
}

/**
 * Runs a signed transaction with the checks of a block, and traces it. The nonce is checked only if the client is reth.
 *
 * @throws {TransactionRejectedError} `TRACE_NOT_EXECUTABLE` if it cannot start
 */
export async function traceTransaction(
  tx: Transaction,
  types: ReadonlySet<TraceType>,
  spec: ChainSpec,
  request: CallTracing,
): Promise<StreamedTraceResults> {
  const { sequence, client, secondRun } = request;
  const { state, view } = sequence;
  const checks = { ...BLOCK_CHECKS, nonce: behaviourOf(client).rawChecksNonce, gasCap: spec.capsSentGas };
  const run = { tx, checks, block: contextOfNext(view.context, spec) };
  const recorder = recorderForTypes(types, client, secondRun);
  const ran = sequence.runTransaction({ ...run, sink: recorder });
  const outcome = await ran.catch(rejectedAs("TRACE_NOT_EXECUTABLE", ""));
  const results = await traceResults({ ...request, types, outcome, recorder, state });
  secondRun?.start(async (next, limits) => (await sequence.again(limits)).runTransaction({ ...run, sink: next() }));
  return results;
}
