/** eth_call and eth_estimateGas: runs a call and gives its return data or the gas it needs. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { Transaction } from "../../../chainspec/transaction/transaction.ts";
import { type ExecutionError, HindcastError, LimitError } from "../../../errors/hindcast-error.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { FrameError } from "../../../evm/frames.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import type { TransactionOutcome } from "../../../executor/run-transaction.ts";
import type { FeePolicy } from "../../../executor/transaction-checks.ts";
import { ConsoleCollector } from "../../../explain/console/console-collector.ts";
import type { ConsoleCall } from "../../../explain/console/console-logs.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { type Bytes, EMPTY_BYTES } from "../../../primitives/bytes/bytes.ts";
import { after, type MaybePromise } from "../../../primitives/maybe-promise.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { Recording } from "../../../tracer/recording.ts";
import { tee } from "../../../tracer/tee.ts";
import { adapted, type CallHabits } from "./call-habits.ts";
import {
  estimateOf,
  exceedsAllowance,
  type GasEstimate,
  highestGas,
  isPlainTransfer,
  searchGas,
  shortageOf,
  transferGas,
  UNLIMITED_GAS,
} from "./estimate.ts";
import { failureOf } from "./failure.ts";
import { EXPLAINED_RECORDING, type FailureExplainer } from "./failure-explainer.ts";
import { type BoundWords, type GasBound, isTooLittleGas } from "./gas-bound.ts";
import { type Overrides, overrideView, type SimulationView } from "./overridden-view.ts";
import { type BoundedCall, boundCall, type CallOutcome, runCall, type SimulationLimits } from "./simulation.ts";

/** A call and the block to run it on. */
export interface CallOptions {
  readonly call: CallRequest;
  readonly id: BlockId;
  readonly overrides?: Overrides | undefined;
  readonly signal?: AbortState | undefined;
}

/** A call that was run with its steps. */
export interface RecordedCall {
  readonly recording: Recording;
  readonly outcome: CallOutcome;
}

/** The record of a call whose effects are discarded. */
export interface CallTrace {
  readonly recording: Recording;
  readonly failed: boolean;
  readonly gasUsed: bigint;
  /** The part of it that is for state, before refunds; undefined without EIP-8037. */
  readonly stateGasUsed: bigint | undefined;
}

/** Observes calls, and estimates whose call fails with any gas. */
export interface CallObserver {
  /** `console.log` output is collected only if this is true. */
  readonly wantsPrinted: boolean;
  printed(calls: readonly ConsoleCall[]): void;
  /** Calls are recorded only if this is true. */
  readonly wantsTraces: boolean;
  traced(trace: CallTrace): void;
}

/** Sources of blocks and states, and the observer of calls and failures. */
export interface CallParts {
  readonly executor: Executor;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
  readonly observer?: CallObserver | undefined;
  /** Default: failures are not explained. */
  readonly explainer?: FailureExplainer | undefined;
  /** Treatment of senders that lack funds. Default: they are refused. */
  readonly fees?: CallFees | undefined;
  /** Default: those of geth. */
  readonly habits?: CallHabits | undefined;
}

/** Fees of the two methods; default: the protocol's rules. */
export interface CallFees {
  readonly call?: FeePolicy | undefined;
  readonly estimate?: FeePolicy | undefined;
}

interface CallAttempt extends BoundedCall {
  readonly view: SimulationView;
  readonly clock: ExecutionClock;
  readonly recorder?: EventSink | undefined;
  readonly isCovered?: boolean | undefined;
  readonly fees?: FeePolicy | undefined;
}

interface ObservedCall {
  readonly sink: EventSink | undefined;
  report(outcome: TransactionOutcome): void;
}

