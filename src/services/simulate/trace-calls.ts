/** The ad-hoc traces of calls that run one on top of the other, and of signed transactions that nobody sends. */
import type { Common } from "@ethereumjs/common";
import type { Transaction } from "../../chainspec/transaction.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import { Evm } from "../../executor/evm.ts";
import { runTransaction } from "../../executor/run-transaction.ts";
import { BLOCK_CHECKS, type FeePolicy } from "../../executor/transaction-checks.ts";
import { CallSequence, type SequenceRequest } from "./call-sequence.ts";
import { behaviourOf, type TraceClient } from "./trace-client.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./trace-results.ts";

export interface CallTracerRequest extends Omit<SequenceRequest, "fees"> {
  readonly client: TraceClient;
  readonly includePrecompiles: boolean;
}

/** Row 22 of the clients' differences. */
const FEE_POLICIES: Readonly<Partial<Record<TraceClient, FeePolicy>>> = { reth: "waived", erigon: "bailOut" };

export class CallTracer {
  readonly #request: CallTracerRequest;
  readonly #calls: CallSequence;

  /** @throws {InvalidParamsError} for overrides that cannot be */
  static async open(request: CallTracerRequest): Promise<CallTracer> {
    return new CallTracer(request, await CallSequence.open({ ...request, fees: FEE_POLICIES[request.client] }));
  }

  private constructor(request: CallTracerRequest, calls: CallSequence) {
    this.#request = request;
    this.#calls = calls;
  }

  /** Rules that the calls run by. */
  get common(): Common {
    return this.#request.spec.common(this.#calls.rules.hardfork);
  }

  /**
   * Runs the next call.
   *
   * @param idxPrefix - start of Erigon's `idx`, for calls that are one of several
   * @throws {TransactionRejectedError} when it cannot start; the state is as before
   */
  async run(call: CallRequest, types: ReadonlySet<TraceType>, idxPrefix = ""): Promise<TraceResults> {
    const { client, includePrecompiles } = this.#request;
    const { state } = this.#calls;
    const recorder = recorderForTypes(types, client);
    const outcome = await this.#calls.run(call, recorder);
    return traceResults({ types, outcome, recorder, state, client, idxPrefix, includePrecompiles });
  }

  /** Runs a signed transaction; of the checks of a block only the nonce's is left out, and not by reth. */
  async runTransaction(tx: Transaction, types: ReadonlySet<TraceType>): Promise<TraceResults> {
    const { spec, limits, client, includePrecompiles } = this.#request;
    const { state, view } = this.#calls;
    const { rules, context: block, precompiles } = view;
    const recorder = recorderForTypes(types, client);
    const checks = { ...BLOCK_CHECKS, nonce: behaviourOf(client).rawChecksNonce };
    const evm = Evm.open({
      common: this.common,
      state,
      block,
      limits,
      precompiles,
      ...(recorder === undefined ? {} : { recorder }),
    });
    try {
      const outcome = await runTransaction({ spec, rules, evm, state, block, tx, checks });
      return await traceResults({ types, outcome, recorder, state, client, includePrecompiles });
    } finally {
      evm.close();
    }
  }
}
