/** Runs calls one on top of the other on one state and gives the ad-hoc traces of each. */
import type { Common } from "@ethereumjs/common";
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { Transaction } from "../../chainspec/transaction.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import { Evm } from "../../executor/evm.ts";
import { runTransaction } from "../../executor/run-transaction.ts";
import { BLOCK_CHECKS, type FeePolicy } from "../../executor/transaction-checks.ts";
import type { ExecutionLimits } from "../../executor/types.ts";
import type { BlockView } from "../../miner/block-views.ts";
import type { WorkingState } from "../../state/working-state.ts";
import { type Overrides, overrideView, type SimulationView } from "./overridden-view.ts";
import { capGas, defaultGas, runCall, type SimulationLimits } from "./simulation.ts";
import { behaviourOf, type TraceClient } from "./trace-client.ts";
import { recorderForTypes, type TraceResults, type TraceType, traceResults } from "./trace-results.ts";

export interface CallTracerRequest {
  readonly spec: ChainSpec;
  readonly view: BlockView;
  readonly overrides: Overrides | undefined;
  readonly bounds: SimulationLimits;
  readonly limits: ExecutionLimits;
  readonly client: TraceClient;
  readonly includePrecompiles: boolean;
}

/** Row 22 of the clients' differences. */
const FEE_POLICIES: Readonly<Partial<Record<TraceClient, FeePolicy>>> = { reth: "waived", erigon: "bailOut" };

export class CallTracer {
  readonly #request: CallTracerRequest;
  readonly #view: SimulationView;
  readonly #state: WorkingState;

  /** @throws {InvalidParamsError} for overrides that cannot be */
  static async open(request: CallTracerRequest): Promise<CallTracer> {
    const { spec, view, overrides } = request;
    return new CallTracer(request, overrides === undefined ? view : await overrideView(spec, view, overrides));
  }

  private constructor(request: CallTracerRequest, view: SimulationView) {
    this.#request = request;
    this.#view = view;
    this.#state = view.state();
  }

  /** Rules that the calls run by. */
  get common(): Common {
    return this.#request.spec.common(this.#view.rules.hardfork);
  }

  /**
   * Runs the next call.
   *
   * @param idxPrefix - start of Erigon's `idx`, for calls that are one of several
   * @throws {TransactionRejectedError} when it cannot start; the state is as before
   */
  async run(call: CallRequest, types: ReadonlySet<TraceType>, idxPrefix = ""): Promise<TraceResults> {
    const { spec, bounds, limits, client, includePrecompiles } = this.#request;
    const recorder = recorderForTypes(types, client);
    const outcome = await runCall({
      spec,
      view: this.#view,
      state: this.#state,
      call: capGas(call, bounds),
      gasLimit: defaultGas(this.#view, bounds),
      limits,
      recorder,
      fees: FEE_POLICIES[client],
    });
    return traceResults({ types, outcome, recorder, state: this.#state, client, idxPrefix, includePrecompiles });
  }

  /** Runs a signed transaction; of the checks of a block only the nonce's is left out, and not by reth. */
  async runTransaction(tx: Transaction, types: ReadonlySet<TraceType>): Promise<TraceResults> {
    const { spec, limits, client, includePrecompiles } = this.#request;
    const { rules, context: block, precompiles } = this.#view;
    const state = this.#state;
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
