/** Ad-hoc traces of calls in sequence, and of signed transactions that are not sent. */

import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import { runAlone, type TransactionOutcome } from "../../../executor/run-transaction.ts";
import { BLOCK_CHECKS, type FeePolicy } from "../../../executor/transaction-checks.ts";
import { contextOfNext } from "../call/simulation.ts";
import type { SecondRun } from "../replay/second-run.ts";
import { CallSequence, type SequenceRequest } from "../simulate-v1/call-sequence.ts";
import { behaviourOf, type TraceClient } from "./client.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./results.ts";

/** The state of the calls, and the client that the traces follow. */
export interface CallTracerRequest extends Omit<SequenceRequest, "fees"> {
  readonly client: TraceClient;
  readonly includePrecompiles: boolean;
  /** Given if long traces are not to be kept in memory. */
  readonly secondRun: SecondRun | undefined;
}

/** Fees of simulated calls: `docs/trace-formats.md`, section 8. */
const FEE_POLICIES: Readonly<Partial<Record<TraceClient, FeePolicy>>> = { reth: "waived", erigon: "bailOut" };

/** Lives for one request. Every call sees the effects of those before it. */
export class CallTracer {
  readonly #request: CallTracerRequest;
  readonly #calls: CallSequence;

  /** @throws {InvalidParamsError} for invalid overrides */
  static async open(request: CallTracerRequest): Promise<CallTracer> {
    return new CallTracer(request, await CallSequence.open({ ...request, fees: FEE_POLICIES[request.client] }));
  }

  private constructor(request: CallTracerRequest, calls: CallSequence) {
    this.#request = request;
    this.#calls = calls;
  }

  /** Rules of the block in which the calls run. */
  get rules(): Rules {
    return this.#calls.rules;
  }

  /**
   * Runs the next call.
   *
   * @param idxPrefix - prefix of Erigon's `idx`, for one of several calls
   * @throws {TransactionRejectedError} if it cannot start; the state is unchanged
   */
  async run(call: CallRequest, types: ReadonlySet<TraceType>, idxPrefix = ""): Promise<TraceResults> {
    const { client, includePrecompiles, secondRun } = this.#request;
    const { state } = this.#calls;
    const recorder = recorderForTypes(types, client, secondRun);
    const outcome = await this.#calls.run(call, recorder);
    return traceResults({ types, outcome, recorder, state, client, idxPrefix, includePrecompiles, secondRun });
  }

  /** As {@link CallSequence.foresee}. */
  foresee<T>(calls: readonly CallRequest[], runAll: () => Promise<T>): Promise<T> {
    return this.#calls.foresee(calls, runAll);
  }

  /** The sequence of the calls, from its beginning. */
  callsAgain(limits: ExecutionLimits): Promise<CallSequence> {
    return this.#calls.again(limits);
  }

  /** Runs a signed transaction with the checks of a block. The nonce is checked only if the client is reth. */
  async runTransaction(tx: Transaction, types: ReadonlySet<TraceType>): Promise<TraceResults> {
    const { limits, client, includePrecompiles, secondRun } = this.#request;
    const recorder = recorderForTypes(types, client, secondRun);
    const outcome = await this.#run(tx, this.#calls, limits, recorder);
    const { state } = this.#calls;
    return traceResults({ types, outcome, recorder, state, client, includePrecompiles, secondRun });
  }

  /** Runs the transaction once more on its original state. */
  async runTransactionAgain(tx: Transaction, limits: ExecutionLimits, recorder: EventSink | undefined): Promise<void> {
    await this.#run(tx, await this.#calls.again(limits), limits, recorder);
  }

  #run(
    tx: Transaction,
    { state, view }: CallSequence,
    limits: ExecutionLimits,
    sink: EventSink | undefined,
  ): Promise<TransactionOutcome> {
    const { executor, client } = this.#request;
    const { rules, precompiles } = view;
    const block = contextOfNext(view.context, executor.spec);
    const checks = {
      ...BLOCK_CHECKS,
      nonce: behaviourOf(client).rawChecksNonce,
      gasCap: executor.spec.capsSentGas,
    };
    return runAlone({ executor, rules, state, target: state, block, limits, precompiles, tx, checks, sink });
  }
}

/**
 * Turns the rejection of a call into the error of the request (-32015); with several calls it begins with the index.
 */
export async function executable<T>(index: number | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TransactionRejectedError)) throw error;
    const what = index === undefined ? error.what : `call ${index}: ${error.what}`;
    const where = error.where === undefined ? {} : { where: error.where };
    const fix = error.fix === undefined ? {} : { fix: error.fix };
    throw new TransactionRejectedError({ code: "TRACE_NOT_EXECUTABLE", what, ...where, ...fix, cause: error });
  }
}
