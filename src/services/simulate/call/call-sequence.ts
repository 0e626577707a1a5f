/**
 * Calls in sequence on one state, in one block or several: for trace_callMany, debug_traceCallMany and eth_callMany.
 */

import type { BlockView } from "../../../chain/block-views.ts";
import type { ReadableState } from "../../../chain/prefetch/guessed-state.ts";
import type { Rules } from "../../../chainspec/hardforks/rules.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import { TransactionRejectedError } from "../../../errors/hindcast-error.ts";
import type { EventSink } from "../../../evm/event-sink.ts";
import type { ExecutionLimits } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import { type LoneRun, runAlone, type TransactionOutcome } from "../../../executor/run-transaction.ts";
import type { FeePolicy } from "../../../executor/transaction-checks.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import { WorkingState } from "../../../state/working/working-state.ts";
import { type BlockOverrides, overrideBlock } from "./block-overrides.ts";
import { type Overrides, overrideView, type SimulationView } from "./overridden-view.ts";
import {
  boundCall,
  type CallOutcome,
  type PreparedCall,
  prepareCall,
  repeatCall,
  runCall,
  type SimulationLimits,
} from "./simulation.ts";

/** Seconds between the blocks of a sequence, as in reth. */
const BLOCK_SECONDS = 12n;

/** Start of the sequence, and its limits. */
export interface SequenceRequest {
  readonly executor: Executor;
  /** Block and state before the first call. */
  readonly view: BlockView;
  readonly overrides?: Overrides | undefined;
  readonly bounds: SimulationLimits;
  /** Limits of each call; a clock if they share one time limit. */
  readonly limits: ExecutionLimits;
  readonly fees?: FeePolicy | undefined;
}

/** How a call of a sequence runs; see {@link CallSequence.run}. */
export interface SequenceRun {
  readonly recorder?: EventSink | undefined;
  readonly prepared?: PreparedCall | undefined;
  readonly isLast?: boolean | undefined;
}

/** Lives for one request. Each call sees the effects of those before it, unless they failed. */
export class CallSequence {
  readonly #request: SequenceRequest;
  /** The block of the first call. */
  readonly #first: SimulationView;
  #view: SimulationView;
  readonly state: WorkingState;
  /** True while the reads of all calls are fetched ahead together. */
  #isFetchedAhead = false;
  /** True once a call may have changed the state. */
  #hasRun = false;

  /** @throws {InvalidParamsError} for invalid overrides */
  static async open(request: SequenceRequest): Promise<CallSequence> {
    const { executor, view, overrides } = request;
    const first = overrides === undefined ? view : await overrideView(executor.spec, view, overrides);
    return new CallSequence(request, first);
  }

  private constructor(request: SequenceRequest, view: SimulationView) {
    this.#request = request;
    this.#first = view;
    this.#view = view;
    this.state = view.state();
  }

  /** The same sequence from its beginning, under other limits. */
  again(limits: ExecutionLimits): Promise<CallSequence> {
    return CallSequence.open({ ...this.#request, limits });
  }

  /** The block of the next call. */
  get view(): SimulationView {
    return this.#view;
  }

  get rules(): Rules {
    return this.#view.rules;
  }

  /**
   * Moves to a later block of the sequence.
   *
   * @param distance - blocks after the first; each adds one to the number and twelve seconds to the time
   * @throws {InvalidParamsError} for invalid overrides
   */
  enterBlock(distance: number, overrides: BlockOverrides = {}): void {
    const { executor, view } = this.#request;
    const { rules, context, slotAt, precompiles, reader, state, fetchAhead } = this.#first;
    const number = context.number + BigInt(distance);
    const timestamp = context.timestamp + BLOCK_SECONDS * BigInt(distance);
    const first = { rules, context, slotAt, block: view.block };
    const block = overrideBlock(executor.spec, first, { number, timestamp, ...overrides });
    const isNumbered = overrides.number !== undefined || context.l1BlockNumber === undefined;
    const l1BlockNumber = isNumbered ? undefined : context.l1BlockNumber + BigInt(distance);
    this.#view = {
      slotAt,
      precompiles,
      reader,
      state,
      fetchAhead,
      ...block,
      context: { ...block.context, l1BlockNumber },
    };
  }

  /**
   * On a fork: starts to fetch the reads of all calls ahead together. Returns a function to call when they have run.
   *
   * @param calls - those of the first block
   */
  fetchReadsAhead(calls: readonly CallRequest[]): (() => void) | undefined {
    const { reader, fetchAhead } = this.#first;
    const ended = fetchAhead?.({ state: reader, calls, repeat: (state, limits) => this.#repeat(calls, state, limits) });
    if (ended === undefined) return undefined;
    this.#isFetchedAhead = true;
    return () => {
      ended();
      this.#isFetchedAhead = false;
    };
  }

  /**
   * Runs a signed transaction next.
   *
   * @throws {TransactionRejectedError} if a wanted check fails; the state is unchanged
   */
  runTransaction(run: Pick<LoneRun, "tx" | "block" | "checks" | "sink">): Promise<TransactionOutcome> {
    this.#hasRun = true;
    const { executor, limits } = this.#request;
    const { rules, precompiles } = this.#view;
    return runAlone({ executor, rules, precompiles, limits, state: this.state, target: this.state, ...run });
  }

  /** Runs calls in sequence only to learn what they read. */
  async #repeat(calls: readonly CallRequest[], start: ReadableState, limits: ExecutionLimits): Promise<void> {
    const state = new WorkingState(start);
    const clock = this.#request.executor.clock(limits);
    for (const call of calls) {
      try {
        await repeatCall(this.#simulated(call), state, clock, state);
      } catch (error) {
        if (!(error instanceof TransactionRejectedError)) throw error;
      }
    }
  }

  /** Makes a transaction of the next call. */
  prepare(call: CallRequest): MaybePromise<PreparedCall> {
    return prepareCall(this.#simulated(call));
  }

  /**
   * Runs the next call.
   *
   * @param request.recorder - receives the events
   * @param request.prepared - result of {@link prepare}, if the caller has it already
   * @param request.isLast - true if no call follows, and nobody reads the state after it; its effects are dropped
   * @throws {TransactionRejectedError} if it cannot start; the state is unchanged
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  run(call: CallRequest, { recorder, prepared, isLast = false }: SequenceRun = {}): Promise<CallOutcome> {
    if (!isLast) {
      this.#hasRun = true;
      return runCall({ recorder, target: this.state, ...this.#simulated(call) }, prepared);
    }
    // The engine may know the state before the first call from an earlier request.
    const state = this.#hasRun ? this.state : this.#first.reader;
    return runCall({ recorder, ...this.#simulated(call), state }, prepared);
  }

  #simulated(call: CallRequest) {
    const { executor, bounds, limits, fees } = this.#request;
    const view = this.#isFetchedAhead ? { ...this.#view, fetchAhead: undefined } : this.#view;
    return { executor, view, state: this.state, ...boundCall(call, view, bounds), limits, fees };
  }
}