/** Serves `eth_call` and `eth_estimateGas`. A call that reverts throws {@link RevertError} with the returned bytes. */
export class CallService {
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /**
   * Return data of a call on the state after a block.
   *
   * @param request.overrides - changes to the block and its accounts, for this call only
   * @throws {RevertError} `EXECUTION_REVERTED` with the revert data, code 3
   * @throws {ExecutionError} `EXECUTION_FAILED` for another exceptional halt
   */
  async call({ call, id, overrides, signal }: CallOptions): Promise<Bytes> {
    const viewing = this.#view(id, overrides);
    const view = viewing instanceof Promise ? await viewing : viewing;
    const request = { view, fees: this.#parts.fees?.call, ...this.#bounded(call, view) };
    const clock = this.#clock(signal);
    const { outcome, report } = await this.#observed((recorder) =>
      this.#run({ clock, recorder, isCovered: true, ...request }),
    );
    report(outcome);
    if (outcome.error === undefined) return outcome.output;
    throw await this.#failure(outcome.error, outcome, request, signal);
  }

  /**
   * Runs a call and records its steps.
   *
   * @throws {TransactionRejectedError} if it cannot start
   */
  async record({ call, id, overrides, signal }: CallOptions): Promise<RecordedCall> {
    const view = await this.#view(id, overrides);
    const recorder = new Recorder(EXPLAINED_RECORDING);
    const clock = this.#clock(signal);
    const fees = this.#parts.fees?.call;
    const outcome = await this.#run({
      view,
      fees,
      ...this.#bounded(call, view),
      clock,
      recorder,
    });
    return { recording: recorder, outcome };
  }

  /** The error of a failed call, with the names and the place that are known. */
  async #failure(
    error: FrameError,
    outcome: CallOutcome,
    request: Pick<CallAttempt, "view" | "call" | "gasLimit" | "bound" | "isCovered" | "fees">,
    signal: AbortState | undefined,
  ): Promise<ExecutionError> {
    const { view, call } = request;
    if (this.#parts.explainer === undefined) return failureOf(error, outcome);
    const account = call.to === undefined ? undefined : await view.reader.getAccount(call.to);
    const code = account === undefined ? EMPTY_BYTES : await view.reader.getCode(account.codeHash);
    return this.#parts.explainer.failure({ error, outcome, to: call.to, code }, async () => {
      const recorder = new Recorder(EXPLAINED_RECORDING);
      await this.#run({ ...request, clock: this.#clock(signal), recorder });
      return recorder;
    });
  }

  /** The gas limit of {@link estimate}. */
  async estimateGas(options: CallOptions): Promise<bigint> {
    return (await this.estimate(options)).gas;
  }

  /**
   * Smallest gas limit with which a call succeeds, within 1.5 %, and the dimension that determines it. The search is
   * geth's, so that results agree.
   *
   * @throws {RevertError} if it reverts with all available gas
   * @throws {ExecutionError} `GAS_REQUIRED_EXCEEDS_ALLOWANCE` if no allowed gas limit is enough
   */
  async estimate({ call, id, overrides, signal }: CallOptions): Promise<GasEstimate> {
    return this.#estimate(adapted(this.#parts.habits, call), await this.#view(id, overrides), this.#clock(signal));
  }

  /** As {@link estimateGas}, after transactions that are not mined yet. */
  async estimateGasAfter(transactions: readonly Transaction[], call: CallRequest): Promise<bigint> {
    const view = await this.#parts.views.draft(transactions);
    const overridden = await overrideView(this.#parts.executor.spec, view, {});
    return (await this.#estimate(call, overridden, this.#clock(undefined))).gas;
  }

  async #estimate(call: CallRequest, view: SimulationView, clock: ExecutionClock): Promise<GasEstimate> {
    const { executor, limits } = this.#parts;
    const fees = this.#parts.fees?.estimate;
    const attempt = { view, call, clock, fees };
    const { gas, bound } = await highestGas({ executor, limits, fees }, view, call);
    const execute = (gasLimit: bigint, recorder?: EventSink): Promise<CallOutcome | undefined> =>
      this.#attempt({ ...attempt, call: { ...call, gasLimit }, gasLimit, bound, recorder });
    const isTransfer = await isPlainTransfer(view, call);
    const transfer = isTransfer ? await transferGas(execute, view, gas) : undefined;
    if (transfer !== undefined) return estimateOf(transfer);
    const { outcome, report } = await this.#observed((sink) => execute(gas, sink));
    if (outcome?.error !== undefined) report(outcome);
    if (outcome === undefined || outcome.error === "outOfGas") {
      const data = outcome && this.#parts.explainer?.form.haltData;
      throw exceedsAllowance(gas, { ...(await this.#shortage(attempt, gas, bound)), data });
    }
    if (outcome.error === undefined) return estimateOf(await searchGas(execute, { gas, outcome }));
    throw await this.#failure(
      outcome.error,
      outcome,
      { view, call, gasLimit: gas, bound, isCovered: true, fees },
      clock.signal,
    );
  }

  /**
   * Says which bound the gas was at, and with state gas (EIP-8037) which dimension does not fit. For that the call runs
   * once more, as if it could be paid.
   */
  async #shortage(
    attempt: Pick<CallAttempt, "view" | "call" | "clock">,
    gas: bigint,
    bound: GasBound | undefined,
  ): Promise<Partial<BoundWords>> {
    if (!attempt.view.rules.has(8037)) return { ...bound?.() };
    const call = { ...attempt.call, gasLimit: UNLIMITED_GAS };
    try {
      const outcome = await this.#attempt({ ...attempt, call, gasLimit: UNLIMITED_GAS, fees: "bailOut" });
      return shortageOf(gas, outcome, bound);
    } catch (cause) {
      // If the explanation fails, at a limit, the failure is reported without it.
      if (cause instanceof HindcastError) return { ...bound?.() };
      throw cause;
    }
  }

  #bounded(call: CallRequest, view: SimulationView): BoundedCall {
    const { habits, limits } = this.#parts;
    return boundCall(adapted(habits, call), view, limits);
  }

  #view(id: BlockId, overrides: Overrides = {}): MaybePromise<SimulationView> {
    return after(this.#parts.views.require(id), (view) => overrideView(this.#parts.executor.spec, view, overrides));
  }

  /** The outcome; undefined if the gas does not cover the intrinsic gas. */
  async #attempt(attempt: CallAttempt): Promise<CallOutcome | undefined> {
    try {
      return await this.#run(attempt);
    } catch (error) {
      if (isTooLittleGas(error)) return undefined;
      throw error;
    }
  }

  #run({ view, clock: limits, ...attempt }: CallAttempt): Promise<CallOutcome> {
    return runCall({ executor: this.#parts.executor, view, state: view.reader, limits, ...attempt });
  }

  /** Runs for the observer, too. If that takes more than may be recorded, it runs again for the caller alone. */
  async #observed<Outcome>(
    run: (sink: EventSink | undefined) => Promise<Outcome>,
  ): Promise<{ readonly outcome: Outcome; readonly report: ObservedCall["report"] }> {
    const { sink, report } = this.#observe();
    try {
      return { outcome: await run(sink), report };
    } catch (error) {
      if (!(error instanceof LimitError) || error.code !== "RECORDING_LIMIT") throw error;
      return { outcome: await run(undefined), report: () => {} };
    }
  }

  /** The sink of the observer, if there is one, and the report to it. */
  #observe(): ObservedCall {
    const observer = this.#parts.observer;
    const recorder = observer?.wantsTraces === true ? new Recorder({ logs: true }) : undefined;
    const console = observer?.wantsPrinted === true ? new ConsoleCollector() : undefined;
    const sinks = [recorder, console].filter((sink) => sink !== undefined);
    return {
      sink: sinks.length === 0 ? undefined : tee(...sinks),
      report: ({ error, gasUsed, dimensions }) => {
        if (console !== undefined) observer?.printed(console.take());
        const gas = { gasUsed, stateGasUsed: dimensions?.stateGasUsed };
        if (recorder !== undefined) observer?.traced({ recording: recorder, failed: error !== undefined, ...gas });
      },
    };
  }

  /** One clock for all executions of a request, with the request's time limit. */
  #clock(signal: AbortState | undefined): ExecutionClock {
    const { limits, executor } = this.#parts;
    return executor.clock({ timeoutMs: limits.callTimeoutMs, signal }, "--call-timeout");
  }
}
